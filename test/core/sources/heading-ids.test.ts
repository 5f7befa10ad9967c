/** Ids of headings, in every form that dialects have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitHeadingId, withHeadingId } from '../../../src/core/sources/markdown/heading-ids.ts'
import { convertDocusaurus } from '../../../src/core/sources/projects/docusaurus.ts'

const FORMS = [
  '{#an-id}',
  '{ #an-id }',
  '{: #an-id }',
  String.raw`\{#an-id\}`,
  '{/* #an-id */}',
  '[](#an-id)',
]

test('an id becomes an anchor at every level, and is never part of a title', () => {
  for (const form of FORMS) {
    for (const level of ['##', '###', '####', '#####', '######'])
      assert.equal(
        withHeadingId(`${level} Some \`{code}\` ${form} `),
        `${level} Some \`{code}\` <a href="#an-id" id="an-id"></a>`,
        form,
      )
    assert.equal(withHeadingId(`# Title ${form}`), '# Title', form)
    assert.deepEqual(splitHeadingId(`Title${form}`), { text: 'Title', id: 'an-id' }, form)
  }
})

test('other ends of headings stay', () => {
  for (const line of [
    '## A',
    '## A {b}',
    '## A {#}',
    '## A {#b} c',
    '## [a](#b)',
    'A {#b}',
    '####### A {#b}',
    '## {#a b}',
  ])
    assert.equal(withHeadingId(line), line)
})

test('a page of Docusaurus with escaped braces keeps its ids, and links lead to them', () => {
  const bytes = (text: string) => Buffer.from(text)
  const page = `# Codes \\{#codes\\}\n\n[it](#not-found)\n\n#### [<code>NOT_FOUND</code>](#not-found) \\{#not-found\\}\n\n## Newer {/* #newer-id */}\n`
  const { files } = convertDocusaurus(
    new Map([
      ['docusaurus.config.js', bytes('export default {}')],
      ['docs/codes.mdx', bytes(page)],
    ]),
  )
  const text = Buffer.from(files.get('docs/codes.md') ?? '').toString()
  assert.match(text, /^# Codes$/m)
  assert.match(text, /^#### \[.*\]\(#not-found\) <a href="#not-found" id="not-found"><\/a>$/m)
  assert.match(
    Buffer.from(files.get('SUMMARY.md') ?? files.get('docs/SUMMARY.md') ?? '').toString(),
    /\[Codes\]/,
  )
})
