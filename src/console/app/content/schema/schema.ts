/** The document model as a schema of ProseMirror, in which pages are shown and edited. */
import { type NodeSpec, Schema } from 'prosemirror-model'
import { BLOCK_NODES } from './schema-blocks.ts'
import { INLINE_NODES, MARK_SPECS } from './schema-inlines.ts'
import { TABLE_NODES } from './schema-table.ts'

/** Between the parts of a group, such as cells, tabs or images, is no place for a text. */
function withoutGaps(specs: Record<string, NodeSpec>): Record<string, NodeSpec> {
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [
      name,
      spec.content === 'block+' ? spec : { ...spec, allowGapCursor: false },
    ]),
  )
}

/** The schema of pages. */
export const schema = new Schema({
  topNode: 'doc',
  nodes: {
    doc: { content: 'block+' },
    text: { group: 'inline' },
    ...withoutGaps(BLOCK_NODES),
    ...withoutGaps(TABLE_NODES),
    ...INLINE_NODES,
  },
  marks: MARK_SPECS,
})
