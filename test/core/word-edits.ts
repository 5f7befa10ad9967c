/** Edits of one word in real pages, as a client sends them. */
import assert from 'node:assert/strict'
import type { BlockEntry } from '../../src/core/content/edit/edit-blocks.ts'
import { diffSequences, type Hunk, splitLines } from '../../src/core/content/line-merge.ts'
import { isFault, readDocument } from '../../src/core/document/shape/check.ts'
import type { ContentRef, Document } from '../../src/core/document/model.ts'
import { parsePage } from '../../src/core/document/parse.ts'
import { listReferences, mapReferences, referenceKey } from '../../src/core/document/links/references.ts'
import { toDocument } from '../../src/core/document/to-document.ts'

/** A page with one word of a block changed, as the blocks that a client sends. */
export interface WordEdit {
  path: string
  source: string
  references: Map<string, ContentRef>
  wanted: Document
  entries: BlockEntry[]
}

/** Pages with a word of one block changed. @param isWhole whether all blocks are sent, as a client with the document does */
export function* wordEdits(pages: Iterable<[string, string]>, isWhole: boolean): Generator<WordEdit> {
  for (const [path, source] of pages) {
    const { document } = parsePage(source)
    const references = new Map<string, ContentRef>()
    for (const { ref } of listReferences(document))
      if (ref.kind === 'url' && !/^[a-z]+:|^#/i.test(ref.url))
        references.set(referenceKey(ref), { kind: 'page', page: ref.url.replace(/[^a-z0-9]/gi, '') || 'p' })
    const shown = toDocument(mapReferences(document, (ref) => references.get(referenceKey(ref)) ?? ref))
    const sent = JSON.parse(JSON.stringify(shown)) as Document
    const at = changeWord(sent, path.length * 31 + source.length)
    if (at === undefined) continue
    const wanted = readDocument(sent)
    assert(!isFault(wanted), path)
    const entries = wanted.nodes.map((block, i): BlockEntry => {
      const { key = '' } = document.nodes[i]!
      return i === at || isWhole ? { block: { ...block, key } } : { keep: key }
    })
    yield { path, source, references, wanted, entries }
  }
}

/** Changes a word, and returns the index of its top-level block. */
function changeWord({ nodes }: Document, seed: number): number | undefined {
  const found: { leaf: { text: string }; at: number }[] = []
  nodes.forEach((block, at) => {
    const open: unknown[] = block.type === 'html' ? [] : [block]
    for (let one = open.pop() as Record<string, unknown> | undefined; one; one = open.pop() as typeof one) {
      if (typeof one['text'] === 'string' && /\p{L}{3}/u.test(one['text']))
        found.push({ leaf: one as { text: string }, at })
      for (const inner of ['fragments', 'nodes', 'leaves'])
        for (const child of (one[inner] ?? []) as unknown[]) open.push(child)
    }
  })
  const chosen = found[seed % Math.max(1, found.length)]
  if (!chosen) return undefined
  const words = [...chosen.leaf.text.matchAll(/[\p{L}\p{N}]+/gu)]
  const word = words[seed % words.length]!
  const { text } = chosen.leaf
  chosen.leaf.text = `${text.slice(0, word.index)}Changed${text.slice(word.index + word[0].length)}`
  return chosen.at
}

/** Whether exactly one line differs. */
export function isOneLine(before: string, after: string): boolean {
  return areOneLine(diffSequences(splitLines(before), splitLines(after), { left: 1e8 }))
}

/** Whether exactly one line differs, and one footnote is defined anew. */
export function isOneLineAndFootnote(before: string, after: string): boolean {
  const lines = splitLines(after)
  const hunks = diffSequences(splitLines(before), lines, { left: 1e8 })
  const added = hunks.filter(({ aStart, aEnd }) => aStart === aEnd)
  return (
    added.length === 1 &&
    added.every(({ bStart, bEnd }) => /^[\s>]*\[\^\d+\]: /.test(lines.slice(bStart, bEnd).join(''))) &&
    areOneLine(hunks.filter((hunk) => !added.includes(hunk)))
  )
}

function areOneLine(hunks: readonly Hunk[]): boolean {
  return (
    hunks.length === 1 &&
    hunks.every((hunk) => hunk.aEnd - hunk.aStart === 1 && hunk.bEnd - hunk.bStart === 1)
  )
}
