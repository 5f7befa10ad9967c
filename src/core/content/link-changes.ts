/** Derives the index of a revision's links from that of another revision, at a cost in proportion to what differs. */
import type { ContentRef } from '../document/model.ts'
import { jsonEqual } from '../data/json.ts'
import { textAt } from '../text/packed-texts.ts'
import { giveTurn } from '../runtime/turns.ts'
import { type LaterLinks, type LaterUse, type LinkIndex, numberOfSource } from './link-index.ts'
import type { LinkSource } from './link-places.ts'
import {
  keysTo,
  type LinkResolver,
  type LoadLinks,
  type ResolvedLink,
  type StoredContent,
  withLoadedLinks,
} from './link-resolving.ts'
import { changedTokens, type LinkChanges, type LinkTargets } from './link-tokens.ts'
import {
  dependentsOf,
  firstText,
  holdersOfSource,
  useOfHolder,
  type WholeIndex,
  wholeRelation,
  wholeStatus,
} from './link-uses.ts'
import type { PageRecord } from './revision.ts'
import type { PageTree } from './tree/tree.ts'

/** Beside a small whole, this many sources may differ. */
const FEW = 64
/** Beside a large whole, one source in so many may differ. Then a new whole costs less than to continue. */
const PART = 16

/**
 * Returns the index of a content, derived from that of another.
 * @param before the page tree of the other content
 * @returns undefined if so much differs that an index from nothing is cheaper, or if a page is not below its parent
 */
export async function linksAfter(
  index: LinkIndex,
  before: PageTree,
  now: StoredContent,
  changes: LinkChanges,
  load: LoadLinks,
): Promise<LinkIndex | undefined> {
  if (!before.regular || !now.tree.regular) return undefined
  const most = Math.max(FEW, index.whole.sourceKeys.ends.length / PART)
  if (changes.pages.length > most * PART) return undefined
  const affected = await affectedBy(index, before, now, changes, most)
  if (!affected || affected.sources.size + index.later.sources.size > most) return undefined

  const first = [...affected.sources].flatMap((key) => sourceRecord(now, key)?.document ?? [])
  return withLoadedLinks(now, first, load, (resolver) => derive(index, resolver, now, affected))
}

/** The sources, anchors and uses to look at again. */
interface Affected {
  /** The keys of the sources whose references to resolve. */
  sources: Set<string>
  /** The pages whose anchors to read. */
  anchors: Set<string>
  /** How the keys of uses begin whose targets were created or deleted. */
  targets: Set<string>
}

async function affectedBy(
  { whole, later }: LinkIndex,
  before: PageTree,
  { tree }: LinkTargets,
  changes: LinkChanges,
  most: number,
): Promise<Affected | undefined> {
  const tokens = changedTokens(before, tree, changes)
  const affected: Affected = { sources: new Set(), anchors: new Set(), targets: new Set() }
  const { sources, anchors, targets } = affected
  for (const { key, before: old, after: now } of changes.pages) {
    if (!old || !now) targets.add(keysTo('page', key))
    if (!old || !now || hasOtherReferences(old, now)) sources.add(`page ${key}`)
  }
  for (const { key, before: old, after: now } of changes.files)
    if (!old || !now) targets.add(keysTo('file', key))
  for (const { key, before: old, after: now } of changes.reusables) {
    if (!old || !now) targets.add(keysTo('reusable-content', key))
    if (!old || !now || old.document !== now.document || old.path !== now.path)
      sources.add(`reusable-content ${key}`)
  }
  const isAsked = (asked: Uint32Array) => asked.some((token) => tokens.has(token))
  for (const [key, source] of later.sources) if (source && isAsked(source.asked)) sources.add(key)
  for (const [page, asked] of later.anchors) if (isAsked(asked)) anchors.add(page)
  for (const token of tokens) {
    for (const by of dependentsOf(whole, token)) {
      const key = textAt(whole.sourceKeys, by >>> 1)
      if (by & 1) anchors.add(key.slice('page '.length))
      else if (!later.sources.has(key)) sources.add(key)
      if (sources.size + anchors.size > most) return undefined
    }
    await giveTurn()
  }
  return affected
}

function hasOtherReferences(old: PageRecord, now: PageRecord): boolean {
  if (old.document !== now.document || old.file !== now.file) return true
  const held = ({ cover, computed, target }: PageRecord) => [cover, computed, target]
  return !jsonEqual(held(old), held(now))
}

function sourceRecord({ tree, reusables }: LinkTargets, key: string): LinkSource | undefined {
  const [kind, id] = splitKey(key)
  return kind === 'page' ? tree.get(id) : reusables.get(id)
}

function splitKey(key: string): [kind: string, id: string] {
  const at = key.indexOf(' ')
  return [key.slice(0, at), key.slice(at + 1)]
}

async function derive(
  index: LinkIndex,
  resolver: LinkResolver,
  now: StoredContent,
  { sources: keys, anchors, targets }: Affected,
): Promise<LinkIndex> {
  const { whole, later } = index
  const sources = new Map(later.sources)
  const replaced = new Set(later.replaced)
  const edit = editing(index)

  for (const key of keys) {
    const earlier = sources.get(key)
    const number = numberOfSource(whole, key)
    for (const link of earlier?.links ?? []) edit.use(link.key).holders.delete(key)
    if (earlier === undefined && number !== undefined) {
      replaced.add(number)
      for (const at of holdersOfSource(whole, number))
        edit.use(textAt(whole.keys, useOfHolder(whole, at))).lost++
    }
    const record = sourceRecord(now, key)
    const source = record ? resolver.source(record) : null
    sources.set(key, source)
    for (const link of source?.links ?? []) {
      const { holders } = edit.use(link.key, link)
      const held = holders.get(key)
      if (held) held.push(link)
      else holders.set(key, [link])
    }
    await giveTurn()
  }

  const again = new Set(targets)
  for (const page of anchors) again.add(keysTo('page', page))
  await edit.useAll(again)
  for (const use of edit.used()) {
    if (edit.isNew(use) || again.has(beginningOf(use.key))) use.status = resolver.status(use.target)
    await giveTurn()
  }
  const read = new Map(later.anchors)
  for (const [page, { asked }] of resolver.anchors) read.set(page, asked)
  return { whole, later: { sources, replaced, anchors: read, ...edit.result() } }
}

/** The beginning that the key of a use shares with those of the same page, file or reusable content. */
function beginningOf(key: string): string {
  const id = key.indexOf('  ') + 2
  return key.slice(0, key.indexOf(' ', id) + 1)
}

/** Changes copies of the uses of an index. */
function editing({ whole, later }: LinkIndex) {
  const changed = new Map<string, LaterUse>()
  const added = new Set<LaterUse>()

  /** The use with a key, or a new one for a link. */
  function use(key: string, link?: ResolvedLink): LaterUse {
    const known = changed.get(key)
    if (known) return known
    const before = later.uses.get(key)
    const copy: LaterUse = before ? { ...before, holders: new Map(before.holders) } : useIn(whole, key, link)
    changed.set(key, copy)
    if (copy.number === undefined && !before) added.add(copy)
    return copy
  }

  return {
    use,
    used: () => changed.values(),
    /** Whether the status of a use is not known yet. */
    isNew: (one: LaterUse) => added.has(one),
    /** Copies all uses whose keys begin so. */
    async useAll(beginnings: ReadonlySet<string>): Promise<void> {
      for (const beginning of beginnings) {
        for (let number = firstText(whole.keys, beginning); number < whole.statuses.length; number++) {
          const key = textAt(whole.keys, number)
          if (!key.startsWith(beginning)) break
          use(key)
        }
        await giveTurn()
      }
      for (const [key, { number }] of later.uses)
        if (number === undefined && beginnings.has(beginningOf(key))) use(key)
    },
    result(): Pick<LaterLinks, 'uses' | 'byNumber' | 'added'> {
      const uses = new Map(later.uses)
      for (const [key, one] of changed) {
        if (differs(whole, one)) uses.set(key, one)
        else uses.delete(key)
      }
      const numbered = [...uses.values()].flatMap((one) =>
        one.number === undefined ? [] : [[one.number, one] as const],
      )
      const keys = [...uses.values()].flatMap(({ key, number }) => (number === undefined ? [key] : []))
      return { uses, byNumber: new Map(numbered), added: keys.toSorted() }
    },
  }
}

/** A use as the whole index has it, or a new one for a link. */
function useIn(whole: WholeIndex, key: string, link: ResolvedLink | undefined): LaterUse {
  const number = firstText(whole.keys, key)
  const isKnown = number < whole.statuses.length && textAt(whole.keys, number) === key
  if (isKnown)
    return {
      key,
      number,
      relation: wholeRelation(whole, number),
      target: JSON.parse(textAt(whole.targets, number)) as ContentRef,
      status: wholeStatus(whole, number),
      lost: 0,
      holders: new Map(),
    }
  if (!link) throw new Error(`No use has the key ${key}`)
  const { relation, target } = link
  return { key, number: undefined, relation, target, status: 'broken', lost: 0, holders: new Map() }
}

function differs(whole: WholeIndex, { number, lost, holders, status }: LaterUse): boolean {
  if (number === undefined) return holders.size > 0
  return lost > 0 || holders.size > 0 || wholeStatus(whole, number) !== status
}
