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
  const changed: Changed = new Map()
  const parent = tree.parent(is.id)
  let after = tree
  const set = (pages: Changed) => {
    after = after.apply(pages)
    for (const [id, page] of pages) changed.set(id, page)
  }
  const kept: PageRecord[] = []
  const waiting = [is.id]
  for (const one of waiting) {
    set(new Map([[one, null]]))
    for (const child of tree.children(one)) {
      if (base.get(child.id)) kept.push(child)
      else waiting.push(child.id)
    }
  }
  let at = tree.children(parent).findIndex(({ id }) => id === is.id)
  for (const page of kept) {
    // Without its parent it stands at the top level: it is put where it belongs before the next one is.
    const { order, moved } = placeAt(after, parent, at++, page.id)
    const placed = slugged(after, { ...page, parent, order })
    set(new Map([...moved.map((one) => [one.id, one] as const), [page.id, placed]]))
  }
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
  /** The keys of the block and of those in it. */
  keys: Set<string>
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
  const chosen = new Set<Pair>()
  keys.forEach((key, i) => {
    const pair = pairs.find(({ is }) => is?.keys.has(key)) ?? pairs.find(({ was }) => was?.keys.has(key))
    if (!pair) refuse(index, `block.${i}`, `"${key}" is not a block of the page, now or in the revision`)
    chosen.add(pair)
  })

  const texts = pairs.flatMap((pair): { text: string; gap?: string }[] => {
    const { is, was } = pair
    const unit = chosen.has(pair) ? was : is
    const gap = is && now.gaps[now.units.indexOf(is)]
    return unit ? [{ text: unit.text, ...(gap === undefined ? {} : { gap }) }] : []
  })
  const between = ({ gap = '' }: { gap?: string }) => (/\n[ \t]*\r?\n/.test(gap) ? gap : '\n\n')
  const body = texts.map((one, i) => one.text + (i === texts.length - 1 ? '' : between(one))).join('')
  const end = now.units.length === 0 ? '\n' : now.tail
  const start =
    now.head === '' || /\n\s*\n$/.test(now.head) || now.units.length > 0
      ? now.head
      : `${now.head.trimEnd()}\n\n`
  return start + body + (body === '' ? '' : end)
}

function unitsOf(source: string) {
  const { document, spans } = parsePage(source)
  const units = document.nodes.map((block, i): Unit => {
    const { start, end } = spans[i]!
    return { type: block.type, text: source.slice(start, end), keys: new Set(keysIn(block)) }
  })
  return {
    units,
    head: source.slice(0, spans[0]?.start),
    gaps: spans.map(({ end }, i) => source.slice(end, spans[i + 1]?.start)),
    tail: source.slice(spans.at(-1)?.end ?? source.length),
  }
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

/** Aligns blocks by their text; between those, by their type; and what is left, in order. */
function pairUp(now: readonly Unit[], before: readonly Unit[]): Pair[] {
  return gapsOf(now, before, ({ text }) => text).flatMap((gap) => {
    if ('same' in gap) return gap.same
    return gapsOf(gap.now, gap.before, ({ type }) => type).flatMap((inner) =>
      'same' in inner ? inner.same : inOrder(inner),
    )
  })
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

function inOrder({ now, before }: { now: Unit[]; before: Unit[] }): Pair[] {
  return Array.from({ length: Math.max(now.length, before.length) }, (_, i) => {
    const [is, was] = [now[i], before[i]]
    return { ...(is && { is }), ...(was && { was }) }
  })
}
