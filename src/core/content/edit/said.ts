import type { Block } from '../../document/model.ts'
import { normalText } from '../../document/normal-form.ts'

/** What a block says. Its normal form takes as long as reading it, so it is made only if the block is not quite the same. */
export interface Said {
  readonly json: string
  /** The `normalText` of the block. */
  text(): string
}

/** What a block says. */
export function saidBy(block: Block): Said {
  let text: string | undefined
  return { json: JSON.stringify(block), text: () => (text ??= normalText(block)) }
}

/** Whether two blocks say the same. */
export function sayTheSame(a: Said | undefined, b: Said | undefined): boolean {
  return a !== undefined && b !== undefined && (a.json === b.json || a.text() === b.text())
}
