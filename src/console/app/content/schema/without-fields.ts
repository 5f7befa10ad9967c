import type { NodeType } from 'prosemirror-model'
import type { BlockType, InlineType } from '../../../../core/document/model.ts'
import { blockType } from './node-names.ts'

/** The types of blocks and inlines that have only their text. The editor need not load the fields of the others to know. */
const WITHOUT_FIELDS = [
  'blockquote',
  'code-line',
  'divider',
  'link',
  'list-item',
  'list-tasks',
  'list-unordered',
  'stepper',
  'table',
] as const satisfies readonly (BlockType | InlineType)[]

export type TypeWithoutFields = (typeof WITHOUT_FIELDS)[number]

/** The nodes that are only parts of blocks, or that keep what the schema does not know. */
const PARTS = /^(?:doc$|text$|other|expandable_|table_)/

/** Whether the nodes of a type have fields. */
export const hasFields = ({ name }: NodeType): boolean =>
  !PARTS.test(name) && !(WITHOUT_FIELDS as readonly string[]).includes(blockType(name))
