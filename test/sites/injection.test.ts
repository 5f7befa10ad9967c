/**
 * A thousand payloads of script injection on a published site, in a browser: none runs, none leaves markup that could run,
 * and nothing has to be stopped by the policy of the page.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { firstOf, isLongRun, shareOf } from '../effort.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { openBrowser, WITHOUT_BROWSER } from './browser.ts'
import { DANGERS, isTrace, POINT, tracedPage } from './tracing.ts'
import { HOSTILE_URLS } from '../core/document/hostile.ts'
import { BODY_PAYLOADS, HOSTILE_SVG, HOSTILE_TEXTS, pageWithFields, payloadPages } from './payloads.ts'

const NTH = isLongRun() ? 1 : 47
/** Every 47th payload by default: each place, with other markup in each. */
const TRIED = BODY_PAYLOADS.filter((_, index) => index % NTH === 0)

const DRAWING_MS = 1500
const PAUSE_MS = 100
/** The longest title of a site, in characters. */
const TITLE = 50

const world = await createWorld({}, { inspect: undefined })
const { ada, organizationId } = world

const pages = payloadPages(TRIED)
const fields = HOSTILE_TEXTS.filter((_, index) => index % Math.ceil(NTH / 6) === 0)
const conditionOf = (text: string) => `visitor.claims.plan != ${JSON.stringify(text)}`

function repository(): Uint8Array {
  const files: Record<string, string> = { 'README.md': '# Home\n\nWelcome.\n' }
  for (const [index, { markdown }] of pages.entries()) files[`payloads-${index}.md`] = markdown
  const links: string[] = []
  for (const [index, text] of fields.entries()) {
    files[`fields-${index}.md`] = pageWithFields(text, conditionOf(text))
    // A path of an archive cannot have these characters.
    const name = text.replaceAll(/[/\\:*?|\0]/g, '_')
    files[`.gitbook/assets/${name}.svg`] = HOSTILE_SVG
    files[`.gitbook/assets/${name}.txt`] = text
    links.push(
      `![${text}](<.gitbook/assets/${name}.svg>)\n\n{% file src=".gitbook/assets/${name}.txt" %}\n${text}\n{% endfile %}`,
    )
  }
  files['files.md'] = `# Files\n\n${links.join('\n\n')}\n`
  return archiveOf(files)
}

const { spaceId, result } = await spaceWith(world, repository(), HOSTILE_TEXTS[1])
// What a site does not show and the pictures of other servers are reported, and nothing else.
const REPORTED = new Set(['block', 'outside-picture'])
assert.deepEqual(
  result.body.problems.filter(
    ({ path, kind }: { path: string; kind: string }) => path.startsWith('payloads') && !REPORTED.has(kind),
  ),
  [],
)
const { siteId, address } = await publish(world, spaceId, 'Hostile')
/** The site on its own host, and below the host of the API, where it runs in a sandbox. */
const FORMS = {
  'its own host': address,
  'the host of the API': `${world.url}/sites/docs${new URL(address).pathname}`,
}

/** Opens a page and points at everything in it. @returns what ran or could run */
async function noticed(page: Page, logged: string[], url: string): Promise<string[]> {
  logged.length = 0
  const answer = await page.goto(url, { waitUntil: 'load' })
  assert.equal(answer?.status(), 200, url)
  await page.evaluate(POINT)
  if (await page.evaluate(`document.querySelector('.diagram') !== null`))
    await page.waitForTimeout(DRAWING_MS)
  const dangers = await page.evaluate<string[]>(DANGERS)
  return [...dangers, ...logged.filter(isTrace)].map((one) => `${url}: ${one}`)
}

describe(`${TRIED.length} payloads of script injection`, { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  for (const [place, [form, base]] of Object.entries(FORMS).entries()) {
    test(`run nowhere on a site on ${form}`, { timeout: 600_000 }, async () => {
      const { page, logged } = await tracedPage(browser)
      const found: string[] = []
      const see = async (path: string) => found.push(...(await noticed(page, logged, base + path)))

      await see('')
      assert.deepEqual(logged, [], 'a clean page causes no report')
      for (const [index, { marks }] of shareOf([...pages.entries()], place, 2)) {
        await see(`payloads-${index}`)
        const text = await page.evaluate<string>(`document.querySelector('main').textContent`)
        assert.deepEqual(
          marks.filter((mark) => !text.includes(mark)),
          [],
          'every payload is on its page',
        )
      }
      for (const index of shareOf([...fields.keys()], place, 2)) await see(`fields-${index}`)
      await see('files')
      assert.deepEqual(found, [])
      await page.context().close()
    })
  }

  test('would be noticed if they ran, or if only the policy stopped them', async () => {
    const { page, logged } = await tracedPage(browser)
    await noticed(page, logged, address)
    await page.evaluate(
      `document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=alert(1)><a href="java\tscript:alert(1)">x</a>')`,
    )
    await page.evaluate('alert(2)')
    await page.waitForTimeout(PAUSE_MS)
    assert.deepEqual(await page.evaluate(DANGERS), ['img onerror=alert(1)', 'a href=java\tscript:alert(1)'])
    const faults = logged.filter(isTrace).map((line) => line.split(' ', 2).join(' '))
    assert.deepEqual(faults, ['STOPPED script-src-attr', 'RAN alert'])
    await page.context().close()
  })

  test('run nowhere on a site whose settings have them', { timeout: 600_000 }, async () => {
    const { page, logged } = await tracedPage(browser)
    const at = `/v1/orgs/${organizationId}/sites/${siteId}`
    const found: string[] = []
    for (const [index, text] of firstOf(fields, 1).entries()) {
      const site = await ada(`PATCH ${at}`, { title: text.slice(0, TITLE) })
      assert.equal(site.status, 200, site.text)
      const space = await ada(`PATCH /v1/spaces/${spaceId}`, { title: text.slice(0, TITLE) })
      assert.equal(space.status, 200, space.text)
      const settings = await ada(`PUT ${at}/customization`, settingsWith(text))
      assert.equal(settings.status, 200, settings.text)
      for (const styling of stylingsWith(text))
        assert.equal((await ada(`PUT ${at}/customization`, { styling })).status, 400)
      const now = (await ada(`GET ${at}`)).body.urls.published as string
      const forms = [now, `${world.url}/sites/docs${new URL(now).pathname}`]
      for (const base of shareOf(forms, index, 2)) {
        for (const path of [
          '',
          'fields-0',
          `?q=${encodeURIComponent(text)}&visitor.plan=${encodeURIComponent(text)}`,
        ])
          found.push(...(await noticed(page, logged, base + path)))
      }
    }
    assert.deepEqual(found, [])
    await page.context().close()
  })
})

const link = (title: string) => ({ title, to: { kind: 'url', url: 'https://a.example/' } })

/** Settings that name what the server has, so that a text of another kind is refused. */
function stylingsWith(text: string) {
  const face = { weight: 400, sources: [{ url: `https://a.example/${text}` }] }
  return [
    { codeTheme: { default: { light: text, dark: text } } },
    { font: { id: 'own', custom: true, fontFamily: text.slice(0, TITLE), fontFaces: [face] } },
    { corners: text },
  ]
}

/** Settings with a text wherever a site shows one. */
function settingsWith(text: string) {
  const broken = `https://a.example/${text}`
  return {
    title: text.slice(0, TITLE),
    header: {
      preset: 'default',
      links: [
        { ...link(text), links: [link(text)], condition: conditionOf(text) },
        { title: text, to: { kind: 'url', url: broken }, links: [] },
        { title: text, to: { kind: 'anchor', anchor: text }, links: [] },
        { title: text, to: null, style: 'button-primary', links: [link(text)] },
      ],
    },
    footer: { groups: [{ title: text, links: [link(text)] }], copyright: text },
    announcement: { enabled: true, message: text, style: 'info', link: link(text) },
  }
}

const URL_FIELDS: Record<string, (url: string) => object> = {
  logo: (url) => ({ header: { logo: { light: url, dark: url } } }),
  'logo of the footer': (url) => ({ footer: { logo: { light: url, dark: url } } }),
  favicon: (url) => ({ favicon: { icon: { light: url, dark: url } } }),
  privacy: (url) => ({ privacyPolicy: { url } }),
  preview: (url) => ({ socialPreview: { url } }),
  link: (url) => ({ header: { links: [{ title: 'Link', to: { kind: 'url', url }, links: [] }] } }),
  colour: (url) => ({ styling: { primaryColor: { light: url, dark: url } } }),
  emoji: (url) => ({ favicon: { emoji: url } }),
  locale: (url) => ({ internationalization: { locale: url } }),
}

for (const [field, settings] of Object.entries(URL_FIELDS))
  test(`a hostile address is refused as a setting: ${field}`, async () => {
    for (const url of HOSTILE_URLS) {
      const { status, text } = await ada(
        `PUT /v1/orgs/${organizationId}/sites/${siteId}/customization`,
        settings(url),
      )
      assert.equal(status, 400, `${url}: ${text}`)
    }
  })

test('a condition calls nothing of the server', async () => {
  const mark = globalThis as { injected?: true }
  for (const text of [
    'constructor.constructor("globalThis.injected = true")()',
    'visitor.constructor.constructor("globalThis.injected = true")()',
    '"".constructor.constructor("globalThis.injected = true")()',
    '[].map.constructor("globalThis.injected = true")()',
    'visitor["constructor"]["constructor"]("globalThis.injected = true")()',
    'globalThis.injected = true',
    '(() => { globalThis.injected = true })()',
    '`${globalThis.injected = true}`',
    'import("node:process")',
    'process.exit(1)',
  ]) {
    const header = { links: [{ ...link('Secret link'), links: [], condition: text }] }
    const { status } = await ada(`PUT /v1/orgs/${organizationId}/sites/${siteId}/customization`, { header })
    assert(status === 200 || status === 400, text)
    const { urls } = (await ada(`GET /v1/orgs/${organizationId}/sites/${siteId}`)).body
    const html = await (await fetch(`${world.url}/sites/docs${new URL(urls.published).pathname}`)).text()
    assert(html.includes('Welcome') && !html.includes('Secret link'), text)
    assert.equal(mark.injected, undefined, text)
  }
})
