/** Edits of one letter in the text of pages, as a client sends them. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type BlockEntry, editBlocks } from '../../src/core/content/edit/edit-blocks.ts'
import { isFault, readDocument } from '../../src/core/document/shape/check.ts'
import type { Block, ContentRef, Document } from '../../src/core/document/model.ts'
import { isFootnote, normalText } from '../../src/core/document/normal-form.ts'
import { parsePage } from '../../src/core/document/parse.ts'
import { listReferences, mapReferences, referenceKey } from '../../src/core/document/links/references.ts'
import { toDocument } from '../../src/core/document/to-document.ts'
import { isOneLine, isOneLineAndFootnote } from './word-edits.ts'

/** Which text of a page gets a letter, and where in it; both are taken modulo what there is. */
export interface LetterEdit {
  text: number
  at: number
  /** All blocks are sent, or one block and the keys of the others. */
  isWhole: boolean
}

export const letterEdits: fc.Arbitrary<LetterEdit> = fc.record({
  text: fc.nat(1_000_000),
  at: fc.oneof(fc.nat(1000), fc.constant(0), fc.constant(-1)),
  isWhole: fc.boolean(),
})

/** The text of a page that an edit changes, its block, and the source before and after. */
export interface EditedLetter {
  text: string
  type: string
  /** Whether other annotations have the same footnote, so that the edit makes it another one. */
  isShared: boolean
  before: string
  after: string
}

/** A text of the document that a person can type in. */
interface Typed {
  get(): string
  set(text: string): void
  /** The index of its block at the top. */
  top: number
  type: string
}

/** Adds a letter, and asserts that the page reads back with it. @returns undefined for a page without text */
export function addLetter(source: string, { text, at, isWhole }: LetterEdit): EditedLetter | undefined {
  return changeText(source, { text, isWhole }, (was) => {
    let place = at < 0 ? was.length : at % (was.length + 1)
    if (/[\udc00-\udfff]/.test(was[place] ?? '')) place++
    return `${was.slice(0, place)}Z${was.slice(place)}`
  })
}

/** Changes a text, and asserts that the page reads back with it. @returns undefined for a page without text */
export function changeText(
  source: string,
  { text, isWhole }: Pick<LetterEdit, 'text' | 'isWhole'>,
  change: (was: string) => string,
): EditedLetter | undefined {
  const { document } = parsePage(source)
  const references = new Map<string, ContentRef>()
  for (const { ref } of listReferences(document))
    if (ref.kind === 'url' && !/^[a-z]+:|^#/i.test(ref.url))
      references.set(referenceKey(ref), { kind: 'page', page: ref.url.replace(/[^a-z0-9]/gi, '') || 'p' })
  const resolve = (ref: ContentRef) => references.get(referenceKey(ref)) ?? ref
  const sent = JSON.parse(JSON.stringify(toDocument(mapReferences(document, resolve)))) as Document
  const texts = textsOf(sent)
  const chosen = texts[text % Math.max(1, texts.length)]
  if (!chosen) return undefined

  const was = chosen.get()
  const isShared =
    chosen.type.includes('annotation-body') &&
    texts.filter((one) => one.type.includes('annotation-body') && one.get() === was).length > 1
  // The title of a column has no spaces at its ends.
  chosen.set(chosen.type.endsWith('table') ? change(was).trim() : change(was))
  const wanted = readDocument(sent)
  assert(!isFault(wanted))
  const entries = wanted.nodes.map((block, i): BlockEntry => {
    const { key = '' } = document.nodes[i]!
    return i === chosen.top || isWhole ? { block: { ...block, key } } : { keep: key }
  })
  const result = editBlocks({ source, references, entries })
  assert('source' in result, JSON.stringify(result))
  const says = ({ nodes }: Document) =>
    nodes.flatMap((block) =>
      isFootnote(block) ? [] : [normalText(chosen.get() === '' ? filledOnly(block) : block)],
    )
  assert.deepEqual(says(mapReferences(parsePage(result.source).document, resolve)), says(wanted))
  return { text: was, type: chosen.type, isShared, before: source, after: result.source }
}

/** The block without the conditions in lines that hide nothing: some of them cannot be written. */
function filledOnly(block: Block): Block {
  const isEmpty = (node: { type?: string; nodes?: object[] }) =>
    node.type === 'inline-if' && !JSON.stringify(node.nodes).match(/"text":"[^"]|"isVoid":true/)
  return JSON.parse(JSON.stringify(block), (_name, value: unknown) =>
    Array.isArray(value) ? value.filter((node) => !isEmpty(node as object)) : value,
  ) as Block
}

/** Asserts that an edit of a letter changes one line. If it makes a footnote another one, that is defined too. */
export function changesOneLine(source: string, edit: LetterEdit, name = ''): void {
  const edited = addLetter(source, edit)
  if (!edited) return
  const { text, type, isShared, before, after } = edited
  assert(
    isOneLine(before, after) || (isShared && isOneLineAndFootnote(before, after)),
    `${name}: a letter in ${JSON.stringify(text)} (${type}) changes more:\n${after}`,
  )
}

/** How many texts a page has that a letter can be added to. */
export function countTexts(source: string): number {
  return textsOf(parsePage(source).document).length
}

function textsOf({ nodes }: Document): Typed[] {
  const found: Typed[] = []
  for (const [top, block] of nodes.entries()) {
    const add = (holder: object, name: string, type: string) => {
      const values = holder as Record<string, unknown>
      if (typeof values[name] !== 'string' || values[name] === '') return
      found.push({ get: () => values[name] as string, set: (text) => (values[name] = text), top, type })
    }
    const open: { node: Node; type: string }[] = [{ node: block as unknown as Node, type: '' }]
    for (let next = open.pop(); next; next = open.pop()) {
      const { node } = next
      const type = `${next.type} ${nameOf(node)}`.trim()
      if (node['object'] === 'leaf') add(node, 'text', next.type)
      for (const name of NAMED[nameOf(node)] ?? []) add(node['data'] as object, name, type)
      if (node['type'] === 'table')
        for (const column of Object.values((node['data'] as { definition: object }).definition))
          add(column as object, 'title', type)
      for (const inner of ['leaves', 'nodes', 'fragments'])
        for (const child of ((node[inner] ?? []) as Node[]).toReversed()) open.push({ node: child, type })
    }
  }
  return found
}

type Node = Record<string, unknown>

const nameOf = ({ type, fragment }: Node): string =>
  typeof type === 'string' ? type : typeof fragment === 'string' ? fragment : ''

/** The texts in the data of blocks and inlines. */
const NAMED: Record<string, string[]> = {
  'tabs-item': ['title'],
  prompt: ['description'],
  math: ['formula'],
  'inline-math': ['formula'],
  button: ['label'],
  image: ['alt'],
  'inline-image': ['alt', 'caption'],
}
