/** One odd page does not refuse the others: it is imported as far as it can be read, and listed. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeAnyText } from '../../src/core/repository/decode-any-text.ts'
import { assertLinear, familiesOf, repeated } from '../core/cost/growth.ts'
import { archiveOf, importArchive, spaceWith, upload } from '../importing.ts'
import { createWorld } from '../world.ts'
import { contentAt, synced } from './syncing.ts'

const world = await createWorld()
const latin = (text: string) => Buffer.from(text, 'latin1')

/** Odd pages: the bytes, the title, and the message of the problem. */
const ODD: Record<string, [bytes: string | Uint8Array, title: string, message: RegExp]> = {
  'an explicit key in front matter': [
    '---\ntitle: Filter\naliases:\n  - ?\n  - where\n---\n\n# Odd page\n\nText.\n',
    'Odd page',
    /has front matter that .*explicit key.*; it is kept, but not used/,
  ],
  'front matter nested too deeply': ['---\na: [[[[[[b]]]]]]\n---\n\n# Odd page\n', 'Odd page', /it is kept/],
  'front matter without a title after it': ['---\na: ? b\n---\n\nText\n', 'Odd', /it is kept/],
  'Windows-1252': [latin('# Café Zürich\n'), 'Café Zürich', /is not UTF-8; it is read as Windows-1252/],
  'UTF-16 without its mark': [Buffer.from('# Café\n\nText\n', 'utf16le'), 'Café', /read as UTF-16/],
  'a damaged character': [
    Buffer.concat([Buffer.from('# Café Zürich '), latin('é\n')]),
    'Café Zürich \ufffd',
    /not UTF-8 or are NUL/,
  ],
  NUL: ['# Odd\0page\n', 'Odd\ufffdpage', /not UTF-8 or are NUL/],
}

for (const [name, [bytes, title, message]] of Object.entries(ODD))
  test(`a page with ${name} is imported beside the others, and listed`, async () => {
    const { spaceId, result } = await spaceWith(
      world,
      archiveOf({ 'README.md': '# Good\n', 'odd.md': bytes }),
    )
    const problems = result.body.problems as { path: string; message: string }[]
    assert.deepEqual(
      problems.map(({ path }) => path),
      ['odd.md'],
    )
    assert.match(problems[0]!.message, message)
    const { body } = await world.ada(`GET /v1/spaces/${spaceId}/content/pages`)
    assert.deepEqual(
      (body.pages as { title: string }[]).map((page) => page.title),
      ['Good', title],
    )
    if (typeof bytes !== 'string' || bytes.includes('\0')) return
    const kept = await world.ada(`GET /v1/spaces/${spaceId}/content/path/odd?format=markdown`)
    assert.equal(kept.body.markdown, bytes)
  })

describe('an odd page of a source that is converted', () => {
  for (const [name, [bytes, title]] of Object.entries(ODD))
    test(name, async () => {
      const { ada, organizationId } = world
      const { body: space } = await ada(`POST /v1/orgs/${organizationId}/spaces`)
      const files = { 'mkdocs.yml': 'nav: [good.md, odd.md]', 'docs/good.md': '# Good', 'docs/odd.md': bytes }
      const url = await upload(ada, organizationId, archiveOf(files))
      const imported = await ada(`POST /v1/spaces/${space.id}/content/import`, { url, source: 'mkdocs' })
      assert.equal(imported.status, 201, imported.text)
      const { body } = await ada(`GET /v1/spaces/${space.id}/content/pages`)
      assert.deepEqual(
        (body.pages as { title: string }[]).map((page) => page.title),
        ['Good', title],
      )
    })
})

/** Pages that exceed a limit: the source, and the message of the problem. */
const EXCESSIVE: Record<string, [source: string, kind: string, message: RegExp]> = {
  'many blocks': [`# Odd\n\n${'a\n\n'.repeat(20_001)}`, 'unreadable', /shown as its source: .*20001 blocks/],
  'a long title': [`# ${'odd '.repeat(300)}\n\nText\n`, 'setting', /has a title of 1199 characters/],
}

for (const [name, [source, kind, message]] of Object.entries(EXCESSIVE))
  test(`a page with ${name} is kept as it is, listed, and harms no other`, async () => {
    const files = { 'README.md': '# Good\n', 'odd.md': source }
    const { spaceId, result } = await spaceWith(world, archiveOf(files))
    const problems = result.body.problems as { kind: string; path: string; message: string }[]
    assert.deepEqual(
      problems.map((one) => [one.path, one.kind]),
      [['odd.md', kind]],
    )
    assert.match(problems[0]?.message ?? '', message)
    const kept = await world.ada(`GET /v1/spaces/${spaceId}/content/path/odd?format=markdown`)
    assert.equal(kept.body.markdown, source)

    await world.ada(`PATCH /v1/spaces/${spaceId}`, { editMode: 'live' })
    const again = await importArchive(world, spaceId, archiveOf({ ...files, 'README.md': '# Better\n' }))
    assert.equal(again.status, 201, again.text)
  })

test('a page over 1 MB is divided, and a sync updates its parts', async () => {
  const { body: space } = await world.ada(`POST /v1/orgs/${world.organizationId}/spaces`, {
    editMode: 'live',
  })
  const files = (text: string) => ({
    'good.md': '# Good\n',
    'odd.md': `# Odd\n\n${`${'word '.repeat(50)}\n\n`.repeat(6000)}${text}\n`,
  })
  for (const text of ['One', 'Two']) {
    const { result } = await synced(world, space.id, files(text))
    assert.equal(result, 'updated')
    const { pages, texts } = await contentAt(world, `/v1/spaces/${space.id}`)
    assert.deepEqual(
      pages.map(({ title }) => title),
      ['Good', 'Odd', 'Odd (2)'],
    )
    assert.equal(`${texts['odd.md']}${texts['odd-2.md']}`, files(text)['odd.md'])
  }
})

test('a page whose front matter is kept can be imported again and corrected', async () => {
  const odd = (text: string) =>
    archiveOf({ 'README.md': '# Good\n', 'odd.md': `---\na: ? b\n---\n\n# Odd\n\n${text}\n` })
  const { spaceId } = await spaceWith(world, odd('One'))
  await world.ada(`PATCH /v1/spaces/${spaceId}`, { editMode: 'live' })
  assert.equal((await importArchive(world, spaceId, odd('Two'))).status, 201)
  const { body } = await world.ada(`GET /v1/spaces/${spaceId}/content/path/odd`)
  const document = { markdown: '---\na: b\n---\n\n# Odd\n' }
  const changes = [{ operation: 'update_page', page: body.id, document }]
  const written = await world.ada(`POST /v1/spaces/${spaceId}/content`, { changes })
  assert.equal(written.status, 200, written.text)
})

test('a sync updates an odd page, and keeps edits of the others', async () => {
  const { body: space } = await world.ada(`POST /v1/orgs/${world.organizationId}/spaces`, {
    editMode: 'live',
  })
  const odd = (text: string) => `---\na: ? b\n---\n\n# Odd\n\nFirst\n\n${text}\n\n[Good](good.md)\n`
  const files = {
    'SUMMARY.md': '* [Good](good.md)\n* [Odd](odd.md)\n',
    'good.md': '# Good\n',
    'odd.md': odd('One'),
  }
  await synced(world, space.id, files)
  const { pages } = await contentAt(world, `/v1/spaces/${space.id}`)
  const good = pages.find(({ title }) => title === 'Good')!.id
  const changes = [{ operation: 'update_page', page: good, document: { markdown: '# Good\n\nMore\n' } }]
  assert.equal((await world.ada(`POST /v1/spaces/${space.id}/content`, { changes })).status, 200)

  const next = { ...files, 'odd.md': odd('Two') }
  const { result } = await synced(world, space.id, next)
  assert.equal(result, 'updated')
  const { texts } = await contentAt(world, `/v1/spaces/${space.id}`)
  assert.equal(texts['odd.md'], next['odd.md'])
  assert.equal(texts['good.md'], '# Good\n\nMore\n')
})

for (const [name, make] of familiesOf(
  { nul: repeated('a\0'), latin: repeated('a\u00e9 '), pairs: repeated('\u00c3\u00a9\u00e9') },
  1,
))
  test(`decoding takes linear time: ${name}`, () =>
    assertLinear(make, (text) => decodeAnyText(Buffer.from(text, 'latin1'))))
