/** Puts what others have written into a document that is being written. Pure, and runs in Node too. */
import { append } from '../../../../core/data/lists.ts'
import { Fragment, type Node, Slice } from 'prosemirror-model'
import type { Transaction } from 'prosemirror-state'
import type { Mapping } from 'prosemirror-transform'
import { diffWords, splitWords } from '../../../../core/content/edit/word-merge.ts'

/** A part of the document that was sent, and what replaces it. */
export interface Replacement {
  from: number
  to: number
  slice: Slice
}

/** Nodes as a slice of the document. */
const wholeOf = (nodes: readonly Node[]): Slice => new Slice(Fragment.from(nodes), 0, 0)

/**
 * Returns the replacements that turn a node into another one: only the words and blocks that differ, so that a caret
 * and the text that is typed elsewhere in the block stay.
 * @param at the position before the node
 */
export function differences(old: Node, now: Node, at: number): Replacement[] {
  if (old.eq(now)) return []
  if (!old.sameMarkup(now) || old.isLeaf) return [{ from: at, to: at + old.nodeSize, slice: wholeOf([now]) }]
  if (old.inlineContent) return differencesOfLine(old, now, at + 1)
  return differencesOf(old.children, now.children, at + 1)
}

/**
 * Returns the replacements that turn nodes into other ones.
 * @param at the position before the first node
 * @param places the positions of the nodes, if there are others between them
 */
export function differencesOf(
  was: readonly Node[],
  is: readonly Node[],
  at: number,
  places?: ReadonlyMap<Node, number>,
): Replacement[] {
  const found: Replacement[] = []
  let to = at
  for (const [old, now] of pairNodes(was, is)) {
    const from = (old && places?.get(old)) ?? to
    to = from + (old?.nodeSize ?? 0)
    if (old && now) append(found, differences(old, now, from))
    else found.push({ from, to, slice: wholeOf(now ? [now] : []) })
  }
  return found
}

/** The words that differ between two lines. @param at the position before the first word */
function differencesOfLine(old: Node, now: Node, at: number): Replacement[] {
  const [was, is] = [tokensOf(old), tokensOf(now)]
  return diffWords(was.names, is.names).map(({ aStart, aEnd, bStart, bEnd }) => ({
    from: at + was.offsets[aStart]!,
    to: at + was.offsets[aEnd]!,
    slice: now.slice(is.offsets[bStart]!, is.offsets[bEnd]),
  }))
}

/** The words of a line with their marks, and its other nodes. Equal ones have equal names. */
function tokensOf(line: Node): { names: string[]; offsets: number[] } {
  const names: string[] = []
  const offsets = [0]
  for (const node of line.children) {
    const marks = JSON.stringify(node.marks)
    for (const word of node.isText ? splitWords(node.text ?? '') : [undefined]) {
      names.push(word === undefined ? JSON.stringify(node) : `${marks} ${word}`)
      offsets.push(offsets.at(-1)! + (word?.length ?? node.nodeSize))
    }
  }
  return { names, offsets }
}

type Pair = [old: Node | undefined, now: Node | undefined]

/** Longer parts of a page are replaced as a whole. */
const MOST_PAIRS = 40_000

/** A node that stays counts for more than all words of the others. */
const STAYS = 1_000_000

/**
 * Pairs the nodes that stay or became others, in order: those of the same type that have most words in common. The
 * others are alone in their pairs.
 */
function pairNodes(was: readonly Node[], is: readonly Node[]): Pair[] {
  const most = Math.min(was.length, is.length)
  let start = 0
  while (start < most && was[start]!.eq(is[start]!)) start++
  let end = 0
  while (end < most - start && was.at(-1 - end)!.eq(is.at(-1 - end)!)) end++
  const between = (nodes: readonly Node[]) => nodes.slice(start, nodes.length - end)
  const same = (nodes: readonly Node[]) => nodes.map((node): Pair => [node, node])
  return [
    ...same(was.slice(0, start)),
    ...pairChanged(between(was), between(is)),
    ...same(was.slice(was.length - end)),
  ]
}

/**
 * As for the longest common subsequence, with the number of common words instead of equality. Between two pairs, as many
 * nodes as before are paired in order.
 */
function pairChanged(was: readonly Node[], is: readonly Node[]): Pair[] {
  const isSmall = was.length * is.length <= MOST_PAIRS
  const [wordsWas, wordsIs] = [was, is].map((nodes) => nodes.map(wordsIn)) as [string[][], string[][]]
  const common = was.map((old, i) =>
    is.map((now, j) => {
      if (!isSmall || old.type !== now.type) return 0
      const words = commonWords(wordsWas[i]!, wordsIs[j]!)
      // A caret stays in a node that stays: it is not paired with another version of itself.
      return words > 0 && old.eq(now) ? words + STAYS : words
    }),
  )
  // The best sum from here on.
  const best = Array.from({ length: was.length + 1 }, () => Array.from({ length: is.length + 1 }, () => 0))
  for (let i = was.length - 1; i >= 0; i--)
    for (let j = is.length - 1; j >= 0; j--) {
      const both = common[i]![j]! > 0 ? common[i]![j]! + best[i + 1]![j + 1]! : 0
      best[i]![j] = Math.max(best[i + 1]![j]!, best[i]![j + 1]!, both)
    }
  const pairs: Pair[] = []
  let [gone, come]: [Node[], Node[]] = [[], []]
  let [i, j] = [0, 0]
  while (i < was.length || j < is.length) {
    const score = common[i]?.[j] ?? 0
    if (score > 0 && best[i]![j] === score + best[i + 1]![j + 1]!) {
      closeGap()
      pairs.push([was[i++], is[j++]])
    } else if (i < was.length && best[i]![j] === best[i + 1]![j]) gone.push(was[i++]!)
    else come.push(is[j++]!)
  }
  closeGap()
  return pairs

  function closeGap(): void {
    if (gone.length === come.length)
      append(
        pairs,
        gone.map((old, at): Pair => [old, come[at]]),
      )
    else {
      // Deletions come before insertions: `replaceIn` begins at the end, so no node is ever left without content, which
      // ProseMirror would fill with an empty paragraph.
      append(
        pairs,
        gone.map((old): Pair => [old, undefined]),
      )
      append(
        pairs,
        come.map((now): Pair => [undefined, now]),
      )
    }
    gone = []
    come = []
  }
}

const wordsIn = (node: Node): string[] => splitWords(node.textContent).filter((word) => /\S/.test(word))

/** How many words two texts have in common, if these are at least half of those of the shorter one. */
function commonWords(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>()
  for (const word of a) left.set(word, (left.get(word) ?? 0) + 1)
  let count = 0
  for (const word of b) {
    const more = left.get(word) ?? 0
    if (more > 0) count++
    left.set(word, more - 1)
  }
  return 2 * count >= Math.min(a.length, b.length) ? count : 0
}

/**
 * Makes the replacements in a document that has changed since. Nothing that was typed since is lost: it stays beside the
 * words of the others, also where these replace the words around it.
 * @param sent the document that was sent
 * @param since the changes since then
 */
export function replaceIn(
  tr: Transaction,
  replacements: readonly Replacement[],
  sent: Node,
  since: Mapping,
): Transaction {
  for (const { from, to, slice } of replacements.toReversed()) {
    const start = since.map(from, from < to ? 1 : -1)
    const end = Math.max(start, since.map(to, -1))
    if (from === to || sent.slice(from, to).eq(tr.doc.slice(start, end))) tr.replace(start, end, slice)
    else if (sent.resolve(from).parent.inlineContent) {
      tr.replace(end, end, slice)
      deleteLeft(tr, { from, to }, since)
    }
    // A block that the writer has changed in the meantime stays, beside that of the others.
    else if (slice.size > 0) tr.replace(start, start, slice)
  }
  return tr.setMeta('addToHistory', false)
}

/**
 * Deletes what is left of a range, without what was typed in it. A space beside a word that was typed stays, so that the
 * word does not become a part of its neighbour.
 */
function deleteLeft(tr: Transaction, { from, to }: { from: number; to: number }, since: Mapping): void {
  for (let at = to - 1; at >= from; at--) {
    const [start, end] = [since.mapResult(at, 1), since.mapResult(at + 1, -1)]
    if (start.deletedAfter || end.deletedBefore || end.pos !== start.pos + 1) continue
    const isTypedBefore = since.map(at, -1) < start.pos
    const isTypedAfter = since.map(at + 1, 1) > end.pos
    const divides =
      (isTypedBefore || isTypedAfter) &&
      isSpaceAt(tr.doc, start.pos) &&
      !(isTypedBefore && isSpaceAt(tr.doc, start.pos - 1)) &&
      !(isTypedAfter && isSpaceAt(tr.doc, end.pos))
    if (!divides) tr.delete(start.pos, end.pos)
  }
}

/** Whether a character is white space. @param at the position before it */
function isSpaceAt(doc: Node, at: number): boolean {
  const { parent, parentOffset } = doc.resolve(at)
  if (!parent.inlineContent || parentOffset >= parent.content.size) return false
  return /^\s/.test(parent.textBetween(parentOffset, parentOffset + 1, undefined, 'x'))
}
