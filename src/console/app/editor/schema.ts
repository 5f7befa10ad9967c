/** The document model as a schema of ProseMirror, in which pages are shown and edited. */
import { Schema } from 'prosemirror-model'
import { BLOCK_NODES } from './schema-blocks.ts'
import { INLINE_NODES, MARK_SPECS } from './schema-inlines.ts'
import { TABLE_NODES } from './schema-table.ts'

/** The schema of pages. */
export const schema = new Schema({
  topNode: 'doc',
  nodes: {
    doc: { content: 'block+' },
    text: { group: 'inline' },
    ...BLOCK_NODES,
    ...TABLE_NODES,
    ...INLINE_NODES,
  },
  marks: MARK_SPECS,
})
