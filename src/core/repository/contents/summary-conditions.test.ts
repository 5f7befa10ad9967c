/** Nothing evaluates a condition in a table of contents, so no entry is imported that one would hide. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plan, refusal } from '../../../../test/core/repository/plan-fixture.ts'
import type { Entry } from '../model.ts'
import { parseSummary } from './summary.ts'

const IF = '{% if visitor.claims.a %}'
const END = '{% endif %}'
const SECRET = '* [SECRET](secret.md)'

const textOf = (entries: readonly Entry[]): string => JSON.stringify(entries)

/** Sources with the lines of their problems. What has SECRET in its title is hidden; A and B are not. */
const HIDING: Record<string, [source: string, ...lines: number[]]> = {
  'an encoded condition in an address': [
    `* [A](a.md)\n* [x](https://example.com/${encodeURIComponent(`${IF}SECRET${END}`)})\n  * [SECRET](s.md)\n* [B](b.md)`,
    2,
  ],
  'a condition in an address': [
    `* [A](a.md)\n* [x](<https://example.com/${IF}SECRET${END}>)\n* [B](b.md)`,
    2,
  ],
  'lines around entries': [`* [A](a.md)\n\n${IF}\n\n${SECRET}\n\n${END}\n\n* [B](b.md)`, 3],
  'lines directly around entries': [`* [A](a.md)\n${IF}\n${SECRET}\n${END}\n* [B](b.md)`, 2],
  'items around entries': [`* [A](a.md)\n* ${IF}\n${SECRET}\n* ${END}\n* [B](b.md)`, 2],
  'a condition around a parent': [
    `* [A](a.md)\n${IF}\n${SECRET}\n${END}\n  * [SECRET2](s.md)\n* [B](b.md)`,
    2,
  ],
  'a condition around children': [
    `* [A](a.md)\n  ${IF}\n  * [SECRET](s.md)\n    * [SECRET](s.md)\n  ${END}\n* [B](b.md)`,
    2,
  ],
  'tags in the line of an entry': [`* [A](a.md)\n* ${IF} [SECRET](s.md) ${END}\n* [B](b.md)`, 2],
  'tags directly before a bullet': [`* [A](a.md)\n* [B](b.md)\n${IF} * [SECRET](s.md)\n${SECRET}`, 3],
  'a tag behind an entry': [`* [B](b.md)\n* [A](a.md) ${IF}\n${SECRET}`, 2],
  'a tag at the end of a title': [`* [B](b.md)\n* [A ${IF}](a.md)\n${SECRET}`, 2],
  'a tag within a title': [`* [B](b.md)\n* [A ${IF} SECRET](a.md)\n${SECRET}\n${END}`, 2],
  'a tag in an address': [`* [A](a.md)\n* [SECRET](x${IF}y${END}.md)\n* [B](b.md)`, 2],
  'a tag in an entry without a page': [`* [B](b.md)\n* A ${IF}\n${SECRET}`, 2],
  'a tag before a title of a link': [`* [B](b.md)\n* [A](a.md "x ${IF} SECRET")\n${SECRET}`, 2],
  'a tag in a heading': [`* [A](a.md)\n* [B](b.md)\n\n## G ${IF}\n\n${SECRET}`, 4],
  'tags around a group': [
    `* [A](a.md)\n* [B](b.md)\n\n${IF}\n\n## SECRET\n\n${SECRET}\n\n${END}\n\n* [SECRET](s.md)`,
    4,
  ],
  'a tag in the title of the file': [
    `# Contents ${IF}\n\n${SECRET}\n\n${END}\n\n* [A](a.md)\n* [B](b.md)`,
    1,
  ],
  'tags in comments': [`* [A](a.md)\n<!-- ${IF} -->\n${SECRET}\n<!-- ${END} -->\n* [B](b.md)`, 2],
  'a tag without an end': [`* [A](a.md)\n* [B](b.md)\n\n${IF}\n\n${SECRET}\n\n## SECRET\n\n${SECRET}`, 4],
  'one condition in another': [
    `* [A](a.md)\n${IF}\n${IF}\n* [SECRET](s.md)\n${END}\n${SECRET}\n${END}\n* [B](b.md)`,
    3,
    2,
  ],
  'what looks like a condition': [
    `* [A](a.md)\n{%- if visitor.claims.a -%}\n${SECRET}\n{%- endif -%}\n* [B](b.md)`,
    2,
  ],
  'other brackets': [`* [A](a.md)\n{{#if visitor.claims.a}}\n${SECRET}\n{{/if}}\n* [B](b.md)`, 2],
  'other variables': [`* [A](a.md)\n{% if plan == "pro" %}\n${SECRET}\n{% endif %}\n* [B](b.md)`, 2],
  branches: [`* [A](a.md)\n${IF}\n${SECRET}\n{% else %}\n* [SECRET2](s.md)\n${END}\n* [B](b.md)`, 2, 4],
  'computed pages': [
    `* [A](a.md)\n* [B](b.md)\n${IF}\n* \`\`\`yaml\n  type: builtin:openapi\n  props: {models: true}\n  title: SECRET\n  \`\`\`\n${END}`,
    3,
  ],
}

for (const [name, [source, ...lines]] of Object.entries(HIDING))
  test(`hides entries: ${name}`, () => {
    for (const newline of ['\n', '\r\n', '\r']) {
      const { entries, problems } = parseSummary(source.replaceAll('\n', newline))
      const text = textOf(entries)
      assert.doesNotMatch(text, /SECRET|secret/, text)
      for (const path of ['a.md', 'b.md'])
        if (source.includes(`](${path}`)) assert.ok(text.includes(path), `${path} is hidden: ${text}`)
      assert.deepEqual(
        new Set(problems.filter(({ kind }) => kind === 'condition').map(({ line }) => line)),
        new Set(lines),
        JSON.stringify(problems),
      )
    }
  })

test('hides nothing by tags that a title only names, or in code', () => {
  for (const title of [
    'The {% if %} tag',
    'Use `{% if visitor.claims.a %}`',
    'The {% if a %}',
    '\\{% if visitor.claims.a %}',
  ]) {
    const { entries, problems } = parseSummary(`* [${title}](a.md)\n* [B](b.md)`)
    assert.equal(entries.length, 2, title)
    assert.deepEqual(problems, [], title)
  }
})

test('reports an end of nothing, and what can only have been meant as a condition', () => {
  const lines = (source: string) => parseSummary(source).problems.map(({ kind, line }) => [kind, line])
  assert.deepEqual(lines(`* [A](a.md)\n${END}`), [['condition', 2]])
  assert.deepEqual(lines('* [A](a.md)\n* [[if visitor.claims.a] SECRET [endif]](s.md)'), [['condition', 2]])
})

test('does not import the pages that a condition hides, and refuses a table of contents without others', async () => {
  const files = { 'README.md': '# A\n\n[x](s.md)\n', 's.md': '# SECRET\n' }
  const planned = await plan({ ...files, 'SUMMARY.md': `* [A](README.md)\n${IF}\n* [S](s.md)\n${END}\n` })
  assert.deepEqual(planned.leftOut, ['s.md'])
  assert.deepEqual(
    planned.problems.filter(({ kind }) => kind === 'condition').map(({ line }) => line),
    [2],
  )
  const refused = await refusal({
    ...files,
    'SUMMARY.md': `${IF}\n\n* [A](README.md)\n* [S](s.md)\n\n${END}\n`,
  })
  assert.match(refused.message, /^Conditions in SUMMARY\.md hide all of its entries/)
})
