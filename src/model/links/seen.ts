/** The uses of a revision's links, as one caller sees them. */
import {
  type Holder,
  type LinkIndex,
  statusAt,
  holdersAt,
  holdersIn,
  keyAt,
  statusesOf,
  targetAt,
  usesOf,
} from '../../core/content/link-index.ts'
import { INDEXED_STATUSES, type IndexedStatus } from '../../core/content/link-uses.ts'
import type { ContentRef } from '../../core/document/model.ts'
import { giveTurn } from '../../core/runtime/turns.ts'
import type { RevisionLinks } from './link-index.ts'
import { checkOutside, type LinkReader } from './outside-targets.ts'
import { ownAddresses, type OwnTarget } from './own-addresses.ts'
import { brokenExternally, type ExternalFailure } from './external-links.ts'
import { ownHostsAmong, usesByHost } from './web-hosts.ts'

const OK = INDEXED_STATUSES.indexOf('ok')
const BROKEN = INDEXED_STATUSES.indexOf('broken')
const ELSEWHERE = INDEXED_STATUSES.indexOf('elsewhere')

/** Why a link is broken. */
export type BreakReason = 'target' | 'anchor' | ExternalFailure

/** Uses of a revision, with the status of each for the caller. */
export interface SeenUses {
  links: RevisionLinks
  /** The numbers of the uses, in the order of their keys. */
  uses: readonly number[]
  status(use: number): 'ok' | 'broken' | 'in-app'
  /** The target of a use, and its status in the index; of an address of this installation, the content it leads to. */
  target(use: number): { target: ContentRef; status: IndexedStatus }
  /** Why a broken use is broken. */
  reason(use: number): BreakReason
  holders(use: number): readonly Holder[]
}

/** All uses of a revision, as the caller sees them. */
export function seeAll(reader: LinkReader, links: RevisionLinks): Promise<SeenUses> {
  return see(reader, links, usesOf(links.index), (use) => holdersAt(links.index, use))
}

/** The uses in a page or reusable content, with their holders in it, as the caller sees them. */
export function seeSource(reader: LinkReader, links: RevisionLinks, source: string): Promise<SeenUses> {
  const holders = holdersIn(links.index, source)
  return see(reader, links, [...holders.keys()], (use) => holders.get(use) ?? [])
}

async function see(
  reader: LinkReader,
  links: RevisionLinks,
  uses: number[],
  holders: SeenUses['holders'],
): Promise<SeenUses> {
  const { index } = links
  const statuses = statusesOf(index)
  const outside = uses.filter((use) => statuses[use] === ELSEWHERE)
  const targets: ContentRef[] = []
  for (const use of outside) {
    targets.push(targetAt(index, use))
    await giveTurn()
  }
  const { isVisible, lacksAnchor } = await checkOutside(reader, targets)
  outside.forEach((use, i) => (statuses[use] = isVisible(targets[i]!) ? OK : BROKEN))
  const lacking = new Set(outside.filter((_, i) => lacksAnchor(targets[i]!)))

  const own = await ownTargets(reader, index, uses)
  const contents = [...own.values()].flatMap((target) => (typeof target === 'object' ? [target] : []))
  const { isVisible: isThere } = await checkOutside(
    reader,
    contents.map(({ ref }) => ref),
    new Map(contents.map(({ spaceId, revisionId }) => [spaceId, revisionId])),
  )
  for (const [use, target] of own)
    if (target === 'broken' || (target !== 'other' && !isThere(target.ref))) statuses[use] = BROKEN
  const external = await brokenExternally(reader, index)
  for (const use of external.keys()) statuses[use] = BROKEN

  return {
    links,
    uses,
    // No use is `elsewhere` any more.
    status: (use) => INDEXED_STATUSES[statuses[use]!] as 'ok' | 'broken' | 'in-app',
    target(use) {
      const led = own.get(use)
      return typeof led === 'object'
        ? { target: led.ref, status: 'elsewhere' }
        : { target: targetAt(index, use), status: statusAt(index, use) }
    },
    reason(use) {
      const failure = external.get(use)
      if (failure) return failure
      if (lacking.has(use)) return 'anchor'
      const target = own.get(use)
      // The page is there: it was found before its anchors were read.
      if (typeof target === 'object') return target.ref.kind === 'anchor' ? 'anchor' : 'target'
      const named = targetAt(index, use)
      const isInPage =
        named.kind === 'anchor' && named.space === undefined && links.tree.get(named.page ?? '')
      return isInPage ? 'anchor' : 'target'
    },
    holders,
  }
}

/** Where the addresses of this installation lead, by use. */
async function ownTargets(
  reader: LinkReader,
  index: LinkIndex,
  uses: readonly number[],
): Promise<Map<number, OwnTarget>> {
  const targets = new Map<number, OwnTarget>()
  const runs = await usesByHost(index, uses)
  const hosts = await ownHostsAmong(
    reader.db,
    reader.urls,
    runs.map(({ host }) => host),
  )
  const resolve = ownAddresses(reader)
  for (const { host, uses: some } of runs) {
    const kinds = hosts.get(host)
    if (!kinds) continue
    for (const use of some) {
      const target = targetAt(index, use)
      const url = target.kind === 'url' ? URL.parse(target.url, 'https://localhost') : null
      if (url) targets.set(use, await resolve(url, kinds))
      await giveTurn()
    }
  }
  return targets
}

/** The broken uses that have a place that was not broken in the content before. */
export async function newlyBroken(before: SeenUses, now: SeenUses): Promise<Set<number>> {
  const sourcesIn = ({ holders }: SeenUses, use: number) => holders(use).map(({ source }) => source)
  const wasBroken = new Map<string, number>()
  for (const use of before.uses) {
    if (before.status(use) === 'broken') wasBroken.set(keyAt(before.links.index, use), use)
    await giveTurn()
  }
  const found = new Set<number>()
  for (const use of now.uses) {
    if (now.status(use) !== 'broken') continue
    const earlier = wasBroken.get(keyAt(now.links.index, use))
    const known = new Set(earlier === undefined ? [] : sourcesIn(before, earlier))
    if (!sourcesIn(now, use).every((source) => known.has(source))) found.add(use)
    await giveTurn()
  }
  return found
}
