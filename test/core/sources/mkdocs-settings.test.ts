/** Settings of MkDocs that decide which files are pages, and at which addresses. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear, repeated } from '../cost/growth.ts'
import { convertedTree, redirectsIn } from './sources.ts'

const PAGES = {
  'docs/index.md': '# Home\n',
  'docs/a/README.md': '# A\n',
  'docs/a/b.md': '# B\n',
  'docs/drafts/next.md': '# Next\n',
  'docs/templates/x.md': '# X\n',
  'docs/a/.hidden.md': '# Hidden\n',
  'docs/a/old-1.md': '# Old\n',
  'docs/a/old-kept.md': '# Kept\n',
}

const pagesWith = async (settings: string) =>
  (await convertedTree('mkdocs', { 'mkdocs.yml': settings, ...PAGES })).pages

test('exclude_docs leaves pages out as .gitignore does, and draft_docs lists them', async () => {
  const all = [
    'docs/a/README.md',
    'docs/a/b.md',
    'docs/a/old-1.md',
    'docs/a/old-kept.md',
    'docs/drafts/next.md',
    'docs/index.md',
  ]
  assert.deepEqual(await pagesWith('site_name: A\n'), all)
  assert.deepEqual(
    await pagesWith('exclude_docs: |\n  # old pages\n  old-*.md\n  !old-kept.md\n  /drafts/\n  b.txt\n'),
    ['docs/a/README.md', 'docs/a/b.md', 'docs/a/old-kept.md', 'docs/index.md'],
  )
  assert.deepEqual(await pagesWith('exclude_docs: |\n  a/b.md\n  index.md\n  /a/old-1.md\n  drafts\n'), [
    'docs/a/README.md',
    'docs/a/old-kept.md',
  ])
  const { pages, problems } = await convertedTree('mkdocs', {
    'mkdocs.yml': 'draft_docs: drafts/\n',
    ...PAGES,
  })
  assert.equal(pages.includes('docs/drafts/next.md'), false)
  assert.deepEqual(
    problems.filter(({ reason }) => reason === 'page-is-draft').map(({ path }) => path),
    ['docs/drafts/next.md'],
  )
})

test('pages that nav does not list are hidden, and its URLs are links', async () => {
  const { entries, files } = await convertedTree('mkdocs', {
    'mkdocs.yml':
      'not_in_nav: drafts/\nnav:\n  - index.md\n  - Code: https://example.com/code\n  - A: a/README.md\nexclude_docs: old-*\n',
    ...PAGES,
  })
  assert.deepEqual(entries, [
    '* [Home](<index.md>)',
    '* [Code](<https://example.com/code>)',
    '* [A](<a/README.md>)',
    '* [B](<a/b.md>)',
    '* [Next](<drafts/next.md>)',
  ])
  assert.match(files['docs/drafts/next.md']!, /^---\nhidden: true\n/)
  assert.doesNotMatch(files['docs/index.md']!, /hidden/)
})

test('old addresses have the path of site_url, and end as use_directory_urls says', async () => {
  const settings =
    'site_url: https://x.example/manual/\nplugins:\n  - redirects:\n      redirect_maps:\n        gone.md: a/b.md\n        away.md: https://example.com/\n'
  const files = {
    ...PAGES,
    'docs/index.md': '# Home\n\n[B](/manual/a/b/) [A](a/README.md)\n',
    'mkdocs.yml': `${settings}nav:\n  - index.md\n  - Part:\n      - a/b.md\n      - a/README.md\n`,
  }
  const folders = await convertedTree('mkdocs', files)
  const redirects = await redirectsIn(folders.source)
  for (const line of [
    'a/b > docs/a/b.md',
    'manual/a/b > docs/a/b.md',
    'manual/a > docs/a/README.md',
    'manual/gone > docs/a/b.md',
    'gone > docs/a/b.md',
    'manual/away > https://example.com/',
  ])
    assert.ok(redirects.includes(line), `${line} in ${redirects.join('\n')}`)
  assert.match(folders.files['docs/index.md']!, /\[B\]\(a\/b\.md\) \[A\]\(a\/README\.md\)/)

  const plain = await convertedTree('mkdocs', {
    ...files,
    'mkdocs.yml': `use_directory_urls: false\n${files['mkdocs.yml']}`,
  })
  const pages = await redirectsIn(plain.source)
  for (const line of [
    'a/b.html > docs/a/b.md',
    'manual/a/index.html > docs/a/README.md',
    'manual/gone.html > docs/a/b.md',
  ])
    assert.ok(pages.includes(line), `${line} in ${pages.join('\n')}`)
})

test('patterns are compared in linear time', () => {
  assertLinear(repeated('a/', ''), (text) =>
    convertedTree('mkdocs', { 'mkdocs.yml': 'exclude_docs: "**/a/**/b*c"\n', [`docs/${text}x.md`]: '' }),
  )
})
