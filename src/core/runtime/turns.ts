/** Turns of the event loop: work that takes long lets the other requests of the process come in between. */
import { needItem } from '../data/lists.ts'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Party } from './party.ts'

/** How long work may keep the event loop before it gives others a turn, in milliseconds. */
const TURN_MS = 5

/** Every so many turns, the one that has waited longest comes first, whatever it has had before. */
const OLDEST_EVERY = 4

/** A request or a job, and how many turns it has had. */
interface Share {
  /** Undefined until it waits for the first time: most requests never do. */
  party: Party | undefined
  partyOf: () => Party
  turns: number
  /** The user who asks, as soon as they are identified. */
  userId: string | undefined
}

const NOBODY: Party = { user: '' }

/** The share of work that no request waits for, such as jobs. */
const background = (userId?: string): Share => ({ party: NOBODY, partyOf: () => NOBODY, turns: 0, userId })
const BACKGROUND = background()

interface Waiting {
  party: Party
  share: Share
  resolve: () => void
}

const shares = new AsyncLocalStorage<Share>()
const waiting: Waiting[] = []
let given = 0

/** How many turns the party that is served now has had. A party that comes later starts there. */
let served = 0
/** The turns that users and organizations have had, if more than those served. */
const ahead = new Map<string, number>()
/** More parties are not told apart. */
const MOST_AHEAD = 1000

/** When the first work of this turn asked whether the turn is over. */
let since: number | undefined

/**
 * Does the work of a request. Parties with work that waits have equal parts of the turns: neither the requests of a user
 * nor those for an organization have more together. Of one party's requests, the one with the fewest turns comes first,
 * so that a short one does not wait for those that take long.
 * @param partyOf who makes the request. Work outside of requests is of one party as well.
 */
export function takingTurns<T>(partyOf: () => Party, work: () => T): T {
  return shares.getStore()
    ? work()
    : shares.run({ party: undefined, partyOf, turns: 0, userId: undefined }, work)
}

/** Does the rest of a request when its caller is known. @param userId the caller, if the party is a user */
export function identified<T>(party: Party, userId: string | undefined, work: () => T): T {
  const share = shares.getStore()
  if (!share) return shares.run({ party, partyOf: () => party, turns: 0, userId }, work)
  share.party = party
  share.userId = userId
  return work()
}

/** Does the work of a job in the turns of all jobs, for the user who asked for it if one did. */
export function asJob<T>(userId: string | undefined, work: () => T): T {
  return shares.run(background(userId), work)
}

/** The user who asks for the work that goes on; undefined if none does, such as for readers of sites. */
export const askingUser = (): string | undefined => shares.getStore()?.userId

/** The party of work on the content of an organization: the asking user's, or if nobody asks, that of the organization. */
export function partyFor(organization: string): Party {
  const share = shares.getStore() ?? BACKGROUND
  share.party ??= share.partyOf()
  return { user: share.userId ?? (share.party.user || organization), organization }
}

/** Whether work has kept the event loop for so long that others should have a turn. Costs less than a microsecond. */
export function isTurnOver(): boolean {
  if (since !== undefined) return performance.now() - since >= TURN_MS
  since = performance.now()
  setImmediate(() => {
    since = undefined
  })
  return false
}

/** Resolves in a later turn of the event loop, so that only one piece of long work goes on in a turn. */
export function nextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const share = shares.getStore() ?? BACKGROUND
  const party = (share.party ??= share.partyOf())
  waiting.push({ party, share, resolve })
  if (waiting.length === 1) setImmediate(startNext)
  return promise
}

function startNext(): void {
  given++
  const isOldest = given % OLDEST_EVERY === 0
  const [next] = waiting.splice(isOldest ? 0 : leastServed(), 1)
  if (!next) return
  if (waiting.length > 0) setImmediate(startNext)
  if (waiting.length === 0 || ahead.size > MOST_AHEAD) ahead.clear()
  const [user, organization] = [keyOfUser(next.party), keyOfOrganization(next.party)]
  if (!isOldest) served = Math.max(turnsOf(user), turnsOf(organization))
  ahead.set(user, turnsOf(user) + 1)
  if (organization !== user) ahead.set(organization, turnsOf(organization) + 1)
  next.share.turns++
  since = undefined
  next.resolve()
}

/** The turns that a user or an organization has had, as if it had had those that it did not ask for. */
const turnsOf = (key: string) => Math.max(served, ahead.get(key) ?? 0)

const keyOfUser = ({ user }: Party) => `user ${user}`
/** Without an organization, all that the user does is for the same. */
const keyOfOrganization = ({ user, organization }: Party) =>
  organization === undefined ? `user ${user}` : `organization ${organization}`

/** The place of the work that comes next: the first of several. */
function leastServed(): number {
  let least: Waiting | undefined
  let place = 0
  for (const [i, one] of waiting.entries()) {
    if (least && !isBefore(one, least)) continue
    least = one
    place = i
  }
  return place
}

/** By the turns of the user and the organization, whichever has had more; then of the organization, and of the request. */
function isBefore(one: Waiting, other: Waiting): boolean {
  const ofOne = turnsOf(keyOfOrganization(one.party))
  const ofOther = turnsOf(keyOfOrganization(other.party))
  const mostOfOne = Math.max(turnsOf(keyOfUser(one.party)), ofOne)
  const mostOfOther = Math.max(turnsOf(keyOfUser(other.party)), ofOther)
  return (mostOfOne - mostOfOther || ofOne - ofOther || one.share.turns - other.share.turns) < 0
}

/** Resolves at once, or in a later turn of the event loop if this one is over. */
export async function giveTurn(): Promise<void> {
  if (isTurnOver()) await nextTurn()
}

/** Does the work for each item, with turns for others in between. */
export async function eachInTurns<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  for (const item of items) {
    work(item)
    if (isTurnOver()) await nextTurn()
  }
}

/** How many items are sorted or merged before others may have a turn. */
const SORTED_AT_ONCE = 2_000

/** Sorts items like `toSorted`, with turns for others in between. */
export async function sortInTurns<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  let runs: T[][] = []
  for (let start = 0; start < items.length; start += SORTED_AT_ONCE) {
    runs.push(items.slice(start, start + SORTED_AT_ONCE).toSorted(compare))
    await giveTurn()
  }
  while (runs.length > 1) {
    const longer: T[][] = []
    for (let i = 0; i < runs.length; i += 2)
      longer.push(await merged(needItem(runs, i), runs[i + 1] ?? [], compare))
    runs = longer
  }
  return runs[0] ?? []
}

async function merged<T>(left: T[], right: T[], compare: (a: T, b: T) => number): Promise<T[]> {
  const all: T[] = []
  let [i, j] = [0, 0]
  while (i < left.length || j < right.length) {
    const isLeft =
      j === right.length || (i < left.length && compare(needItem(left, i), needItem(right, j)) <= 0)
    all.push(isLeft ? needItem(left, i++) : needItem(right, j++))
    if (all.length % SORTED_AT_ONCE === 0) await giveTurn()
  }
  return all
}
