import type { Block } from '../../document/model.ts'
import { normalText } from '../../document/normal-form.ts'

/** The content of a block. Its normal form takes as long as reading it, so it is computed only if the JSON differs. */
export interface Said {
  readonly json: string
  /** The `normalText` of the block. */
  text(): string
}

/** Returns the content of a block, to compare it. */
export function saidBy(block: Block): Said {
  let text: string | undefined
  return { json: JSON.stringify(block), text: () => (text ??= normalText(block)) }
}

/** Whether two blocks say the same. */
export function sayTheSame(a: Said | undefined, b: Said | undefined): boolean {
  return a !== undefined && b !== undefined && (a.json === b.json || a.text() === b.text())
}
