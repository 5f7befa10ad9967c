/** A page whose blocks are edited: how its Markdown is divided, and how it writes references. */
import { greatest, needItem } from '../../data/lists.ts'
import type { Block, ContentRef, Document, Span } from '../../document/model.ts'
import { type SourceMap, sourceMap } from '../../document/markdown/reading.ts'
import { parsePage } from '../../document/parse.ts'
import { mapReferences, referenceKey } from '../../document/links/references.ts'
import { saidBy, type Said } from './said.ts'

/** A page whose blocks are written, as it was before. */
export interface EditedPage {
  source: string
  references: ReadonlyMap<string, ContentRef>
  title: string | undefined
  map: SourceMap
  /** The blocks as they are written, and with the targets of their references. */
  raw: Block[]
  blocks: Block[]
  spans: Span[]
  /** Whether each block has its own range in the source. */
  isSplit: boolean
  says: Said[]
  /** Of the next footnote. */
  firstLabel: number
  /** How the source writes the references to a target, by its `referenceKey`. */
  spelling: ReadonlyMap<string, ContentRef>
  newline: string
}

/**
 * Reads the Markdown of a page to edit.
 * @param references the resolved references of the source, by `referenceKey`
 * @param mergedWith another Markdown, whose labels new footnotes do not have
 */
export function readEditedPage(
  source: string,
  { references, mergedWith }: { references: EditedPage['references']; mergedWith: string },
): EditedPage {
  const map = sourceMap()
  const { document, spans, title } = parsePage(source, { map })
  const blocks = resolved(document, references)
  const spelling = new Map<string, ContentRef>()
  mapReferences(document, (ref) => {
    const key = referenceKey(references.get(referenceKey(ref)) ?? ref)
    if (!spelling.has(key)) spelling.set(key, ref)
    return ref
  })
  const isSplit = spans.every(({ start, end }, i) => start < end && start >= (spans[i - 1]?.end ?? 0))
  const newline = source.includes('\r\n') ? '\r\n' : '\n'
  const says = blocks.map(saidBy)
  return {
    source,
    references,
    title,
    map,
    raw: document.nodes,
    blocks,
    spans,
    isSplit,
    says,
    firstLabel: firstFreeLabel(`${source}\n${mergedWith}`),
    spelling,
    newline,
  }
}

/** A block of the page, as it is written and with the targets of its references, its range, and what it says. */
export function blockOfPage(page: EditedPage, index: number) {
  return {
    raw: needItem(page.raw, index),
    block: needItem(page.blocks, index),
    span: needItem(page.spans, index),
    says: needItem(page.says, index),
  }
}

/** The blocks of a document with the targets of their references. */
export function resolved(document: Document, references: EditedPage['references']): Block[] {
  return mapReferences(document, (ref) => references.get(referenceKey(ref)) ?? ref).nodes
}

/** A document of blocks. */
export const documentWith = (nodes: Block[]): Document => ({
  object: 'document',
  data: { schemaVersion: 1 },
  nodes,
})

/** The block with its references as the source writes those to the same targets. */
export function written({ spelling }: EditedPage, block: Block): Block {
  const { nodes } = mapReferences(documentWith([block]), (ref) => spelling.get(referenceKey(ref)) ?? ref)
  return needItem(nodes, 0)
}

/** The front matter and the title, with the blank space up to the first block. */
export function headOf({ source, spans, newline }: EditedPage): string {
  const [first] = spans
  if (first) return source.slice(0, first.start)
  const head = source.trimEnd()
  return head === '' ? '' : head + newline + newline
}

/** What follows the last block. */
export function tailOf({ source, spans }: EditedPage): string {
  return source.slice(spans.at(-1)?.end)
}

/** A number that is greater than that of any footnote of a source. */
function firstFreeLabel(source: string): number {
  const numbers = [...source.matchAll(/(?:\[\^|fn-)(\d{1,6})\b/g)].map(([, digits]) => Number(digits))
  return 1 + greatest(numbers, 0)
}
