/** Specifications of real APIs: each operation has its place on a site, where a browser shows it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { githubSpecification, WITHOUT_GITHUB } from '../../bench/github-specification.ts'
import { OPERATION_METHODS } from '../../src/core/openapi/methods.ts'
import { processOpenApi } from '../../src/jobs/process-openapi.ts'
import { firstOf, inLongRun, stepOf } from '../effort.ts'
import { computedEntry } from '../computed-entry.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { axeFindings, DEVICES, leave, openBrowser, openPage, WITHOUT_BROWSER } from './browser.ts'

const world = await createWorld()

const packaged = (name: string, path: string) => () =>
  readFileSync(resolve(import.meta.dirname, '../../node_modules', name, path), 'utf8')
const example = (path: string) => packaged('@readme/oas-examples', path)

/** Specifications, with the number of their operations. The first ones stand for the others in the default run. */
const SPECIFICATIONS: [name: string, source: () => string, operations: number][] = [
  ['Petstore, Swagger 2.0 as JSON', example('2.0/json/petstore.json'), 20],
  ['Train Travel, OpenAPI 3.1 as YAML', example('3.1/yaml/train-travel.yaml'), 7],
  ['STAPI, OpenAPI 3.0 as YAML', example('3.0/yaml/star-trek.yaml'), 120],
  ['ReadMe before, OpenAPI 3.0 as JSON', example('3.0/json/readme-legacy.json'), 36],
  ['ReadMe, OpenAPI 3.1 as JSON', example('3.1/json/readme.json'), 54],
  ['Figma, OpenAPI 3.1 as YAML', packaged('@figma/rest-api-spec', 'openapi/openapi.yaml'), 54],
  ['GitBook, OpenAPI 3.0 as JSON', packaged('@gitbook/api', 'spec/openapi.json'), 309],
]

/** In CI, a browser opens a fifteenth of the pages, and reads the operations in the HTML of the others. */
const STEP = stepOf(1, 15)

describe('real specifications', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  for (const [name, source, operations] of firstOf(SPECIFICATIONS, 2))
    test(name, async () => {
      await everyOperationIsShown(name, source(), operations)
    })

  const skip = inLongRun || WITHOUT_GITHUB || false
  test('GitHub, OpenAPI 3.0 as JSON', { skip }, async () => {
    await everyOperationIsShown('GitHub', githubSpecification(), 1223)
  })

  async function everyOperationIsShown(name: string, text: string, count: number) {
    const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
    const wanted = await publishedOperations(slug, text)
    assert.equal(wanted.length, count)
    const { base, paths } = await siteOf(slug)

    const { page, complaints } = await openPage(browser, DEVICES[0]!)
    const shown: string[] = []
    for (const [i, path] of paths.entries()) {
      const isOpened = i % STEP === 0 || i === 1
      if (isOpened) {
        const response = await page.goto(base + path, { waitUntil: 'domcontentloaded' })
        assert.equal(response?.status(), 200, path)
      }
      for (const one of await operationsOn(page, isOpened ? page.url() : base + path)) {
        assert.ok(one.described, `${one.name} on ${path} is only named`)
        shown.push(one.name)
      }
      // Some descriptions have images of other hosts, which a test does not need.
      const own = complaints.filter((one) => !/Failed to load resource: net::ERR_/.test(one))
      assert.deepEqual(own, [], path)
      if (i === 1) assert.deepEqual(await axeFindings(page), [], path)
      complaints.length = 0
    }
    await leave(page)
    assert.deepEqual(shown.toSorted(), wanted)
  }

  /** Stores a specification. @returns its operations, such as `GET /pets` */
  async function publishedOperations(slug: string, text: string): Promise<string[]> {
    const { ada, organizationId } = world
    const spec = `/v1/orgs/${organizationId}/openapi/${slug}`
    const put = await ada(`PUT ${spec}`, { source: { text } })
    assert.equal(put.status, 200, put.text)
    await processOpenApi(world.app.services, 60_000)({ organizationId } as never, {} as never)
    const { body, text: answer } = await ada(`GET ${spec}/versions/latest/content`)
    assert.ok(body.filesystem, `${answer.slice(0, 500)} ${(await ada(`GET ${spec}`)).text}`)
    const { paths } = body.filesystem[0].specification as { paths: Record<string, object> }
    const all = Object.entries(paths).flatMap(([path, item]) =>
      OPERATION_METHODS.filter((method) => method in item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    return all.toSorted()
  }

  async function siteOf(slug: string): Promise<{ base: string; paths: string[] }> {
    const { spaceId } = await spaceWith(
      world,
      archiveOf({
        'SUMMARY.md': `# Table of contents\n\n* [Start](README.md)\n${computedEntry(slug)}`,
        'README.md': '# Start\n',
      }),
    )
    const { address } = await publish(world, spaceId, slug)
    const { hostname, pathname } = new URL(address)
    const { text } = await world.nobody(`GET /sites/${hostname.split('.')[0]}${pathname}llms.txt`)
    const own = [...text.matchAll(/\]\((https?:\/\/[^)\s]+)\.md\)/g)].map(([, url = '']) => url)
    return {
      base: address,
      paths: own.map((url) => url.slice(address.length)).filter((path) => path !== 'readme'),
    }
  }

  /** The operations on the open page, or on another one of the site, and whether more than their names is shown. */
  async function operationsOn(page: Page, address: string): Promise<{ name: string; described: boolean }[]> {
    return page.evaluate(`(async () => {
      const address = ${JSON.stringify(address)}
      let shown = document
      if (location.href !== address) {
        const response = await fetch(address)
        if (response.status !== 200) throw new Error(response.status + ' ' + address)
        shown = new DOMParser().parseFromString(await response.text(), 'text/html')
      }
      return [...shown.querySelectorAll('.prose .api-card')].flatMap((card) => {
        const method = card.querySelector('.api-method')?.textContent ?? ''
        const path = card.querySelector('.api-path')
        if (!path) return []
        const next = card.nextElementSibling
        return [{ name: method + ' ' + path.textContent, described: next !== null && !next.matches('.api-card, h2') }]
      })
    })()`)
  }
})
