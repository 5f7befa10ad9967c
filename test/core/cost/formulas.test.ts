/** A formula costs in proportion to its length, or is shown as its source. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { math } from '../../../src/core/document/html/math.ts'
import { FORMULAS } from './formulas.ts'
import { assertBounded, familiesOf, nested } from './growth.ts'

/** Longer formulas are shown as their source. */
const LONGEST = 10_000

/** The collector of garbage disturbs the comparison of large answers. */
const MOST_MS = 300

function render(formula: string): string {
  return String(math(formula.slice(0, LONGEST), true, { needs: new Set() }))
}

for (const [name, make] of familiesOf(FORMULAS, 10)) {
  test(`renders a formula of ${name} in linear or bounded time`, () => {
    assertBounded(make, render, MOST_MS, LONGEST)
    for (const size of [600, LONGEST]) assert.ok(render(make(size)).length < 100 * size)
  })
}

const DEFINITIONS =
  '\\def\\a{b}\\a|\\gdef\\a{b}\\a|\\edef\\a{b}\\a|\\xdef\\a{b}\\a|\\newcommand{\\a}{b}\\a|\\renewcommand{\\a}{b}\\a|' +
  '\\providecommand{\\a}{b}\\a|\\let\\a=b \\a|\\global\\def\\a{b}\\a|\\long\\def\\a{b}\\a|\\definecolor{a}{RGB}{1,2,3}x'

test('shows formulas that define macros as their source', () => {
  for (const formula of DEFINITIONS.split('|')) assert.match(render(formula), /^<code/, formula)
  for (const formula of ['\\left(a\\right)', '\\leq', '\\text{def}', '\\lets', '\\longrightarrow'])
    assert.match(render(formula), formula === '\\lets' ? /^<code/ : /<math/, formula)
})

test('shows formulas of more than 50 groups in one another as their source', () => {
  assert.match(render(nested('{', '}')(2 * 50)), /<math/)
  assert.match(render(nested('{', '}')(2 * 51)), /^<code/)
  assert.match(render('\\{'.repeat(60) + '\\sqrt[3]{x}'.repeat(60)), /<math/)
})
