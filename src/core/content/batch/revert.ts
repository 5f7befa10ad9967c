/** Reverts a page, or some of its blocks, to an earlier revision. */
import { need, needItem } from '../../data/lists.ts'
import { placeAmongSiblings, withAllBelow } from './place.ts'
import { pageProblem } from '../limits.ts'
import { refuseBatch } from './refused.ts'
import type { Block } from '../../document/model.ts'
import { alignBlocks } from '../align-blocks.ts'
import { diffSequences } from '../line-merge.ts'
import { type Effort, MOST_STEPS } from '../myers-diff.ts'
import { frontMatterEnd } from '../../document/front-matter/front-matter.ts'
import { runOf, unitsOf } from '../body-units.ts'
import { hasPath, type PageRecord } from '../revision.ts'
import type { PageTree } from '../tree/tree.ts'
import { takenSlugs, uniqueSlug } from '../tree/rules.ts'
import { because } from '../../languages/reasons.ts'
import type { Reasoned } from '../../languages/reasoned.ts'

/** Records to set, or to remove where null. */
export type RevertedPages = Map<string, PageRecord | null>

/**
 * Reverts a page to another tree. A page that was added since is deleted, with the pages that were added below it. A page
 * that was deleted is restored, with the pages that were deleted below it, at its old place if its parent still exists.
 * @throws BatchRefused
 */
export function revertPage(tree: PageTree, base: PageTree, id: string, index: number): RevertedPages {
  const [is, was] = [tree.get(id), base.get(id)]
  if (is && was) return new Map([[id, asBefore(tree, base, is, was)]])
  if (was) return restored(tree, base, was)
  if (is) return deletedPage(tree, base, is)
  return refuseBatch(index, 'page', because('page-of-neither', { id }))
}

function asBefore(tree: PageTree, base: PageTree, is: PageRecord, was: PageRecord): PageRecord {
  const parent = base.parent(was.id)
  const line = parent === null ? [] : [parent, ...tree.ancestors(parent).map((page) => page.id)]
  const hasParent = parent === null || (tree.get(parent) !== undefined && !line.includes(was.id))
  const place = hasParent ? { parent, order: was.order } : { parent: is.parent, order: is.order }
  // A page keeps its repository path for life, so that links to it keep their target.
  const file = is.file ?? was.file
  return slugged(tree, { ...was, ...place, ...(file === undefined ? {} : { file }) })
}

function restored(tree: PageTree, base: PageTree, was: PageRecord): RevertedPages {
  const above = base.ancestors(was.id)
  const parent = above.find(({ id }) => tree.get(id))?.id ?? null
  const hasPlace = parent === base.parent(was.id)
  const place = hasPlace ? { parent, order: was.order } : placeAmongSiblings(tree, parent)
  const found: RevertedPages = new Map([
    [was.id, slugged(tree, { ...was, parent: place.parent, order: place.order })],
  ])
  if (!hasPlace)
    for (const sibling of (place as ReturnType<typeof placeAmongSiblings>).moved)
      found.set(sibling.id, sibling)

  const waiting = [was.id]
  for (const one of waiting) {
    for (const child of base.children(one)) {
      // A page that was moved elsewhere keeps its current place.
      if (tree.get(child.id)) continue
      found.set(child.id, child)
      waiting.push(child.id)
    }
  }
  return found
}

/** Deletes a page added since the revision. Pages below it that the revision also has move up to its place. */
function deletedPage(tree: PageTree, base: PageTree, is: PageRecord): RevertedPages {
  const kept: PageRecord[] = []
  const gone = [is.id]
  for (const one of gone) {
    for (const child of tree.children(one)) {
      if (base.get(child.id)) kept.push(child)
      else gone.push(child.id)
    }
  }

  const changed: RevertedPages = new Map()
  let after = tree
  const set = (pages: RevertedPages) => {
    after = after.apply(pages)
    for (const [id, page] of pages) changed.set(id, page)
  }
  const parent = tree.parent(is.id)
  let at = tree.children(parent).findIndex(({ id }) => id === is.id)
  for (const page of kept) {
    const { order, moved } = placeAmongSiblings(after, parent, at++)
    set(new Map([...moved.map((one) => [one.id, one] as const), [page.id, { ...page, parent, order }]]))
  }
  set(new Map(gone.map((id) => [id, null])))
  // The slug of the deleted page is free only after the deletion.
  for (const { id } of kept) set(new Map([[id, slugged(after, need(after, id))]]))
  return changed
}

function slugged(tree: PageTree, page: PageRecord): PageRecord {
  if (!hasPath(page)) return page
  return { ...page, slug: uniqueSlug(page.slug, takenSlugs(tree, page.parent, page.id)) }
}

/** Deletes a page and all pages below it. */
export function removed(tree: PageTree, id: string): RevertedPages {
  return new Map(withAllBelow(tree, id).map((one) => [one, null]))
}

interface Unit {
  text: string
  /** The index of the unit in its source. */
  index: number
  /** The text between this unit and the next one. */
  gap: string
  /** The keys of its blocks, each followed by the keys of the blocks in it; none for text that displays nothing. */
  keys: string[]
}

/** A current unit, a unit of the revision, or both if one is a version of the other. */
interface Pair {
  is?: Unit
  was?: Unit
}

/** Some blocks of a page, and the versions of the page between which they are reverted. */
export interface BlockRevert {
  /** The title of the page, for the message of a problem. */
  title: string
  source: string
  before: string
  /** Each names a block of either source, or a block within it. */
  keys: readonly string[]
}

/** The source with the blocks reverted and why it exceeds a limit, or the index of a key that is in neither. */
export type RevertedBlocks = { text: string; problem?: Reasoned | undefined } | { missing: number }

/** Reverts blocks as a task for a thread. */
export function revertBlocksTask(reverts: readonly BlockRevert[]): RevertedBlocks[] {
  return reverts.map(revertBlocks)
}

/**
 * Reverts some blocks of a source: changed blocks get their old text, added blocks are removed, deleted blocks are
 * restored.
 */
export function revertBlocks({ title, source, before, keys }: BlockRevert): RevertedBlocks {
  const now = splitUnits(source)
  const pairs = pairUp(now.units, splitUnits(before).units)
  const named = byKey(pairs)
  const chosen = new Set<Pair>()
  for (const [i, key] of keys.entries()) {
    const found = named.get(key)
    if (!found) return { missing: i }
    for (const pair of found) chosen.add(pair)
  }

  const parts = pairs.flatMap((pair): Pair[] => {
    if (pair.is?.text === pair.was?.text) return [pair]
    if (chosen.has(pair)) return pair.was ? [{ was: pair.was }] : []
    return pair.is ? [{ is: pair.is }] : []
  })
  const texts = parts.map((part, i) => {
    const next = parts[i + 1]
    return pairText(part) + (next ? between(part, next) : '')
  })
  const isFirst = now.units.length === 0 && now.head.trim() !== '' && texts.length > 0
  const head = isFirst && !endsInBlankLine(now.head) ? `${now.head.trimEnd()}\n\n` : now.head
  const text = head + texts.join('') + (now.units.length === 0 && texts.length > 0 ? '\n' : now.tail)
  return { text, problem: pageProblem(title, text) }
}

function endsInBlankLine(text: string): boolean {
  return text.endsWith('\n') && text.slice(text.trimEnd().length, -1).includes('\n')
}

const pairText = ({ is, was }: Pair) => is?.text ?? was?.text ?? ''

/** The text between two blocks in either source; a blank line if they were never neighbours. */
function between(part: Pair, next: Pair): string {
  if (part.is && next.is?.index === part.is.index + 1) return part.is.gap
  if (part.was && next.was?.index === part.was.index + 1) return part.was.gap
  return '\n\n'
}

/** The pairs by the keys of their blocks. A block that was moved is in two pairs. */
function byKey(pairs: readonly Pair[]): Map<string, Pair[]> {
  const found = new Map<string, Pair[]>()
  for (const pair of pairs) {
    for (const key of new Set([...(pair.is?.keys ?? []), ...(pair.was?.keys ?? [])])) {
      const others = found.get(key)
      if (others) others.push(pair)
      else found.set(key, [pair])
    }
  }
  return found
}

function splitUnits(source: string): { units: Unit[]; head: string; tail: string } {
  const found = unitsOf(source)
  const { blocks, gaps } = runOf(found)
  const [before = '', ...after] = gaps
  const units = blocks.map((text, index): Unit => {
    const keys = needItem(found.nodes, index).flatMap((block) => [...keysIn(block)])
    return { text, index, gap: needItem(after, index), keys }
  })
  const head = source.slice(0, frontMatterEnd(source)) + before
  return { units, head, tail: units.at(-1)?.gap ?? '' }
}

function* keysIn(node: object): Generator<string> {
  const {
    key,
    nodes = [],
    fragments = [],
  } = node as Partial<Block> & { nodes?: object[]; fragments?: object[] }
  if (key !== undefined) yield key
  for (const inner of [...nodes, ...fragments]) yield* keysIn(inner)
}

/**
 * Pairs the versions of each block. A moved block has no partner: it is removed at one place and added at the other.
 */
function pairUp(now: readonly Unit[], before: readonly Unit[]): Pair[] {
  const effort: Effort = { left: MOST_STEPS }
  const hasNoPartner = withoutPartner(now, before, effort)
  const [kept, keptBefore] = [now, before].map((units) => units.filter((unit) => !hasNoPartner(unit))) as [
    Unit[],
    Unit[],
  ]
  const matches = alignBlocks(textsOf(keptBefore), textsOf(kept), effort)
  const partners = new Map<Unit, Unit>()
  keptBefore.forEach((was, i) => {
    const is = kept[needItem(matches, i)]
    if (is && hasBlocks(is) === hasBlocks(was)) partners.set(was, is)
  })

  const pairs: Pair[] = []
  let next = 0
  const addUntil = (end: Unit | undefined) => {
    for (let is = now[next]; is && is !== end; is = now[++next]) pairs.push({ is })
  }
  // A new title stays before restored blocks.
  if (!partners.values().some((unit) => unit === now[0])) addUntil(now.find(hasBlocks))
  for (const was of before) {
    const is = partners.get(was)
    if (!is) {
      pairs.push({ was })
      continue
    }
    addUntil(is)
    pairs.push({ is, was })
    next++
  }
  addUntil(undefined)
  return pairs
}

/**
 * Returns a test for units that have no partner: blocks that both sources have, at different places, and text that
 * displays nothing and that only one source has.
 */
function withoutPartner(
  now: readonly Unit[],
  before: readonly Unit[],
  effort: Effort,
): (unit: Unit) => boolean {
  const [inserted, deleted] = [new Set<string | undefined>(), new Set<string | undefined>()]
  const changed = new Set<Unit>()
  for (const { aStart, aEnd, bStart, bEnd } of diffSequences(textsOf(before), textsOf(now), effort)) {
    for (const unit of before.slice(aStart, aEnd)) {
      deleted.add(unit.keys[0])
      changed.add(unit)
    }
    for (const unit of now.slice(bStart, bEnd)) {
      inserted.add(unit.keys[0])
      changed.add(unit)
    }
  }
  const isMoved = ({ keys: [key] }: Unit) => inserted.has(key) && deleted.has(key)
  return (unit) => changed.has(unit) && (!hasBlocks(unit) || isMoved(unit))
}

const hasBlocks = ({ keys }: Unit) => keys.length > 0
const textsOf = (units: readonly Unit[]) => units.map(({ text }) => text)
