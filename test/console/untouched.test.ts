/** An edit in the editor changes what was edited and nothing else, over real pages. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Node } from 'prosemirror-model'
import { EditorState } from 'prosemirror-state'
import { type BlockEntry, editBlocks } from '../../src/core/content/edit/edit-blocks.ts'
import { isFault, readDocument } from '../../src/core/document/shape/check.ts'
import type { Block, ContentRef } from '../../src/core/document/model.ts'
import { parsePage } from '../../src/core/document/parse.ts'
import { listReferences, mapReferences, referenceKey } from '../../src/core/document/links/references.ts'
import { toDocument } from '../../src/core/document/to-document.ts'
import { isOneLine } from '../core/word-edits.ts'
import { CORPORA, pagesToTry, withoutCorpora } from '../corpus.ts'
import { isLongRun } from '../effort.ts'

type Entry = { keep: string } | (Block & { key?: string })
type Saved = { blocks: readonly { node: Node; key: string }[] }
const load = (path: string): Promise<unknown> =>
  import(new URL(`../../src/console/app/${path}`, import.meta.url).href)
const { docOf } = (await load('content/schema/convert.ts')) as { docOf: (blocks: Block[]) => Node }
const { planSave, savedPage } = (await load('editor/saving/saving.ts')) as {
  planSave: (doc: Node, saved: Saved) => { entries: Entry[]; isChanged: boolean }
  savedPage: (revision: string, title: string, blocks: Block[]) => Saved
}

/** The part of edits of one word that may change more than one line, as for the editing API. */
const MOST_OTHERS = 0.02

/** The document as a client gets it: as JSON, with references by id. */
function shownOf(source: string) {
  const { document } = parsePage(source)
  const references = new Map<string, ContentRef>()
  for (const { ref } of listReferences(document))
    if (ref.kind === 'url' && !/^[a-z]+:|^#/i.test(ref.url))
      references.set(referenceKey(ref), { kind: 'page', page: ref.url.replace(/[^a-z0-9]/gi, '') || 'p' })
  const shown = toDocument(mapReferences(document, (ref) => references.get(referenceKey(ref)) ?? ref))
  return { blocks: (JSON.parse(JSON.stringify(shown)) as { nodes: Block[] }).nodes, references }
}

/** Replaces a word of the page, as a person does who selects it and types. */
function typeIn(doc: Node, seed: number): Node | undefined {
  const words: { from: number; to: number }[] = []
  doc.descendants((node, pos) => {
    if (node.isText)
      for (const { index, 0: word } of node.text!.matchAll(/\p{L}[\p{L}\p{N}]{2,}/gu))
        words.push({ from: pos + index, to: pos + index + word.length })
  })
  const chosen = words[seed % Math.max(1, words.length)]
  if (!chosen) return undefined
  const state = EditorState.create({ doc })
  return state.apply(state.tr.insertText('Changed', chosen.from, chosen.to)).doc
}

/** The page after a save, as the server writes it. The entries pass through JSON and its checks. */
function written(source: string, references: Map<string, ContentRef>, sent: Entry[]): string {
  const read = readDocument({
    object: 'document',
    nodes: sent.flatMap((one) => ('keep' in one ? [] : [JSON.parse(JSON.stringify(one)) as Block])),
  })
  assert(!isFault(read), JSON.stringify(read))
  let next = 0
  const entries = sent.map((one): BlockEntry => {
    if ('keep' in one) return one
    const block = read.nodes[next++]!
    return { block: one.key === undefined ? block : { ...block, key: one.key } }
  })
  const result = editBlocks({ source, references, entries })
  assert('source' in result, 'the server refuses it')
  return result.source
}

/** A block that was edited has no space at its end any more: the writer may be about to go on there. */
const withoutEnds = (source: string) => source.replaceAll(/&#x20;$/gm, '')

describe('the bytes of a page that is edited', () => {
  for (const corpus of CORPORA)
    test(`are those of one line after an edit of one word: ${corpus}`, { skip: withoutCorpora }, (t) => {
      const others: string[] = []
      let all = 0
      for (const [path, source] of pagesToTry(corpus)) {
        const { blocks, references } = shownOf(source)
        const saved = savedPage('r', 't', blocks)
        const doc = docOf(blocks)
        assert.equal(planSave(doc, saved).isChanged, false, `${path} was only opened`)
        const edited = typeIn(doc, path.length * 31 + source.length)
        if (!edited) continue
        all += 1
        const { entries } = planSave(edited, saved)
        assert.equal(entries.filter((one) => !('keep' in one)).length, 1, `${path}: one block is sent`)
        if (!isOneLine(source, written(source, references, entries))) others.push(path)
      }
      if (isLongRun()) t.diagnostic(`${all - others.length} of ${all} edits change one line`)
      assert.ok(all > 0 && others.length <= Math.ceil(all * MOST_OTHERS), others.join('\n'))
    })

  test('are the same again after the edit is undone', { skip: withoutCorpora }, () => {
    for (const [path, source] of pagesToTry(CORPORA[0]!).slice(0, isLongRun() ? 40 : 10)) {
      const { blocks, references } = shownOf(source)
      const saved = savedPage('r', 't', blocks)
      const doc = docOf(blocks)
      const edited = typeIn(doc, source.length)
      if (!edited) continue
      const { entries } = planSave(edited, saved)
      const changed = written(source, references, entries)
      const after = shownOf(changed)
      // What undo brings back has other nodes than the page that was saved.
      const back = planSave(docOf(blocks), savedPage('s', 't', after.blocks)).entries
      assert.equal(withoutEnds(written(changed, after.references, back)), withoutEnds(source), path)
    }
  })
})
