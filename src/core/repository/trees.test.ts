import assert from 'node:assert/strict'
import { test } from 'node:test'
import { translationOf, treesOf } from './trees.ts'

const foldersIn = (...paths: (string | [path: string, text: string])[]) =>
  treesOf(
    new Map(
      paths.map((one) =>
        typeof one === 'string' ? [one, Buffer.from('# X')] : [one[0], Buffer.from(one[1])],
      ),
    ),
  ).map(({ folder }) => folder)

test('a table of contents or settings at the top make one tree of a repository', () => {
  assert.deepEqual(foldersIn('SUMMARY.md', 'README.md', 'examples/SUMMARY.md', 'examples/a.md'), [''])
  assert.deepEqual(foldersIn('.gitbook.yaml', 'docs/README.md', 'other/SUMMARY.md'), [''])
  assert.deepEqual(foldersIn('README.md', 'guides/a.md', 'guides/b/c.md'), [''])
})

test('each folder with a table of contents or settings is a tree, but not those within it', () => {
  const found = treesOf(
    new Map(
      [
        'README.md',
        'AGENTS.md',
        'api/SUMMARY.md',
        'api/a.md',
        'api/examples/SUMMARY.md',
        'cloud/.gitbook.yaml',
        'cloud/docs/SUMMARY.md',
        'cloud/docs/b.md',
      ].map((path) => [path, Buffer.from('')]),
    ),
  )
  assert.deepEqual(found, [
    { folder: 'api', pages: 3 },
    { folder: 'cloud', pages: 2 },
  ])
  assert.deepEqual(foldersIn('README.md', 'docs/SUMMARY.md', 'docs/a.md'), ['docs'])
})

test('folders beside each other that are named after languages are trees', () => {
  const found = treesOf(
    new Map(
      ['README.md', 'docs/en/a.md', 'docs/en/b.md', 'docs/zh-CN/a.md', 'docs/pt-br/a.md'].map((path) => [
        path,
        Buffer.from(''),
      ]),
    ),
  )
  assert.deepEqual(found, [
    { folder: 'docs/en', pages: 2, language: 'en' },
    { folder: 'docs/pt-br', pages: 1, language: 'pt-br' },
    { folder: 'docs/zh-CN', pages: 1, language: 'zh' },
  ])
  assert.deepEqual(
    foldersIn('a.md', 'b.md', 'c.md', 'en/a.md', 'fr/a.md'),
    [''],
    'they have few of the pages',
  )
  assert.deepEqual(foldersIn('README.md', 'en/a.md', 'guides/a.md'), [''], 'there is only one')
})

test('a docs.yaml names trees, anywhere in it', () => {
  const settings = 'sites:\n  - path: ./api\n    title: API\n  - path: cloud/docs\nimage: logo.png\n'
  assert.deepEqual(foldersIn(['docs.yaml', settings], 'api/a.md', 'cloud/docs/b.md', 'other/c.md'), [
    'api',
    'cloud/docs',
  ])
})

test('paths of any depth cost little', () => {
  const path = (number: number) => `${'x/'.repeat(30_000)}${number}.md`
  assert.deepEqual(
    foldersIn('a/SUMMARY.md', 'b/SUMMARY.md', ...Array.from({ length: 300 }, (_, i) => path(i))),
    ['a', 'b'],
  )
})

test('hidden and deep folders, and folders without pages, are no trees', () => {
  const deep = `${'x/'.repeat(8)}SUMMARY.md`
  assert.deepEqual(foldersIn('README.md', '.github/SUMMARY.md', deep, 'a/.gitbook.yaml'), [])
})

test('translations differ only in the innermost part that is a language', () => {
  const of = (folder: string) => Object.values(translationOf(folder))
  assert.deepEqual(of('docs/en'), ['docs', 'en'])
  assert.deepEqual(of('api/zh_CN/guide'), ['api/guide', 'zh-cn'])
  assert.deepEqual(of('de/it'), ['de', 'it'])
  assert.deepEqual(of('en'), ['', 'en'])
  assert.deepEqual(of('docs/api'), ['docs/api'])
  assert.deepEqual(of(''), [''])
})
