/** The documents agree with the program. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { brokenLinksOf } from '../src/commands/broken-links.ts'
import type { Call } from '../src/commands/client.ts'
import { parsePage } from '../src/core/document/parse.ts'
import { printDocument } from '../src/core/document/print.ts'
import { blockShapes, inlineShapes, markData } from '../src/core/document/shape/shapes.ts'
import { normal } from '../src/core/document/normal-form.ts'
import { processOpenApi } from '../src/jobs/process-openapi.ts'
import { type ApiDocument, printApiTypes } from '../tools/api-types/print.ts'
import { CONFIG_VARIABLES, configVariablesIn } from './config-variables.ts'
import { every } from './effort.ts'
import { archiveOf, publish, spaceWith } from './importing.ts'
import { createWorld } from './world.ts'

const ROOT = resolve(import.meta.dirname, '..')
const world = await createWorld()
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

test('the manual is complete: every page is in its table of contents, and every link has a target', async () => {
  const files = readdirSync(join(ROOT, 'docs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const contents = Object.fromEntries(
    // To pack the pictures would take seconds, and what is in them does not matter here.
    files.map((file) => [
      file.slice(ROOT.length + 6),
      file.endsWith('.md') ? readFileSync(file, 'utf8') : '',
    ]),
  )
  const { spaceId, result } = await spaceWith(world, archiveOf(contents), 'Manual')
  // Pages for developers are in the folder but not in the manual.
  const isManual = (path: string) => !path.startsWith('contributing/') && path !== 'SUMMARY.md'
  const problems = result.body.problems as { kind: string; path: string }[]
  assert.deepEqual(
    problems.filter(({ kind, path }) => kind !== 'unlisted-page' || isManual(path)),
    [],
  )

  const call = async (method: string, path: string) => (await world.ada(`${method} /v1${path}`)).body
  const { links } = await brokenLinksOf(call as Call, `/spaces/${spaceId}`)
  assert.deepEqual(
    // An address of an example can be one of this installation that nobody may know.
    links.flatMap(({ path, address }) => (path !== '' && isManual(path) ? `${path}: ${address}` : [])),
    [],
  )

  const { pages } = (await world.ada(`GET /v1/spaces/${spaceId}/content/pages`)).body
  type Page = { id: string; type: string; git?: { path: string }; pages?: Page[] }
  const all = (list: Page[]): Page[] => list.flatMap((page) => [page, ...all(page.pages ?? [])])
  const found = all(pages).filter(({ type }) => type === 'document')
  const sources = Object.keys(contents).filter((path) => path.endsWith('.md') && isManual(path))
  assert.deepEqual(found.map(({ git }) => git?.path ?? '').toSorted(), sources.toSorted())
  for (const { id, git } of found) {
    const { text } = await world.ada(`GET /v1/spaces/${spaceId}/content/page/${id}/document`)
    assert.deepEqual(text.match(/"kind":"url","url":"(?!https?:)[^"]*"/g), null, git?.path ?? '')
  }
})

test('the manual has a reference of every operation of the API', async () => {
  const { ada, organizationId, nobody } = world
  const { text: document } = await nobody('GET /openapi.json')
  await ada(`PUT /v1/orgs/${organizationId}/openapi/lectern`, { source: { text: document } })
  await processOpenApi(world.app.services, 60_000)({ organizationId } as never, {} as never)
  const { body } = await ada(`GET /v1/orgs/${organizationId}/openapi/lectern`)
  assert.deepEqual([body.lastProcessErrorCode, body.lastProcessedErrors], [undefined, undefined])

  const summary = { 'SUMMARY.md': read('docs/SUMMARY.md'), 'README.md': read('docs/README.md') }
  const { spaceId } = await spaceWith(world, archiveOf(summary), 'Reference')
  const { hostname, pathname } = new URL((await publish(world, spaceId, 'Reference')).address)
  const site = `/sites/${hostname.split('.')[0]}${pathname}`
  const { text } = await nobody(`GET ${site}llms.txt`)
  const paths = [...text.matchAll(/\]\(https?:\/\/[^/]+\/[^/]+\/([^)]*)\)/g)].map(([, path = '']) => path)
  const shown = new Set<string>()
  const step = every(12)
  for (const path of paths.filter((_, i) => i % step === 1 % step)) {
    const page = await nobody(`GET ${site}${path}`)
    for (const [, at, method] of page.text.matchAll(
      /openapi-operation spec="lectern" path="([^"]+)" method="([a-z]+)"/g,
    ))
      shown.add(`${method} ${at}`)
  }
  const all = Object.entries(JSON.parse(document).paths as Record<string, object>)
  const wanted = all.flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`))
  assert.ok(wanted.length > 136)
  assert.ok(shown.size > 10)
  assert.deepEqual(
    [...shown].filter((one) => !wanted.includes(one)),
    [],
  )
  if (step === 1) assert.deepEqual([...shown].toSorted(), wanted.toSorted())
})

test('the console has the types of every operation of the API', async () => {
  const { text } = await world.nobody('GET /openapi.json')
  const files = Object.entries(printApiTypes(JSON.parse(text) as ApiDocument))
  assert.ok(files.length > 1)
  const isCurrent = files.every(([name, types]) => types === read(`src/console/app/api/operations/${name}`))
  assert(isCurrent, 'The routes have changed: run `npm run api-types`')
})

test('the chapter on Markdown has an example of every block, inline and mark, and each parses as such', () => {
  const found = new Set<string>()
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    if ('object' in value && 'type' in value) found.add(String(value.type))
    for (const inner of Object.values(value)) visit(inner)
  }
  const examples = [...read('docs/markdown.md').matchAll(/^(`{3,})markdown\n([\s\S]*?)\n\1$/gm)]
  for (const [, , example = ''] of examples) {
    const { document } = parsePage(example)
    visit(document)
    const again = parsePage(printDocument(document)).document
    assert.deepEqual(normal(again), normal(document), example)
  }
  const all = [blockShapes, inlineShapes, markData].flatMap((table) => Object.keys(table))
  assert.deepEqual(
    all.filter((type) => !found.has(type)),
    [],
  )
})

test('the README names every configuration variable and no other', () => {
  const table = read('README.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .join('\n')
  const named = new Set(configVariablesIn(table, '`'))
  assert.deepEqual([...named].toSorted(), [...CONFIG_VARIABLES].toSorted())
})

test('every path in the source tree of Architecture exists', () => {
  const text = read('docs/contributing/ARCHITECTURE.md')
  const [, tree = ''] = /^```\n([^]*?)^```$/m.exec(text) ?? []
  const missing: string[] = []
  const folders: string[] = []
  for (const line of tree.trim().split('\n')) {
    const [, indent = '', name = '', about = ''] = /^( *)(\S+)(?: +(.*))?$/.exec(line) ?? []
    folders.splice(indent.length / 2, Infinity, name)
    if (!existsSync(join(ROOT, ...folders))) missing.push(folders.join(''))
    // A description names paths relative to its folder, or to one that contains it.
    const places = folders.map((_, depth) => join(ROOT, ...folders.slice(0, depth + 1)))
    for (const [path] of about.matchAll(/(?<![^\s`(])[\w/-]+(?:\/|\.ts)(?![^\s,;:)`])/g))
      if (![ROOT, join(ROOT, 'src'), ...places].some((place) => existsSync(join(place, path))))
        missing.push(`${folders.join('')}: ${path}`)
  }
  assert(tree.split('\n').length > 100)
  assert.deepEqual(missing, [])
})
