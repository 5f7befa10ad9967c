import assert from 'node:assert/strict'
import { normal } from '../../../src/core/document/normal-form.ts'
import { parsePage } from '../../../src/core/document/parse.ts'
import { printDocument, printPage } from '../../../src/core/document/print.ts'
import { evaluate } from '../../../src/core/expression/expression.ts'
import { shownPage } from '../shown-page.ts'

/** A visitor for whom every condition that can hold does. */
export const everything = (expression: string) => holdsFor({ a: true, b: true }, expression)
/** A visitor without claims. */
export const nothing = (expression: string) => holdsFor({}, expression)

function holdsFor(claims: Record<string, boolean>, expression: string): boolean {
  const result = evaluate(expression, { ...claims, visitor: { claims } })
  return result.ok && Boolean(result.value)
}

/** Checks that nobody sees the secrets of a page, as it is and as it is printed, and that everybody sees the visible texts. */
export function hides(source: string, visible: readonly string[] = []): void {
  for (const version of [source, printPage(parsePage(source))]) {
    const shown = shownPage(version, everything)
    assert.doesNotMatch(shown, /SECRET|secret/, `${version}\n---\n${shown}`)
    for (const text of visible) assert.ok(shown.includes(text), `${text} is hidden in\n${version}`)
  }
  // An element of several lines is printed with a line break.
  if (/<[^>]*\n/.test(source)) return
  const { document } = parsePage(source)
  assert.deepEqual(normal(parsePage(printDocument(document)).document), normal(document), source)
}

/** The tags of a condition of some readers. */
export const IF = '{% if visitor.claims.a %}'
export const END = '{% endif %}'

/** What readers see of a page who meet its conditions, or who do not. */
export const shownTo = (source: string, met: boolean) =>
  shownPage(source, (expression) => (expression.startsWith('!') ? !met : met))

/** Checks a page with texts of which those with `SECRET` are under a condition. */
export function checkHidden(source: string, visible: readonly string[], hidden: readonly string[]): void {
  for (const version of [source, printPage(parsePage(source))]) {
    const [others, members] = [shownTo(version, false), shownTo(version, true)]
    assert.doesNotMatch(others, /SECRET|secret/, version)
    for (const text of visible)
      assert.ok(others.includes(text), `${text} is hidden in\n${version}\n---\n${others}`)
    for (const text of [...visible, ...hidden])
      assert.ok(members.includes(text), `${text} is missing in\n${version}\n---\n${members}`)
  }
  const { document } = parsePage(source)
  assert.deepEqual(normal(parsePage(printDocument(document)).document), normal(document), source)
}
