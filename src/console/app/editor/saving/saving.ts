/** The content that a save sends, and the changes that its response makes. Pure, and runs in Node too. */
import { append } from '../../../../core/data/lists.ts'
import type { Node } from 'prosemirror-model'
import { isBlankLine } from '../../../../core/document/build.ts'
import type { Block } from '../../../../core/document/model.ts'
import { normalText } from '../../../../core/document/normal-form.ts'
import { blockOf, nodeOf } from '../../content/schema/convert.ts'
import { differencesOf, type Replacement } from './replacing.ts'
import type { Schemas } from '../../api/operations/schemas.ts'

/** A top-level block that the server has, and its key. */
export interface KnownBlock {
  node: Node
  key: string
}

/** The page as the server has it in a revision. */
export interface SavedPage {
  revision: string
  title: string
  blocks: readonly KnownBlock[]
}

/** An entry of `document.blocks`: a block that stays, or one to write. */
export type SentEntry = { keep: string } | (Block & { key?: string })

/** The blocks to send, and the node of each. */
export interface SavePlan {
  entries: SentEntry[]
  nodes: Node[]
  isChanged: boolean
}

/** A block of the page after a save: see "Write single blocks" in the manual. */
export type WrittenEntry = Schemas['WrittenBlock']

const keyOf = (block: Block): string => block.key ?? ''

/** The page of blocks that were just read. */
export function savedPage(revision: string, title: string, blocks: readonly Block[]): SavedPage {
  return { revision, title, blocks: blocks.map((block) => ({ node: nodeOf(block), key: keyOf(block) })) }
}

/**
 * For each node, the index of the block that it is, or that it was before it changed; -1 for a new one. Nodes that did
 * not change are the same objects, or are equal to those that undo replaced.
 */
export function originsOf(nodes: readonly Node[], blocks: readonly KnownBlock[]): number[] {
  // Two equal blocks can be the same object: the first of the document is the first of the page.
  const places = new Map<Node, number[]>()
  for (const [index, { node }] of blocks.entries()) {
    const known = places.get(node)
    if (known) known.push(index)
    else places.set(node, [index])
  }
  const origins = nodes.map((node) => places.get(node)?.shift() ?? -1)
  const used = new Set(origins)
  pair((node, known) => node.eq(known))
  pair((node, known) => node.type === known.type && (node.content.size > 0 || !node.isTextblock))
  return origins

  /** Pairs the nodes between two that are known with the blocks between these, in order. */
  function pair(fits: (node: Node, known: Node) => boolean): void {
    const after: number[] = []
    let bound = blocks.length
    for (let i = nodes.length - 1; i >= 0; i--) {
      after[i] = bound
      if (origins[i]! >= 0) bound = origins[i]!
    }
    let next = 0
    for (const [i, node] of nodes.entries()) {
      if (origins[i]! >= 0) {
        next = origins[i]! + 1
        continue
      }
      for (let at = next; at < after[i]!; at++)
        if (!used.has(at) && fits(node, blocks[at]!.node)) {
          origins[i] = at
          used.add(at)
          next = at + 1
          break
        }
    }
  }
}

/** Plans what a save sends, so that the server has this document. It sends no empty lines between blocks. */
export function planSave(doc: Node, { blocks }: Pick<SavedPage, 'blocks'>): SavePlan {
  const all = originsOf(doc.children, blocks)
  const isSent = (node: Node, i: number) =>
    blocks[all[i]!]?.node.eq(node) === true || !isBlankLine(blockOf(node))
  const nodes = doc.children.filter(isSent)
  const origins = all.filter((_origin, i) => isSent(doc.child(i), i))
  const entries = nodes.map((node, i): SentEntry => {
    const origin = blocks[origins[i]!]
    if (origin && (origin.node === node || origin.node.eq(node))) return { keep: origin.key }
    const { key: _key, ...block } = trimmed(blockOf(node), origin && blockOf(origin.node))
    return origin ? { ...block, key: origin.key } : block
  })
  const isSame =
    entries.length === blocks.length &&
    entries.every((one, i) => 'keep' in one && one.keep === blocks[i]!.key)
  return { entries, nodes, isChanged: !isSame }
}

/**
 * The block without spaces at the ends of its lines: the writer may be about to go on there.
 * @param known the block as the server has it: where its lines end with spaces, they stay
 */
function trimmed(block: Block, known?: Block): Block {
  if (block.type === 'code' || !block.nodes) return block
  if (block.nodes[0]?.object === 'block') {
    const inside = (known?.nodes ?? []) as Block[]
    return { ...block, nodes: (block.nodes as Block[]).map((one, i) => trimmed(one, inside[i])) } as Block
  }
  const last = block.nodes.at(-1)
  const leaf = lastLeafOf(block)
  if (!leaf?.text.endsWith(' ') || last?.object !== 'text') return block
  if (known && lastLeafOf(known)?.text.endsWith(' ')) return block
  const leaves = [...last.leaves.slice(0, -1), { ...leaf, text: leaf.text.trimEnd() }]
  return { ...block, nodes: [...block.nodes.slice(0, -1), { ...last, leaves }] } as Block
}

function lastLeafOf({ nodes }: Block) {
  const last = nodes?.at(-1)
  return last?.object === 'text' ? last.leaves.at(-1) : undefined
}

/** Returns the changes that the response makes in the document that was sent, and the current blocks of the page. */
export function readAnswer(
  doc: Node,
  { nodes }: Pick<SavePlan, 'nodes'>,
  written: readonly WrittenEntry[],
): { replacements: Replacement[]; blocks: KnownBlock[] } {
  const places = new Map<Node, number>()
  doc.forEach((node, offset) => places.set(node, offset))
  const blocks: KnownBlock[] = []
  const replacements: Replacement[] = []
  let fresh: Node[] = []
  let next = 0

  for (const one of written) {
    if ('block' in one) {
      const node = nodeOf(one.block)
      fresh.push(node)
      blocks.push({ node, key: keyOf(one.block) })
      continue
    }
    const node = nodes[one.entry]!
    blocks.push({ node, key: one.key })
    if (one.entry < next) {
      // Others have moved it before a block that it followed: it stands there anew.
      fresh.push(node)
      continue
    }
    closeGap(one.entry)
    next = one.entry + 1
  }
  closeGap(nodes.length)
  return { replacements, blocks }

  /** Replaces the nodes that the answer does not have by the new ones. */
  function closeGap(end: number): void {
    const old = nodes.slice(next, end)
    const endOfGap = end < nodes.length ? places.get(nodes[end]!)! : endOf(nodes[end - 1])
    const at = old.length > 0 ? places.get(old[0]!)! : endOfGap
    append(replacements, differencesOf(old, fresh, at, places))
    fresh = []
  }

  function endOf(node: Node | undefined): number {
    return node ? places.get(node)! + node.nodeSize : 0
  }
}

/** True if the node says the same as that of the server, which has no spaces at the ends of lines. */
function isSaid(own: Node, known: Node): boolean {
  return own.eq(known) || normalText(trimmed(blockOf(own), blockOf(known))) === normalText(blockOf(known))
}

/** The newest blocks of a page as the answer to a save that changed nothing. */
export function asAnswer(saved: readonly KnownBlock[], newest: readonly Block[]): WrittenEntry[] {
  const nodes = newest.map(nodeOf)
  const origins = originsOf(nodes, saved)
  return newest.map((block, i) => {
    const entry = origins[i]!
    const known = saved[entry]?.node
    return known && isSaid(known, nodes[i]!) ? { entry, key: keyOf(block) } : { block }
  })
}

/** Which version of a block is taken that two writers have changed. */
export type ConflictChoice = 'mine' | 'theirs' | 'both'

/** The blocks of a page that two writers have changed since `base`. Only where both changed a block the choice counts. */
export function settle(
  base: readonly KnownBlock[],
  theirs: readonly KnownBlock[],
  mine: readonly Node[],
  choice: ConflictChoice,
): Node[] {
  const theirNodes = theirs.map(({ node }) => node)
  const [ofTheirs, ofMine] = [versions(theirNodes), versions(mine)]
  const settled: Node[] = []
  addNew(ofTheirs.before, ofMine.before)
  for (const [i, { node }] of base.entries()) {
    const [their, my] = [ofTheirs.at[i], ofMine.at[i]]
    const isTheirs = !their?.eq(node)
    const isMine = !my?.eq(node)
    const taken =
      isTheirs && isMine && !(their && my?.eq(their))
        ? { mine: [my], theirs: [their], both: [their, my] }[choice]
        : [isMine ? my : their]
    for (const one of taken) if (one) settled.push(one)
    addNew(ofTheirs.after[i]!, ofMine.after[i]!)
  }
  return settled

  /** Adds the blocks that only one of them has. */
  function addNew(their: readonly Node[], my: readonly Node[]): void {
    for (const node of their) settled.push(node)
    for (const node of my) if (!their.some((other) => other.eq(node))) settled.push(node)
  }

  /** For each block of the base, its version and the new blocks after it. */
  function versions(nodes: readonly Node[]) {
    const origins = originsOf(nodes, base)
    const at: (Node | undefined)[] = base.map(() => undefined)
    const after: Node[][] = base.map(() => [])
    const before: Node[] = []
    let last = -1
    for (const [i, node] of nodes.entries()) {
      const origin = origins[i]!
      if (origin >= 0) {
        at[origin] = node
        last = origin
      } else (last < 0 ? before : after[last]!).push(node)
    }
    return { at, after, before }
  }
}
