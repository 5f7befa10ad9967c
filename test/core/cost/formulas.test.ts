/** A formula costs in proportion to its length, or is shown as its source. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FORMULAS, LONGEST_FORMULA, renderFormula } from './formulas.ts'
import { assertBounded, familiesOf, nested } from './growth.ts'

/** The collector of garbage disturbs the comparison of large answers. */
const MOST_MS = 300

for (const [name, make] of familiesOf(FORMULAS, 30)) {
  test(`renders a formula of ${name} in linear or bounded time`, () => {
    assertBounded(make, renderFormula, MOST_MS, LONGEST_FORMULA)
    for (const size of [600, LONGEST_FORMULA]) assert.ok(renderFormula(make(size)).length < 100 * size)
  })
}

const DEFINITIONS =
  '\\def\\a{b}\\a|\\gdef\\a{b}\\a|\\edef\\a{b}\\a|\\xdef\\a{b}\\a|\\newcommand{\\a}{b}\\a|\\renewcommand{\\a}{b}\\a|' +
  '\\providecommand{\\a}{b}\\a|\\let\\a=b \\a|\\global\\def\\a{b}\\a|\\long\\def\\a{b}\\a|\\definecolor{a}{RGB}{1,2,3}x'

test('shows formulas that define macros as their source', () => {
  for (const formula of DEFINITIONS.split('|')) assert.match(renderFormula(formula), /^<code/, formula)
  for (const formula of ['\\left(a\\right)', '\\leq', '\\text{def}', '\\lets', '\\longrightarrow'])
    assert.match(renderFormula(formula), formula === '\\lets' ? /^<code/ : /<math/, formula)
})

test('shows formulas of more than 50 groups in one another as their source', () => {
  assert.match(renderFormula(nested('{', '}')(2 * 50)), /<math/)
  assert.match(renderFormula(nested('{', '}')(2 * 51)), /^<code/)
  assert.match(renderFormula('\\{'.repeat(60) + '\\sqrt[3]{x}'.repeat(60)), /<math/)
})
