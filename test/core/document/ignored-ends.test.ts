/** Ends of conditions in places where no condition can end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePage } from '../../../src/core/document/parse.ts'
import { hiddenParts } from '../../../src/core/document/shown/unshown.ts'
import { hides } from './hides.ts'

const IF = '{% if visitor.claims.none %}'
const END = '{% endif %}'

const withCell = (type: string, cell: string) =>
  `<table><thead><tr><th>Name</th><th data-type="${type}">X</th></tr></thead><tbody><tr><td>a</td><td>${cell}</td></tr></tbody></table>`
const TYPES = ['image', 'content-ref', 'select', 'number', 'checkbox', 'files', 'users', 'rating']

const PLACES: Record<string, string> = {
  'address of HTML': `<a href="${END}">x</a>`,
  'address of a link': `[x](${END})`,
  'address of a picture': `![x](${END})`,
  'alternative text': `![${END}](a.png)`,
  'definition of a link': `[r]: ${END}`,
  comment: `<!-- ${END} -->`,
  ...Object.fromEntries(TYPES.map((type) => [`cell of type ${type}`, withCell(type, END)])),
}

const reported = (source: string) =>
  hiddenParts(parsePage(source), source).map(({ line, reason }) => `${line} ${reason}`)

test('an end where no condition can end hides what follows, and its report says so', () => {
  for (const [place, text] of Object.entries(PLACES)) {
    const unclosed = `FRONT\n\n${IF}\n\nSECRET\n\n${text}\n\nSECRET\n`
    hides(unclosed, ['FRONT'])
    assert.deepEqual(reported(unclosed), ['3 condition-unclosed', '7 condition-end-ignored'], place)

    const closed = `FRONT\n\n${IF}\n\nSECRET\n\n${text}\n\nSECRET\n\n${END}\n\nAFTER\n`
    hides(closed, ['FRONT', 'AFTER'])
    assert.deepEqual(reported(closed), ['7 condition-end-ignored'], place)

    for (const open of [`OPEN\n\n\n\n${text}\n`, `{% if %}\n\nOPEN\n\n${text}\n`])
      assert.deepEqual(reported(open), ['5 condition-unopened'], place)
  }
})
