/** The limits of a TeX formula, wherever it is drawn: on published pages and in the console. */

/** The longest formula. Longer ones are shown as their source. */
const MAX_FORMULA = 10_000
/** The most groups inside one another. Beyond them, the time grows with the square of the nesting. */
const MAX_DEPTH = 50
/** Definitions of macros. A few of them can make a formula a million times as long. */
const DEFINITION =
  /\\(?:[gex]?def|(?:re)?newcommand|providecommand|let|futurelet|global|long|definecolor)(?![a-zA-Z@])/

/** The settings with which Temml draws formulas. */
export const FORMULA_SETTINGS = { throwOnError: true, trust: false, maxExpand: 500 }

/** Whether a formula can be drawn in a short time. */
export function isBoundedFormula(formula: string): boolean {
  return formula.length <= MAX_FORMULA && !DEFINITION.test(formula) && depthOf(formula) <= MAX_DEPTH
}

/** The beginnings and ends of groups. Escaped signs are skipped. */
const GROUPS =
  /\\[{}[\]\\]|(\\(?:left|begin|begingroup|bgroup)(?![a-zA-Z])|\\sqrt\s*\[|\{)|(\\(?:right|end|endgroup|egroup)(?![a-zA-Z])|[}\]])/g

/** How many groups are inside one another at most. An end without a beginning counts for nothing. */
function depthOf(formula: string): number {
  let [depth, deepest] = [0, 0]
  for (const [, opens, closes] of formula.matchAll(GROUPS)) {
    if (opens !== undefined) depth += 1
    else if (closes !== undefined) depth = Math.max(0, depth - 1)
    deepest = Math.max(deepest, depth)
  }
  return deepest
}
