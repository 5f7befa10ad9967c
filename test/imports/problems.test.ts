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

test('pictures of other servers are listed once for each page, and pointers of Git LFS as missing files', async () => {
  const pointer =
    'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n'
  const problems = await problemsOf({
    'README.md':
      '# Home\n\n![](b.png) [c](https://example.com/c.png)\n\n![a](https://example.com/a.png) ![b](//example.com/b.png)\n\n![a](https://example.com/a.png)\n',
    'b.png': pointer,
    'other.md': '# Other\n\n![](a.png)\n',
    'a.png': 'a',
  })
  assert.deepEqual(problems.map(place), [
    ['outside-picture', 'README.md', 5, 'https://example.com/a.png'],
    ['missing-file', 'b.png', undefined, undefined],
  ])
  assert.match(problems[0]?.message ?? '', /^shows 2 pictures/)
})

/** Archives with an unlisted page, and the file that the message names. */
const UNLISTED: [files: Record<string, string>, contents: string][] = [
  [{ 'SUMMARY.md': '* [One](one.md)\n', 'one.md': '# One\n', 'two.md': '# Two\n' }, 'SUMMARY.md'],
  [
    {
      'docs.json': '{"name": "A", "navigation": {"pages": ["one"]}}',
      'one.mdx': '# One\n',
      'two.mdx': '# Two\n',
    },
    'docs.json',
  ],
]

for (const [files, contents] of UNLISTED)
  test(`a page that is not listed names the table of contents: ${contents}`, async () => {
    const problems = await problemsOf(files)
    assert.deepEqual(
      problems.map(({ kind, message }) => [kind, message]),
      [['unlisted-page', `is not listed in the table of contents "${contents}"`]],
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

for (const first of ['README', 'start'])
  test(`an archive with one outer folder is read as this folder, if it begins with ${first}.md`, async () => {
    const { spaceId, result } = await spaceWith(
      world,
      archiveOf({
        [`docs-main/${first}.md`]: '# First\n',
        'docs-main/team/one.md': '# One\n',
        'docs-main/404.md': '# Not found\n',
      }),
    )
    assert.deepEqual(result.body.problems, [])
    const { body } = await world.ada(`GET /v1/spaces/${spaceId}/content/pages`)
    const titles = (body.pages as { title: string }[]).map(({ title }) => title)
    assert.deepEqual(titles.toSorted(), ['First', 'Team'])
  })

test('pages for unknown addresses, also those of languages, are not listed', async () => {
  const listed = await problemsOf({
    'SUMMARY.md': '* [One](one.md)\n',
    'one.md': '# One\n',
    '404.md': '# Not found\n',
    'de/404.md': '# Nicht gefunden\n',
    'http/404.md': '# The status 404\n',
  })
  assert.deepEqual(
    listed.map(({ path }) => path),
    ['http/404.md'],
  )
})

test('a page tree of folders leaves no page out', async () => {
  assert.deepEqual(await problemsOf({ 'README.md': '# One\n', 'sub/two.md': '# Two\n' }), [])
})
