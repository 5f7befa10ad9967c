/** The description of a change request as text without formatting. */
import type { Document } from '../../../../core/document/model.ts'

/** Text without formatting as a document: a paragraph for each part between empty lines. */
export function plainDocument(text: string): Document {
  const paragraphs = text.split(/\n\s*\n/).map((one) => one.trim())
  return {
    object: 'document',
    data: {},
    nodes: paragraphs.map((one) => ({
      object: 'block',
      type: 'paragraph',
      data: {},
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: one, marks: [] }] }],
    })),
  }
}

/** The text of a document that has paragraphs without formatting only; undefined for any other. */
export function plainTextOf(document: Document | undefined): string | undefined {
  const paragraphs = (document?.nodes ?? []).map((block) => {
    if (block.type !== 'paragraph') return undefined
    const texts = block.nodes.map((node) =>
      node.object === 'text' && node.leaves.every(({ marks }) => marks.length === 0)
        ? node.leaves.map(({ text }) => text).join('')
        : undefined,
    )
    return texts.includes(undefined) ? undefined : texts.join('')
  })
  return paragraphs.includes(undefined) ? undefined : paragraphs.join('\n\n')
}
