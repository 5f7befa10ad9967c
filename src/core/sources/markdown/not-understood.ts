/** Counts what a page has in the language of its tool that the conversion does not understand. */
import { faultParameters, type WithReason } from '../../languages/reasoned.ts'
import { because } from '../../languages/reasons.ts'
import type { Problem } from '../../repository/model.ts'

/** The most kinds that are counted in one page. */
const MOST = 20

/** The parts of a page that are not understood, such as shortcodes, each kind with its number and its first line. */
export class NotUnderstood {
  readonly #found = new Map<string, { part: WithReason; line: number; count: number }>()

  /**
   * @param part one of the reasons that begin with `unknown-`
   * @param line of the page, from 1
   */
  add(part: WithReason, line: number): void {
    const known = this.#found.get(part.message)
    if (known) known.count += 1
    else if (this.#found.size < MOST) this.#found.set(part.message, { part, line, count: 1 })
  }

  /** A problem for each kind, in the order of their lines. @param path of the page in the project */
  problems(path: string): Problem[] {
    const found = [...this.#found.values()].toSorted((a, b) => a.line - b.line)
    return found.map(({ part, line, count }) => ({
      path,
      line,
      ...(count === 1
        ? because('part-left-out', faultParameters(part))
        : because('parts-left-out', { ...faultParameters(part), count })),
    }))
  }
}
