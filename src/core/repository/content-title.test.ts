import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plan } from '../../../test/core/repository/plan-fixture.ts'
import { titleInSettings, titleOfContent, titleOfReadme } from './content-title.ts'

async function titleOf(files: Record<string, string>) {
  const bytes = new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))
  return titleOfContent(bytes, await plan(files), '')
}

test('the title is that of the settings, or else of the front page', async () => {
  const pages = { 'README.md': '# Acme Cloud\n', 'a.md': '# A\n' }
  assert.equal(await titleOf(pages), 'Acme Cloud')
  assert.equal(await titleOf({ ...pages, 'book.json': '{"title": "The  Book"}' }), 'The Book')
  assert.equal(
    await titleOf({ ...pages, 'mkdocs.yml': 'site_name: "Site" # here\nx: !!python/name:a.b\n' }),
    'Site',
  )
  assert.equal(await titleOf({ ...pages, 'book.toml': '[book]\ntitle = "Gardening"\n' }), 'Gardening')
  assert.equal(await titleOf({ ...pages, 'hugo.toml': "title = 'Boats'\n[book]\ntitle = 'x'\n" }), 'Boats')
  assert.equal(await titleOf({ ...pages, 'SUMMARY.md': '* [A](a.md)\n* [Home](README.md)\n' }), 'A')
})

test('without a front page, the title is that of the README at the top of the archive', () => {
  const titleOfArchive = (files: Record<string, string>) =>
    titleOfReadme(new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])))
  assert.equal(titleOfArchive({ 'docs/a.md': '', 'README.md': '# Acme' }), 'Acme')
  assert.equal(
    titleOfArchive({ 'acme-main/docs/a.md': '', 'acme-main/readme.md': '# Welcome to Acme' }),
    'Acme',
  )
  assert.equal(titleOfArchive({ 'docs/a.md': '', 'README.md': '# Docs' }), undefined)
  assert.equal(titleOfArchive({ 'docs/README.md': '# Docs of Acme', 'a.md': '' }), undefined)
})

test('settings that cannot be read have no title', async () => {
  for (const [file, text] of [
    ['book.json', '{'],
    ['book.json', '["title"]'],
    ['book.json', '{"title": {"en": "x"}}'],
    ['mkdocs.yml', 'site_name: !ENV [A, "b"]\n'],
    ['mkdocs.yml', 'site_name: >-\n  folded\n'],
    ['mkdocs.yml', 'site_name:\n'],
    ['book.toml', 'title = "x"\n'],
    ['book.toml', '[book]\ntitle = 5\n'],
    ['hugo.toml', 'title = "x'],
    ['mkdocs.yml', 'theme:\n  site_name: nested\n'],
    ['mkdocs.yml', `site_name: x\n#${' '.repeat(200_000)}`],
  ] as const)
    assert.equal(titleInSettings(new Map([[file, Buffer.from(text)]]), ''), undefined, text.slice(0, 40))
})

test('a front page that says nothing about the content has no title', async () => {
  for (const title of [
    'Introduction',
    'Welcome!',
    'README',
    '👋 Getting Started',
    'Einführung',
    '概要',
    '***',
  ])
    assert.equal(await titleOf({ 'README.md': `# ${title}\n` }), undefined, title)
  assert.equal(await titleOf({ 'README.md': 'No heading\n' }), undefined)
  assert.equal(await titleOf({ 'README.md': '# Welcome to the Acme docs\n' }), 'Acme docs')
  assert.equal(await titleOf({ 'README.md': '# Introduction to Acme\n' }), 'Introduction to Acme')
})

test('folders without a front page have no title, unless they have only one page', async () => {
  assert.equal(await titleOf({ 'a.md': '# A\n', 'b.md': '# B\n' }), undefined)
  assert.equal(await titleOf({ 'sub/README.md': '# Sub\n', 'sub/b.md': '# B\n', 'c.md': '# C\n' }), undefined)
  assert.equal(await titleOf({ 'a.md': '# A\n' }), 'A')
})

test('a title is cut to 200 characters', async () => {
  assert.equal((await titleOf({ 'README.md': `# ${'ab '.repeat(500)}\n` }))?.length, 200)
})
