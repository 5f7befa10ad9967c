/** The titles and languages of spaces that `lectern import` makes. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openOrigin } from '../src/commands/git/origin.ts'
import { archiveOf } from './importing.ts'
import { runHere, temporaryFolder } from './process.ts'
import { createWorld } from './world.ts'

const folder = temporaryFolder()
after(() => folder.remove())
const world = await createWorld()
const { ada, organizationId } = world

async function importing(name: string, files: Record<string, string>, ...args: string[]) {
  const file = join(folder.path, name)
  writeFileSync(file, archiveOf(files))
  const { code, out, err } = await runHere(
    ['import', file, '--url', world.url, '--token', ada.token, ...args],
    { LECTERN_DATA: folder.path },
  )
  assert.equal(code, 0, err)
  const { body: space } = await ada(`GET /v1/spaces/${/spaces\/(\w+)/.exec(out)?.[1]}`)
  const { body: sites } = await ada(`GET /v1/orgs/${organizationId}/sites?space=${space.id}`)
  const titles = (sites.items as { title: string }[]).map(({ title }) => title)
  return { id: space.id as string, title: space.title as string, language: space.language as string, titles }
}

const german = 'Dieser Text beschreibt ausführlich, wie man das Programm einrichtet. '.repeat(5)

test('a space and its site take the title of the front page, and the space the language of its pages', async () => {
  const made = await importing('export-2024.zip', { 'README.md': `# Acme Cloud\n\n${german}\n` })
  assert.deepEqual([made.title, made.titles, made.language], ['Acme Cloud', ['Acme Cloud'], 'de'])
})

test('without a title, they have the name of the file', async () => {
  const made = await importing('elsa-docs.zip', { 'README.md': '# Introduction\n' })
  assert.deepEqual([made.title, made.titles], ['Elsa docs', ['Elsa docs']])
})

test('a folder "docs" is named after the README beside it, or after the folder above it', async () => {
  const made = await importing('docs.zip', {
    'README.md': '# Acme Cloud\n',
    'docs/SUMMARY.md': '* [A](a.md)',
    'docs/a.md': '# Intro\n',
  })
  assert.deepEqual([made.title, made.titles], ['Acme Cloud', ['Acme Cloud']])
  const branch = await importing('acme-cloud-main.zip', { 'a.md': '# Intro\n', 'b.md': '# B\n' })
  assert.deepEqual(branch.titles, ['Acme cloud'])

  const docs = join(folder.path, 'elsa', 'docs')
  mkdirSync(docs, { recursive: true })
  writeFileSync(join(docs, 'README.md'), '# Introduction\n')
  await using origin = await openOrigin(docs, {})
  assert.equal(origin.title, 'Elsa')
})

test('a long title is cut for the space, and not for the site', async () => {
  const long = 'A title that is longer than the titles of spaces may be'
  const made = await importing('long.zip', { 'README.md': `# ${long}\n` })
  assert.deepEqual([made.title, made.titles], [long.slice(0, 50), [long]])
})

test('--title and --language come first, also for a space that was imported before', async () => {
  const files = { 'README.md': `# Acme Cloud\n\n${german}\n` }
  const made = await importing('chosen.zip', files, '--title', 'Chosen', '--language', 'fr')
  assert.deepEqual([made.title, made.titles, made.language], ['Chosen', ['Chosen'], 'fr'])

  await ada(`PATCH /v1/spaces/${made.id}`, { title: 'Renamed' })
  const again = await importing('chosen.zip', files)
  assert.deepEqual([again.id, again.title, again.language], [made.id, 'Renamed', 'fr'])
  const third = await importing('chosen.zip', files, '--title', 'Third', '--language', 'de')
  assert.deepEqual([third.id, third.title, third.language], [made.id, 'Third', 'de'])
})

test('an unknown language is refused', async () => {
  const file = join(folder.path, 'chosen.zip')
  const { code, err } = await runHere(['import', file, '--language', 'xx'], { LECTERN_DATA: folder.path })
  assert.equal(code, 1)
  assert.match(err, /--language must be a language tag .*, such as de, pt-br or fa, but was "xx"/)
})
