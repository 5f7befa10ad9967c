/** What can only have been meant as a condition, but hides nothing, is reported wherever readers see it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePage } from '../../../src/core/document/parse.ts'
import { hiddenParts } from '../../../src/core/document/shown/unshown.ts'
import { END, IF } from './hides.ts'

const MEANT = '[[if visitor.claims.a]] x [[endif]]'
const swagger = (title: string, status: string) =>
  `{% swagger method="get" path="/x" baseUrl="y" summary="${title}" %}\n{% swagger-response status="200" description="${status}" %}\nx\n{% endswagger-response %}\n{% endswagger %}`

/** Pages with the lines of what they report, each with its reason. */
const REPORTED: Record<string, [source: string, ...reports: string[]]> = {
  'a footnote': [`x[^a]\n\ny\n\n[^a]: ${MEANT}`, '5 condition-public'],
  'a list in a footnote': [`x[^a]\n\n[^a]: y\n\n    - ${MEANT}`, '5 condition-public'],
  'the title in the front matter': [`---\ntitle: "${MEANT}"\n---\n\nx`, '2 condition-public'],
  'the description': [`---\nicon: x\ndescription: >-\n  ${MEANT}\n---\n\nx`, '3 condition-public'],
  'a tag of the page': [`---\ntags:\n  - tag: "${MEANT}"\n---\n\nx`, '2 condition-public'],
  'a variable of the page': [`---\nvars:\n  a: "${MEANT}"\n---\n\nx`, '2 condition-public'],
  'an element in the title': ['# T <If condition={visitor.claims.a}>x</If>\n\nx', '1 condition-public'],
  'an attribute in the title': ['# T <span data-if="visitor.claims.a">x</span>\n\nx', '1 condition-public'],
  'a comment in the title': ['# T <!-- if visitor.claims.a -->x<!-- endif -->\n\nx', '1 condition-public'],
  'the title of code': [
    `x\n\n{% code title="${MEANT}" %}\n\`\`\`\ny\n\`\`\`\n{% endcode %}`,
    '3 condition-public',
  ],
  'the title of a tab': [
    `{% tabs %}\n{% tab title="${MEANT}" %}\nx\n{% endtab %}\n{% endtabs %}`,
    '2 condition-public',
  ],
  'the summary of an operation': [swagger(MEANT, ''), '1 condition-public'],
  'a property of an integration': [`{% @a/b c="${MEANT}" %}`, '1 condition-public'],
  'a line below the same text in code': [
    '```\n[[if visitor.claims.a]]\n```\n\n&#91;[if visitor.claims.a]] x',
    '5 condition-public',
  ],
  'an unclosed formula': [`x\n\n$$\n${IF}\n\nSECRET\n\n${END}`, '4 condition-in-formula'],
  'prices that are a formula': [`a $$5 ${IF} x ${END} and $$6 b`, '1 condition-in-formula'],
  'a formula of a block': [`$$\na ${IF} x ${END}\n$$`, '2 condition-in-formula'],
}

for (const [place, [source, ...reports]] of Object.entries(REPORTED))
  test(`reports a condition that hides nothing in ${place}`, () => {
    for (const written of [source, `${source}\n`]) {
      const found = hiddenParts(parsePage(written), written).map(({ line, reason }) => `${line} ${reason}`)
      assert.deepEqual(found, reports, written)
    }
  })

test('reports nothing of diagrams and code, nor of sentences about a visitor', () => {
  for (const source of [
    '{% @mermaid/diagram content="flowchart TD; A{visitor.claims.plan == 1} --> B" %}\n',
    '---\ndescription: What visitor.claims.plan says if a visitor signs in\n---\n\nx\n',
    'x[^a]\n\n[^a]: Use `[[if visitor.claims.a]]`.\n',
    '$$\n\\frac{a}{b} \\text{if } a\n$$\n',
  ])
    assert.deepEqual(hiddenParts(parsePage(source), source), [], source)
})
