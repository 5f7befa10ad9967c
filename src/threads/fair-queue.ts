import { append } from '../core/lists.ts'
import type { Party } from '../core/party.ts'

/** The bounds of a fair queue. Those of one party hold for all items of a user, and for all items of an organization. */
export interface FairLimits {
  /** How many items can wait. */
  queue: number
  /** How many of them can belong to one user, and to one organization. */
  queueOfParty: number
  /** How many items of one user, and of one organization, are under way at once. */
  atOnceOfParty: number
}

/** An item, and the party that it belongs to. */
interface Waiting<T> {
  party: Party
  item: T
}

/**
 * Items that wait, and how many are under way. The user who has used the least time so far comes first, and of their
 * organizations the one that has used the least.
 */
export interface FairQueue<T> {
  readonly size: number
  /** Whether another item of a party may be under way. */
  mayRun(party: Party): boolean
  /** How many items of the user or of the organization wait already, whichever are more. */
  waitingOf(party: Party): number
  /** Whether no other item of a party may wait. */
  isFull(party: Party): boolean
  add(party: Party, item: T): void
  /** Takes the next item that may run. It is under way until `end`. */
  take(): Waiting<T> | undefined
  /** Ends an item that was under way. @param ms the time that it has used */
  end(party: Party, ms: number): void
  /** Removes an item that waits. Returns false if it does not. */
  remove(party: Party, item: T): boolean
  /** Removes and returns all items that wait. */
  clear(): T[]
}

/** What takes turns: a user, or an organization of a user. */
interface Taker {
  /** The time that it has used, in milliseconds, ahead of those that joined meanwhile. */
  used: number
  /** The number of the turn that it had last, or before which it joined. */
  since: number
}

interface Lane<T> extends Taker {
  items: T[]
}

interface User<T> extends Taker {
  /** By organization. Those without items stay as long as the user is known, with the time that they have used. */
  lanes: Map<string, Lane<T>>
  waiting: number
  running: number
  /** The time that the lane had used that was taken last. One that joins is treated as if it had used as much. */
  floor: number
}

interface Organization {
  waiting: number
  running: number
}

/** Every so many turns, the one who has waited longest comes first, so that no stream of new users keeps anybody out. */
const OLDEST_EVERY = 8

/** How many users are known that neither wait nor have anything under way. */
const MOST_IDLE = 1000

/**
 * A queue that is fair between users, and then between the organizations of each: who has many or slow items, in however
 * many organizations, delays their own items, and those of any other user only by those that run already.
 */
export function fairQueue<T>({ queue, queueOfParty, atOnceOfParty }: FairLimits): FairQueue<T> {
  const users = new Map<string, User<T>>()
  const organizations = new Map<string, Organization>()
  let size = 0
  let running = 0
  let turn = 0
  /** The time that the user had used who was taken last. */
  let floor = 0

  function userOf(name: string): User<T> {
    let user = users.get(name)
    if (!user) {
      user = { lanes: new Map(), waiting: 0, running: 0, used: floor, since: turn, floor: 0 }
      users.set(name, user)
    }
    return user
  }

  function organizationOf(name: string): Organization {
    let organization = organizations.get(name)
    if (!organization) organizations.set(name, (organization = { waiting: 0, running: 0 }))
    return organization
  }

  /** Notes that the items of a party that wait or are under way have changed. */
  function count({ user: name, organization }: Party, waiting: number, begun: number): void {
    size += waiting
    running += begun
    const counted = [userOf(name)] as { waiting: number; running: number }[]
    if (organization !== undefined) counted.push(organizationOf(organization))
    for (const one of counted) {
      one.waiting += waiting
      one.running += begun
    }
    if (organization !== undefined && isIdle(organizationOf(organization))) organizations.delete(organization)
  }

  function laneFor(user: User<T>, organization = ''): Lane<T> {
    let lane = user.lanes.get(organization)
    if (!lane) user.lanes.set(organization, (lane = { items: [], used: user.floor, since: turn }))
    return lane
  }

  const mayRunFor = (organization: string | undefined) =>
    organization === undefined || (organizations.get(organization)?.running ?? 0) < atOnceOfParty

  const mayRun = ({ user, organization }: Party) =>
    (users.get(user)?.running ?? 0) < atOnceOfParty && mayRunFor(organization)

  function waitingOf({ user, organization }: Party): number {
    const ofOrganization = organization === undefined ? 0 : (organizations.get(organization)?.waiting ?? 0)
    return Math.max(users.get(user)?.waiting ?? 0, ofOrganization)
  }

  /** The lane of a user that comes next; undefined if none may run. */
  function nextLane({ lanes }: User<T>, isOldest: boolean): [string, Lane<T>] | undefined {
    let next: [string, Lane<T>] | undefined
    for (const entry of lanes) {
      const [organization, lane] = entry
      if (lane.items.length === 0 || !mayRunFor(organization || undefined)) continue
      if (!next || comesBefore(lane, next[1], isOldest)) next = entry
    }
    return next
  }

  /** Forgets the users who have nothing here, once all are as far as they or when there are too many. */
  function forgetIdle(name: string): void {
    if (size === 0 && running === 0) {
      users.clear()
      floor = 0
      return
    }
    const user = users.get(name)
    if (user && isIdle(user) && user.used <= floor) users.delete(name)
    if (users.size <= size + running + MOST_IDLE) return
    for (const [other, known] of users) if (isIdle(known)) users.delete(other)
  }

  return {
    get size() {
      return size
    },
    mayRun,
    waitingOf,
    isFull: (party) => size >= queue || waitingOf(party) >= queueOfParty,
    add(party, item) {
      const user = userOf(party.user)
      if (user.waiting === 0) join(user, floor, turn)
      const lane = laneFor(user, party.organization)
      if (lane.items.length === 0) join(lane, user.floor, turn)
      lane.items.push(item)
      count(party, 1, 0)
    },
    take() {
      const isOldest = (turn + 1) % OLDEST_EVERY === 0
      let next: { name: string; user: User<T>; lane: [string, Lane<T>] } | undefined
      for (const [name, user] of users) {
        if (user.waiting === 0 || user.running >= atOnceOfParty) continue
        if (next && !comesBefore(user, next.user, isOldest)) continue
        const lane = nextLane(user, isOldest)
        if (lane) next = { name, user, lane }
      }
      if (!next) return undefined
      const { name, user } = next
      const [organization, lane] = next.lane
      turn++
      user.since = lane.since = turn
      if (!isOldest) {
        floor = user.used
        user.floor = lane.used
      }
      const party: Party = { user: name, organization: organization || undefined }
      const item = lane.items.shift()!
      count(party, -1, 1)
      return { party, item }
    },
    end(party, ms) {
      const user = userOf(party.user)
      const lane = laneFor(user, party.organization)
      user.used += ms
      lane.used += ms
      const isLeft = lane.items.length === 0 && user.lanes.size > MOST_IDLE
      if (isLeft) user.lanes.delete(party.organization ?? '')
      count(party, 0, -1)
      forgetIdle(party.user)
    },
    remove(party, item) {
      const items = users.get(party.user)?.lanes.get(party.organization ?? '')?.items ?? []
      const index = items.indexOf(item)
      if (index < 0) return false
      items.splice(index, 1)
      count(party, -1, 0)
      forgetIdle(party.user)
      return true
    },
    clear() {
      const items: T[] = []
      for (const [user, { lanes }] of users)
        for (const [organization, lane] of lanes) {
          count({ user, organization: organization || undefined }, -lane.items.length, 0)
          append(items, lane.items)
          lane.items = []
        }
      return items
    },
  }
}

const isIdle = ({ waiting, running }: { waiting: number; running: number }) => waiting === 0 && running === 0

/** One that joins is treated as one that has used as little as any other, and not as one owed all the past. */
function join(taker: Taker, floor: number, turn: number): void {
  taker.used = Math.max(taker.used, floor)
  taker.since = turn
}

/** Whether one comes before another: with less time used, or else as the one whose last turn is longer ago. */
function comesBefore(one: Taker, other: Taker, isOldest: boolean): boolean {
  if (isOldest || one.used === other.used) return one.since < other.since
  return one.used < other.used
}
