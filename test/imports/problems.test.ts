/** The problems that an import returns: their kinds, places and addresses. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()

interface Listed {
  kind: string
  path: string
  line?: number
  address?: string
  message: string
}

async function problemsOf(files: Record<string, string>): Promise<Listed[]> {
  const { result } = await spaceWith(world, archiveOf(files))
  return result.body.problems as Listed[]
}

const place = ({ kind, path, line, address }: Listed) => [kind, path, line, address]

test('an import lists problems by kind, each with its file, line and address', async () => {
  const problems = await problemsOf({
    '.gitbook.yaml': 'redirects:\n  old: nowhere.md\n  worse: ftp://example.com\n',
    '.gitbook/vars.yaml': 'bad name: 1\n',
    'SUMMARY.md': '* [One](one.md)\n* [Gone](gone.md)\n* [Again](one.md)\n',
    'one.md': '# One\n\nText ![a](a.png)\n\n![a](a.png) <Card>b</Card>\n\n{% IF a %} b {% endif %}\n',
    'draft/other.md': '# Other\n',
    'draft/page.mdx': '# Page\n',
    '.github/ISSUE.md': '# Issue\n',
    'node_modules/x/README.md': '# X\n',
    'node_modules/x/page.mdx': '# X\n',
  })
  assert.deepEqual(
    problems.map(place).toSorted((a, b) => (String(a) < String(b) ? -1 : 1)),
    [
      ['block', 'one.md', 5, undefined],
      ['condition', 'one.md', 7, undefined],
      ['mdx', 'draft/page.mdx', undefined, undefined],
      ['missing-file', 'one.md', 3, 'a.png'],
      ['missing-page', 'SUMMARY.md', 2, 'gone.md'],
      ['redirect', '.gitbook.yaml', undefined, 'ftp://example.com'],
      ['redirect', '.gitbook.yaml', undefined, 'nowhere.md'],
      ['repeated-page', 'SUMMARY.md', 3, 'one.md'],
      ['setting', '.gitbook/vars.yaml', undefined, undefined],
      ['unlisted-page', 'draft/other.md', undefined, undefined],
    ],
  )
})

test('problems of one tree of several name the files of this tree', async () => {
  const problems = await problemsOf({
    LICENSE: 'x',
    'docs/.gitbook.yaml': 'root: text\nredirects:\n  old: gone.md\n',
    'docs/text/SUMMARY.md': '* [One](one.md)\n* [Two](two.md)\n',
    'docs/text/one.md': '# One\n',
    'docs/text/three.md': '# Three\n',
    'docs/four.md': '# Not in the folder of the pages\n',
  })
  assert.deepEqual(problems.map(place), [
    ['missing-page', 'docs/text/SUMMARY.md', 2, 'two.md'],
    ['redirect', 'docs/.gitbook.yaml', undefined, 'docs/text/gone.md'],
    ['unlisted-page', 'docs/text/three.md', undefined, undefined],
  ])
})

test('a page tree of folders leaves no page out', async () => {
  assert.deepEqual(await problemsOf({ 'README.md': '# One\n', 'sub/two.md': '# Two\n' }), [])
})
