/** Nobody sees what is under a condition that is constant only because of its quotes or brackets, and it is reported. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPageFields } from '../../../src/core/content/fields/page.ts'
import { conditionOf } from '../../../src/core/document/front-matter/front-matter.ts'
import { parsePage } from '../../../src/core/document/parse.ts'
import { hiddenParts } from '../../../src/core/document/shown/unshown.ts'
import { evaluate } from '../../../src/core/expression/expression.ts'
import { shownPage } from '../shown-page.ts'
import { END } from './hides.ts'

const CONSTANT = [
  `"visitor.claims.plan == 'pro'"`,
  "'visitor.claims.a'",
  '`visitor.claims.a`',
  '[visitor.claims.plan == "pro"]',
  '["visitor.claims.a"]',
  'false || "visitor.claims.a"',
]

/** The value of an expression, as a site evaluates it. */
const valueFor = (expression: string) => {
  const result = evaluate(expression, { visitor: { claims: { plan: 'pro', a: true } } })
  return result.ok ? result.value : undefined
}

test('hides what is under such a condition from everybody, wherever it is', () => {
  for (const condition of CONSTANT) {
    const begin = `{% if ${condition} %}`
    for (const page of [
      `FRONT\n\n${begin}\n\nSECRET\n\n${END}\n`,
      `FRONT ${begin}SECRET${END}\n`,
      `FRONT\n\n- x\n- ${begin}SECRET${END}\n`,
      `FRONT\n\n<details>\n\n<summary>x</summary>\n\n${begin}\n\nSECRET\n\n${END}\n\n</details>\n`,
      `FRONT\n\n${begin}\n\n# SECRET\n`,
    ]) {
      const shown = shownPage(page, valueFor)
      assert.match(shown, /FRONT/, page)
      assert.doesNotMatch(shown.slice(0, shown.lastIndexOf('\n')), /SECRET/, page)
      assert.ok(
        hiddenParts(parsePage(page), page).some(({ reason }) => reason === 'condition-invalid-in-page'),
        page,
      )
    }
  }
})

test('reports such a condition of a page, and refuses it as a field', () => {
  for (const condition of CONSTANT) {
    const page = `---\nif: ${JSON.stringify(condition)}\n---\n\nx\n`
    assert.equal(conditionOf(page)?.condition, condition)
    assert.deepEqual(
      hiddenParts(parsePage(page), page).map(({ reason }) => reason),
      ['condition-of-page-invalid'],
    )
    assert.ok('fault' in readPageFields({ condition }), condition)
  }
})
