/** Taking back what was done to a page since a revision: the whole of it, or some of its blocks. */
import { diffArrays } from 'diff'
import { placeAt, takenSlugs, withAllBelow } from './batch-place.ts'
import { refuse } from './batch-refused.ts'
import type { Block } from './document/model.ts'
import { parsePage } from './document/parse.ts'
import { hasPath, type PageRecord } from './revision.ts'
import type { PageTree } from './tree.ts'
import { uniqueSlug } from './tree-rules.ts'

/** Records to set, or to remove where null. */
export type Changed = Map<string, PageRecord | null>

/**
 * A page as it was in another tree. One that was added since vanishes, and what was added below it; one that was deleted
 * comes back, with what was deleted below it. It stands where it stood, if its parent is still there.
 * @throws BatchRefused
 */
export function revertPage(tree: PageTree, base: PageTree, id: string, index: number): Changed {
  const [is, was] = [tree.get(id), base.get(id)]
  if (is && was) return new Map([[id, asBefore(tree, base, is, was)]])
  if (was) return broughtBack(tree, base, was)
  if (is) return vanished(tree, base, is)
  return refuse(index, 'page', `"${id}" is neither a page of this content nor of the revision`)
}

function asBefore(tree: PageTree, base: PageTree, is: PageRecord, was: PageRecord): PageRecord {
  const parent = base.parent(was.id)
  const line = parent === null ? [] : [parent, ...tree.ancestors(parent).map((page) => page.id)]
  const isThere = parent === null || (tree.get(parent) !== undefined && !line.includes(was.id))
  const place = isThere ? { parent, order: was.order } : { parent: is.parent, order: is.order }
  return slugged(tree, { ...was, ...place })
}

function broughtBack(tree: PageTree, base: PageTree, was: PageRecord): Changed {
  const above = base.ancestors(was.id)
  const parent = above.find(({ id }) => tree.get(id))?.id ?? null
  const stands = parent === base.parent(was.id)
  const place = stands ? { parent, order: was.order } : placeAt(tree, parent)
  const found: Changed = new Map([
    [was.id, slugged(tree, { ...was, parent: place.parent, order: place.order })],
  ])
  if (!stands)
    for (const sibling of (place as ReturnType<typeof placeAt>).moved) found.set(sibling.id, sibling)

  const waiting = [was.id]
  for (const one of waiting) {
    for (const child of base.children(one)) {
      // What is somewhere else by now stays there.
      if (tree.get(child.id)) continue
      found.set(child.id, child)
      waiting.push(child.id)
    }
  }
  return found
}

/** Pages below it that the revision has too move up to where it stood. */
function vanished(tree: PageTree, base: PageTree, is: PageRecord): Changed {
  const kept: PageRecord[] = []
  const gone = [is.id]
  for (const one of gone) {
    for (const child of tree.children(one)) {
      if (base.get(child.id)) kept.push(child)
      else gone.push(child.id)
    }
  }

  const changed: Changed = new Map()
  let after = tree
  const set = (pages: Changed) => {
    after = after.apply(pages)
    for (const [id, page] of pages) changed.set(id, page)
  }
  const parent = tree.parent(is.id)
  let at = tree.children(parent).findIndex(({ id }) => id === is.id)
  for (const page of kept) {
    const { order, moved } = placeAt(after, parent, at++)
    set(new Map([...moved.map((one) => [one.id, one] as const), [page.id, { ...page, parent, order }]]))
  }
  set(new Map(gone.map((id) => [id, null])))
  // Only now is the slug free that the page had.
  for (const { id } of kept) set(new Map([[id, slugged(after, after.get(id)!)]]))
  return changed
}

function slugged(tree: PageTree, page: PageRecord): PageRecord {
  if (!hasPath(page)) return page
  return { ...page, slug: uniqueSlug(page.slug, takenSlugs(tree, page.parent, page.id)) }
}

/** Every page that goes with a page. */
export function removed(tree: PageTree, id: string): Changed {
  return new Map(withAllBelow(tree, id).map((one) => [one, null]))
}

interface Unit {
  type: string
  text: string
  /** Which block of its source it is. */
  index: number
  /** What stands between it and the next. */
  gap: string
  /** The key of the block, then those of the blocks in it. */
  keys: string[]
}

/** What becomes of a place in the text: a block now, the block before, or both where one became the other. */
interface Pair {
  is?: Unit
  was?: Unit
}

/** Beyond so many changed blocks nothing is matched: every block is another one. */
const MOST_CHANGES = 4000

/**
 * The source with some blocks as they were: a changed one is what it was, an added one goes, a deleted one is back. A key
 * names the block at the top level that it is in, by its text now or before.
 * @throws BatchRefused
 */
export function revertBlocks(source: string, before: string, keys: readonly string[], index: number): string {
  const now = unitsOf(source)
  const pairs = pairUp(now.units, unitsOf(before).units)
  const named = byKey(pairs)
  const chosen = new Set<Pair>()
  keys.forEach((key, i) => {
    const found = named.get(key)
    if (!found) refuse(index, `block.${i}`, `"${key}" is not a block of the page, now or in the revision`)
    for (const pair of found) chosen.add(pair)
  })

  const parts = pairs.flatMap((pair): Pair[] => {
    if (pair.is?.text === pair.was?.text) return [pair]
    if (chosen.has(pair)) return pair.was ? [{ was: pair.was }] : []
    return pair.is ? [{ is: pair.is }] : []
  })
  const texts = parts.map((part, i) => {
    const next = parts[i + 1]
    return textOf(part) + (next ? between(part, next) : '')
  })
  const isFirst = now.units.length === 0 && now.head !== '' && texts.length > 0
  const head = isFirst && !/\n\s*\n$/.test(now.head) ? `${now.head.trimEnd()}\n\n` : now.head
  return head + texts.join('') + (now.units.length === 0 && texts.length > 0 ? '\n' : now.tail)
}

const textOf = ({ is, was }: Pair) => is?.text ?? was?.text ?? ''

/** What stood between two blocks, now or before; where they never stood together, a blank line. */
function between(part: Pair, next: Pair): string {
  if (part.is && next.is?.index === part.is.index + 1) return part.is.gap
  if (part.was && next.was?.index === part.was.index + 1) return part.was.gap
  return '\n\n'
}

/** A block that was moved is in two places: it goes from the one and is back at the other. */
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

function unitsOf(source: string): { units: Unit[]; head: string; tail: string } {
  const { document, spans } = parsePage(source)
  const units = document.nodes.map((block, index): Unit => {
    const { start, end } = spans[index]!
    const gap = source.slice(end, spans[index + 1]?.start)
    return { type: block.type, text: source.slice(start, end), index, gap, keys: [...keysIn(block)] }
  })
  const end = spans.at(-1)?.end
  return { units, head: source.slice(0, spans[0]?.start), tail: end === undefined ? '' : source.slice(end) }
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
 * Aligns blocks by their text; between those, by their type; and what is left, in order. A block that was moved is
 * aligned with none: it did not become another one.
 */
function pairUp(now: readonly Unit[], before: readonly Unit[]): Pair[] {
  const gaps = gapsOf(now, before, ({ text }) => text)
  const [left, gone] = [new Set<string | undefined>(), new Set<string | undefined>()]
  for (const gap of gaps) {
    if ('same' in gap) continue
    for (const { keys } of gap.now) left.add(keys[0])
    for (const { keys } of gap.before) gone.add(keys[0])
  }
  const isMoved = ({ keys: [own] }: Unit) => left.has(own) && gone.has(own)

  return gaps.flatMap((gap) => {
    if ('same' in gap) return gap.same
    const inner = gapsOf(gap.now, gap.before, (unit) => (isMoved(unit) ? '' : unit.type))
    return inner.flatMap((one) => inOrder('same' in one ? unitsIn(one.same) : one, isMoved))
  })
}

function unitsIn(pairs: readonly Pair[]): { now: Unit[]; before: Unit[] } {
  return { now: pairs.flatMap(({ is }) => is ?? []), before: pairs.flatMap(({ was }) => was ?? []) }
}

type Gap = { same: Pair[] } | { now: Unit[]; before: Unit[] }

function gapsOf(now: readonly Unit[], before: readonly Unit[], by: (unit: Unit) => string): Gap[] {
  const parts = diffArrays(before.map(by), now.map(by), { maxEditLength: MOST_CHANGES })
  if (!parts) return [{ now: [...now], before: [...before] }]

  const gaps: Gap[] = []
  let [i, j] = [0, 0]
  for (const { count, added, removed: gone } of parts) {
    const [units, olds] = [gone ? [] : now.slice(j, j + count), added ? [] : before.slice(i, i + count)]
    j += units.length
    i += olds.length
    const last = gaps.at(-1)
    if (!added && !gone) gaps.push({ same: units.map((is, n) => ({ is, was: olds[n]! })) })
    else if (last && 'now' in last) {
      last.now.push(...units)
      last.before.push(...olds)
    } else gaps.push({ now: units, before: olds })
  }
  return gaps
}

function inOrder(
  { now, before }: { now: readonly Unit[]; before: readonly Unit[] },
  isMoved: (unit: Unit) => boolean,
): Pair[] {
  const pairs: Pair[] = []
  for (let [i, j] = [0, 0]; i < now.length || j < before.length;) {
    const [is, was] = [now[i], before[j]]
    if (is && isMoved(is)) pairs.push({ is })
    else if (was && isMoved(was)) pairs.push({ was })
    else pairs.push({ ...(is && { is }), ...(was && { was }) })
    const last = pairs.at(-1)!
    if (last.is) i++
    if (last.was) j++
  }
  return pairs
}
