/** The questions of the editor to the author: about a link, the settings of a node, a template, a column, a cell or a table. */
import type { Node } from 'prosemirror-model'

export type Question =
  | { kind: 'link' | 'template' }
  /** Without a place, the node is inserted. The field has the focus; by default, the first one. */
  | { kind: 'settings'; node: Node; pos?: number; field?: string }
  /** The node is a `table_header`, a `table_value` or a `table`. */
  | { kind: 'column' | 'cell' | 'table'; node: Node; pos: number }

/** Asks the writer in a dialog. */
export type Ask = (question: Question) => void
