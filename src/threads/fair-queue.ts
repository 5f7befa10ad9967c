import { append } from '../core/data/lists.ts'
import type { Party } from '../core/runtime/party.ts'
import { givesWay, isHeavier, type PartyLoad } from './party-load.ts'

/**
 * The bounds of a fair queue. Those of one party hold for all items of a user, and for all items of an organization. See
 * `admitsFirst` for users whose organization has as many as it may.
 */
export interface FairLimits {
  /** How many items can wait. */
  queue: number
  /** How many of them can belong to one user, and to one organization. */
  queueOfParty: number
  /** How many items of one user, and of one organization, are under way at once. */
  atOnceOfParty: number
  /**
   * How many items of one organization are under way at once, if each of those beyond `atOnceOfParty` is the only one of its
   * user. By default, no more.
   */
  atOnceOfOrganization?: number
}

/** An item, and the party that it belongs to. */
interface Waiting<T> {
  party: Party
  item: T
}

/**
 * Items that wait, and how many are under way. The user comes first who will have used the least time with their next item,
 * and of their organizations the one that will.
 */
export interface FairQueue<T> {
  readonly size: number
  /** Whether another item of a party may be under way. */
  mayRun(party: Party): boolean
  /** How many items of the user or of the organization wait already, whichever are more. */
  waitingOf(party: Party): number
  /** Whether no other item of a party may wait. */
  isFull(party: Party): boolean
  /**
   * Makes room for an item of a party for which the queue is full: removes and returns the newest item of the party that
   * has the most. Returns undefined if that party has no more than the one of the new item would have.
   */
  displace(party: Party): Waiting<T> | undefined
  /** Whether an item may wait although its organization has as many as it may: the user has none, and there is room. */
  admitsFirst(party: Party): boolean
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
  /** The time that its last item took: what its next one may take, since nobody knows before. */
  last: number
  /** The number of the turn that it had last, or before which it joined. */
  since: number
}

interface Lane<T> extends Taker {
  party: Party
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

/** Who waits in a queue, or has items under way. */
interface QueueState<T> {
  limits: FairLimits
  users: Map<string, User<T>>
  organizations: Map<string, Organization>
  /** The lanes with items. */
  waiting: Set<Lane<T>>
  size: number
  running: number
  turn: number
  /** The time that the user had used who was taken last. */
  floor: number
}

/**
 * A queue that is fair between users, and then between the organizations of each: who has many or slow items, in however
 * many organizations, delays their own items, and those of any other user only by those that run already. Nor do they
 * keep others out of a full queue: see `displace`.
 */
export function fairQueue<T>(limits: FairLimits): FairQueue<T> {
  const state: QueueState<T> = {
    limits,
    users: new Map(),
    organizations: new Map(),
    waiting: new Set(),
    size: 0,
    running: 0,
    turn: 0,
    floor: 0,
  }
  return {
    get size() {
      return state.size
    },
    mayRun: (party) => mayRun(state, party),
    waitingOf: (party) => waitingOf(state, party),
    isFull: (party) => state.size >= limits.queue || waitingOf(state, party) >= limits.queueOfParty,
    admitsFirst: ({ user }) => state.size < limits.queue && isIdle(userOf(state, user)),
    displace: (party) => displaceItem(state, party),
    add: (party, item) => addItem(state, party, item),
    take: () => takeNext(state),
    end: (party, ms) => endItem(state, party, ms),
    remove: (party, item) => removeItem(state, party, item),
    clear: () => clearItems(state),
  }
}

function addItem<T>(state: QueueState<T>, party: Party, item: T): void {
  const user = userOf(state, party.user)
  if (user.waiting === 0) join(user, state.floor, state.turn)
  const lane = laneFor(state, user, party)
  if (lane.items.length === 0) join(lane, user.floor, state.turn)
  lane.items.push(item)
  state.waiting.add(lane)
  count(state, party, 1, 0)
}

function takeNext<T>(state: QueueState<T>): Waiting<T> | undefined {
  const isOldest = (state.turn + 1) % OLDEST_EVERY === 0
  const next = nextUser(state, isOldest)
  if (!next) return undefined
  const { user, lane } = next
  state.turn++
  user.since = lane.since = state.turn
  if (!isOldest) {
    state.floor = Math.max(state.floor, user.used)
    user.floor = Math.max(user.floor, lane.used)
  }
  const { party } = lane
  // A lane without items does not come next.
  const item = lane.items.shift()!
  leaveLane(state, lane)
  count(state, party, -1, 1)
  return { party, item }
}

function endItem<T>(state: QueueState<T>, party: Party, ms: number): void {
  const user = userOf(state, party.user)
  const lane = laneFor(state, user, party)
  for (const taker of [user, lane]) {
    taker.used += ms
    taker.last = ms
  }
  const isLeft = lane.items.length === 0 && user.lanes.size > MOST_IDLE
  if (isLeft) user.lanes.delete(party.organization ?? '')
  count(state, party, 0, -1)
  forgetIdle(state, party.user)
}

function removeItem<T>(state: QueueState<T>, party: Party, item: T): boolean {
  const lane = state.users.get(party.user)?.lanes.get(party.organization ?? '')
  const index = lane?.items.indexOf(item) ?? -1
  if (!lane || index < 0) return false
  lane.items.splice(index, 1)
  leaveLane(state, lane)
  count(state, party, -1, 0)
  forgetIdle(state, party.user)
  return true
}

/** Notes that an item has left a lane. */
function leaveLane<T>({ waiting }: QueueState<T>, lane: Lane<T>): void {
  if (lane.items.length === 0) waiting.delete(lane)
}

/** Looks at each lane once. Of lanes that have as much as each other, the one that began to wait last gives way. */
function displaceItem<T>(state: QueueState<T>, party: Party): Waiting<T> | undefined {
  const bounds = boundsReached(state, party)
  let heaviest: { lane: Lane<T>; load: PartyLoad } | undefined
  for (const lane of state.waiting) {
    if (bounds.user && lane.party.user !== party.user) continue
    if (bounds.organization && lane.party.organization !== party.organization) continue
    const load = loadOf(state, lane.party, bounds)
    if (!heaviest || !isHeavier(heaviest.load, load)) heaviest = { lane, load }
  }
  if (!heaviest || !givesWay(heaviest.load, loadOf(state, party, bounds))) return undefined
  const { lane } = heaviest
  const item = lane.items.pop()!
  leaveLane(state, lane)
  count(state, lane.party, -1, 0)
  forgetIdle(state, lane.party.user)
  return { party: lane.party, item }
}

/** Which bounds of one party are reached, so that only an item within it can give way. */
interface BoundsReached {
  user: boolean
  organization: boolean
}

function boundsReached<T>(
  { users, organizations, limits }: QueueState<T>,
  { user, organization }: Party,
): BoundsReached {
  const most = limits.queueOfParty
  return {
    user: (users.get(user)?.waiting ?? 0) >= most,
    organization: organization !== undefined && (organizations.get(organization)?.waiting ?? 0) >= most,
  }
}

/** What a party has of what others need as well. Within a bound of one party, only its own items count. */
function loadOf<T>({ users, organizations }: QueueState<T>, party: Party, bounds: BoundsReached): PartyLoad {
  const user = users.get(party.user)
  const own = user?.lanes.get(party.organization ?? '')?.items.length ?? 0
  const ofOrganization =
    party.organization === undefined ? own : organizations.get(party.organization)?.waiting
  return {
    party,
    user: bounds.organization ? own : (user?.waiting ?? 0),
    organization: bounds.user ? own : (ofOrganization ?? 0),
    running: user?.running ?? 0,
  }
}

function clearItems<T>(state: QueueState<T>): T[] {
  const items: T[] = []
  for (const [user, { lanes }] of state.users)
    for (const [organization, lane] of lanes) {
      count(state, { user, organization: organization || undefined }, -lane.items.length, 0)
      append(items, lane.items)
      lane.items = []
    }
  state.waiting.clear()
  return items
}

function userOf<T>({ users, floor, turn }: QueueState<T>, name: string): User<T> {
  let user = users.get(name)
  if (!user) {
    user = { lanes: new Map(), waiting: 0, running: 0, used: floor, since: turn, last: 0, floor: 0 }
    users.set(name, user)
  }
  return user
}

function queuedOrganization<T>({ organizations }: QueueState<T>, name: string): Organization {
  let organization = organizations.get(name)
  if (!organization) organizations.set(name, (organization = { waiting: 0, running: 0 }))
  return organization
}

function laneFor<T>({ turn }: QueueState<T>, user: User<T>, party: Party): Lane<T> {
  const { organization = '' } = party
  let lane = user.lanes.get(organization)
  if (!lane)
    user.lanes.set(organization, (lane = { party, items: [], used: user.floor, last: 0, since: turn }))
  return lane
}

/** Notes that the items of a party that wait or are under way have changed. */
function count<T>(state: QueueState<T>, party: Party, waiting: number, begun: number): void {
  state.size += waiting
  state.running += begun
  const user = userOf(state, party.user)
  user.waiting += waiting
  user.running += begun
  if (party.organization === undefined) return
  const organization = queuedOrganization(state, party.organization)
  organization.waiting += waiting
  organization.running += begun
  if (isIdle(organization)) state.organizations.delete(party.organization)
}

function mayRun<T>(state: QueueState<T>, { user, organization }: Party): boolean {
  const running = state.users.get(user)?.running ?? 0
  return running < state.limits.atOnceOfParty && mayRunFor(state, running, organization)
}

/** Whether an item for an organization may run. @param running how many items of its user do */
function mayRunFor<T>(
  { organizations, limits }: QueueState<T>,
  running: number,
  organization: string | undefined,
): boolean {
  if (organization === undefined) return true
  const { atOnceOfParty, atOnceOfOrganization = atOnceOfParty } = limits
  const ofOrganization = organizations.get(organization)?.running ?? 0
  return ofOrganization < (running === 0 ? atOnceOfOrganization : atOnceOfParty)
}

function waitingOf<T>({ users, organizations }: QueueState<T>, { user, organization }: Party): number {
  const ofOrganization = organization === undefined ? 0 : (organizations.get(organization)?.waiting ?? 0)
  return Math.max(users.get(user)?.waiting ?? 0, ofOrganization)
}

/** A user whose item comes next, and its lane. */
interface NextLane<T> {
  user: User<T>
  lane: Lane<T>
}

/** The user who comes next, with the lane; undefined if none may run. */
function nextUser<T>(state: QueueState<T>, isOldest: boolean): NextLane<T> | undefined {
  let next: NextLane<T> | undefined
  for (const user of state.users.values()) {
    if (user.waiting === 0 || user.running >= state.limits.atOnceOfParty) continue
    if (next && !comesBefore(user, next.user, isOldest)) continue
    const lane = nextLane(state, user, isOldest)
    if (lane) next = { user, lane }
  }
  return next
}

/** The lane of a user that comes next; undefined if none may run. */
function nextLane<T>(
  state: QueueState<T>,
  { lanes, running }: User<T>,
  isOldest: boolean,
): Lane<T> | undefined {
  let next: Lane<T> | undefined
  for (const lane of lanes.values()) {
    if (lane.items.length === 0 || !mayRunFor(state, running, lane.party.organization)) continue
    if (!next || comesBefore(lane, next, isOldest)) next = lane
  }
  return next
}

/** Forgets the users who have nothing here, once all are as far as they or when there are too many. */
function forgetIdle<T>(state: QueueState<T>, name: string): void {
  const { users, size, running } = state
  if (size === 0 && running === 0) {
    users.clear()
    state.floor = 0
    return
  }
  const user = users.get(name)
  if (user && isIdle(user) && user.used <= state.floor) users.delete(name)
  if (users.size <= size + running + MOST_IDLE) return
  for (const [other, known] of users) if (isIdle(known)) users.delete(other)
}

const isIdle = ({ waiting, running }: { waiting: number; running: number }) => waiting === 0 && running === 0

/** One that joins is treated as one that has used as little as any other, and not as one owed all the past. */
function join(taker: Taker, floor: number, turn: number): void {
  taker.used = Math.max(taker.used, floor)
  taker.since = turn
}

/**
 * Whether one comes before another: with less time used when its next item has ended, or else as the one whose last turn is
 * longer ago. So somebody with short items does not wait for a long one of each of the others.
 */
function comesBefore(one: Taker, other: Taker, isOldest: boolean): boolean {
  const [own, others] = [one.used + one.last, other.used + other.last]
  return isOldest || own === others ? one.since < other.since : own < others
}
