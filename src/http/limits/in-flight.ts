import { unavailable } from '../errors.ts'
import { type Counted, type Network, partyOf } from './networks.ts'
import { because } from '../../core/languages/reasons.ts'

/** How many bytes may be in memory at once, because clients have not read them or not sent them all. */
export interface Bounds {
  /** All callers together. */
  total: number
  /**
   * One caller. A single answer that is larger has to be the only one of its caller. Larger networks have one and a half,
   * and two shares.
   */
  share: number
  /**
   * What a caller may have where those with more find no room: an eighth of the total is kept for callers with no more
   * than this, because what is complete is never ended. Without it, nothing is kept for them.
   */
  little?: number
  /** All requests together that wait for room. At most 1,000 of them wait, whatever they need. */
  waiting: number
  /** How long a request waits, in milliseconds. */
  waitMs: number
  /** When others give way to a request that waits. Without it, `GIVING_WAY`. */
  givingWay?: GivingWay
}

/** When callers that hold room give way to others that wait for it. Times are in milliseconds. */
export interface GivingWay {
  /** How long a request waits before a caller with more than its own has to give way. */
  patienceMs: number
  /** How long a client may be slow. */
  graceMs: number
  /** A client whose bytes arrive at a lower rate, in bytes in a second, is slow. */
  rate: number
  /** Within this time, a transfer of a known size should be over. A client that is behind is slow too. */
  wholeMs: number
  /** How often the requests that wait are considered. */
  everyMs: number
}

const GIVING_WAY: GivingWay = {
  patienceMs: 1000,
  graceMs: 5000,
  rate: 32 * 1024,
  wholeMs: 30_000,
  everyMs: 250,
}

/** What holds room while its client sends or reads. */
export interface Transfer {
  /** All bytes that the client will send, if it has said so. */
  size?: number | undefined
  /** The bytes that the client has sent or read. */
  moved: () => number
  /** Whether it waits for its client, and not for the server. Only then it can give way. */
  isWaiting: () => boolean
  /** Ends it, because others need its room. */
  end: (why: Error) => void
}

/** Gives back what was taken. A second call does nothing. */
export type Release = () => void

/** Counts the bytes in flight. */
export interface InFlight {
  /**
   * Takes room for some bytes. Over a bound, the caller waits for its turn. The result is a promise only then, because
   * nearly all requests find room at once.
   *
   * If all room is taken, the transfers of slow clients are ended for a request that waits, and after a moment also the
   * newest transfer of the caller that has the most, as long as it has more than the one that waits would then have. So
   * callers who hold all room do not keep the others out.
   * @param transfer by which the room is given back early; without it, it is held until it is released
   * @throws 503 if there is no room in time, or if too many bytes wait already
   */
  take(caller: Counted, bytes: number, transfer?: Transfer): Release | Promise<Release>
}

interface Holding {
  caller: readonly Network[]
  bytes: number
  since: number
  transfer: Transfer | undefined
  release: Release
}

interface Waiting extends Omit<Holding, 'release'> {
  grant: (release: Release) => void
  refuse: () => void
}

const RETRY_S = 5
const SHARES = [1, 1.5, 2] as const
/** The part of the room for callers that hold some already. The rest is for callers that hold nothing. */
const FOR_MORE = 0.75
/** The part of the room for callers that would have more than a little. */
const FOR_LARGE = 0.875
const MOST_WAITING = 1000
/** Of those that are not slow, in one step, so that a step is short however many hold room. */
const MOST_ENDED_AT_ONCE = 16
/** Requests that wait, in one step. */
const MOST_CONSIDERED = 16

/** Sums by name, without those that are 0. */
function sums() {
  const values = new Map<string, number>()
  return {
    of: (name: string) => values.get(name) ?? 0,
    add(name: string, bytes: number) {
      const now = (values.get(name) ?? 0) + bytes
      if (now > 0) values.set(name, now)
      else values.delete(name)
    },
  }
}

const fits = (before: number, bytes: number, bound: number) => before === 0 || before + bytes <= bound

/** The newest of the party that has the most, if this is more than `bytes`. */
function newestOfHeaviest<One extends Pick<Holding, 'caller'>>(
  among: Iterable<One>,
  has: (party: string) => number,
  bytes: number,
  mayBe: (one: One) => boolean = () => true,
): One | undefined {
  let most = bytes
  let found: One | undefined
  let foundParty = ''
  for (const one of among) {
    const party = partyOf(one.caller)
    const sum = has(party)
    if (sum < most || (sum === most && party !== foundParty) || !mayBe(one)) continue
    most = sum
    found = one
    foundParty = party
  }
  return found
}

/** Creates a count with its own bounds. @param what names the bytes in the message to the client */
export function inFlight(bounds: Bounds, what: string): InFlight {
  const { total, share, little, waiting, waitMs, givingWay = GIVING_WAY } = bounds
  const held = sums()
  const waited = sums()
  const holdings = new Set<Holding>()
  const queue = new Set<Waiting>()
  let taken = 0
  let queued = 0
  let steps: NodeJS.Timeout | undefined
  let admitting: NodeJS.Immediate | undefined

  const over = () => unavailable(because('too-many-bytes-in-flight', { what }), RETRY_S)
  const hasShare = (caller: readonly Network[], bytes: number) =>
    caller.every(({ name, level }) => fits(held.of(name), bytes, SHARES[level] * share))
  /** How much of the room may be taken once a caller has some bytes more. */
  const boundFor = (caller: readonly Network[], bytes: number) => {
    const before = held.of(partyOf(caller))
    if (little !== undefined && before + bytes <= little) return total
    if (before > 0) return FOR_MORE * total
    return little === undefined ? total : FOR_LARGE * total
  }
  /** How much more has to be free for a caller. */
  const lackOf = ({ caller, bytes }: Pick<Waiting, 'caller' | 'bytes'>) => {
    const bound = boundFor(caller, bytes)
    return fits(taken, bytes, bound) ? 0 : taken + bytes - bound
  }
  const hasRoom = (caller: readonly Network[], bytes: number) =>
    lackOf({ caller, bytes }) === 0 && hasShare(caller, bytes)
  const wouldHave = ({ caller, bytes }: Waiting) => held.of(partyOf(caller)) + bytes

  function add(caller: readonly Network[], bytes: number): void {
    taken += bytes
    for (const { name } of caller) held.add(name, bytes)
  }

  function hold(caller: readonly Network[], bytes: number, transfer?: Transfer): Release {
    const release = () => {
      if (!holdings.delete(holding)) return
      add(caller, -bytes)
      // Once for all that are released now.
      if (queue.size > 0) admitting ??= setImmediate(admitNext)
    }
    const holding = { caller, bytes, since: performance.now(), transfer, release }
    holdings.add(holding)
    add(caller, bytes)
    return release
  }

  function leaveQueue(one: Waiting): boolean {
    if (!queue.delete(one)) return false
    queued -= one.bytes
    waited.add(partyOf(one.caller), -one.bytes)
    return true
  }

  /** Those that wait: who has the least comes first, and who waits for much has to let others go between. */
  function inTurn(): Waiting[] {
    const places = new Map<Waiting, number>()
    const wanted = sums()
    for (const one of queue) {
      const party = partyOf(one.caller)
      wanted.add(party, one.bytes)
      places.set(one, held.of(party) + wanted.of(party))
    }
    return [...places].toSorted(([, a], [, b]) => a - b).map(([one]) => one)
  }

  /** A caller whose share is used up does not hold up the others. */
  function admitNext(): void {
    admitting = undefined
    for (const one of inTurn()) {
      if (!hasRoom(one.caller, one.bytes)) continue
      leaveQueue(one)
      one.grant(hold(one.caller, one.bytes, one.transfer))
    }
  }

  function end(holding: Holding): void {
    // The room is free for the one that waits, before anything else that the end causes.
    holdings.delete(holding)
    add(holding.caller, -holding.bytes)
    holding.transfer?.end(over())
  }

  function isSlow({ since, transfer }: Holding, now: number): boolean {
    const elapsed = now - since
    if (!transfer || elapsed < givingWay.graceMs) return false
    const { size = 0 } = transfer
    const expected = Math.max((givingWay.rate * elapsed) / 1000, (size * elapsed) / givingWay.wholeMs)
    return transfer.moved() < expected
  }

  /** Makes room for those that only lack the room of all. What is ended lets one of them in. */
  function makeRoom(): void {
    const now = performance.now()
    const lacking = inTurn()
      .filter(({ caller, bytes }) => hasShare(caller, bytes))
      .slice(0, MOST_CONSIDERED)
    if (lacking.length === 0) return
    const endable = new Set([...holdings].filter(({ transfer }) => transfer?.isWaiting()))
    const slow = new Set([...endable].filter((one) => isSlow(one, now)).toSorted((a, b) => b.bytes - a.bytes))
    let left = MOST_ENDED_AT_ONCE
    for (const one of lacking) {
      const isPatient = now - one.since < givingWay.patienceMs
      const giving = waysFor(one, slow, isPatient ? undefined : endable, left)
      for (const holding of giving ?? []) {
        if (!slow.delete(holding)) left -= 1
        endable.delete(holding)
        end(holding)
      }
    }
    admitNext()
  }

  /** The fewest transfers whose end makes room for a request: slow ones, and then those of parties who have more. */
  function waysFor(
    one: Waiting,
    slow: ReadonlySet<Holding>,
    others: ReadonlySet<Holding> | undefined,
    most: number,
  ): Holding[] | undefined {
    const giving = new Set<Holding>()
    const given = sums()
    const largest = slow.values()
    let lack = lackOf(one)
    let ended = 0
    while (lack > 0) {
      const isOver = others === undefined || ended === most
      const next =
        largest.next().value ??
        (isOver
          ? undefined
          : newestOfHeaviest(
              others,
              (party) => held.of(party) - given.of(party),
              wouldHave(one),
              (holding) => !giving.has(holding),
            ))
      if (!next) return undefined
      if (!slow.has(next)) ended += 1
      giving.add(next)
      given.add(partyOf(next.caller), next.bytes)
      lack -= next.bytes
    }
    return [...giving]
  }

  function step(): void {
    makeRoom()
    if (queue.size > 0) return
    clearInterval(steps)
    steps = undefined
  }

  /** Makes room in the queue, if others have more in it. */
  function canWait(party: string, bytes: number): boolean {
    while (!fits(queued, bytes, waiting) || queue.size >= MOST_WAITING) {
      const heaviest = newestOfHeaviest(queue, waited.of, waited.of(party) + bytes)
      if (!heaviest) return false
      heaviest.refuse()
    }
    return true
  }

  function wait(caller: readonly Network[], bytes: number, transfer?: Transfer): Promise<Release> {
    const party = partyOf(caller)
    if (!canWait(party, bytes)) throw over()
    const { promise, resolve, reject } = Promise.withResolvers<Release>()
    const refuse = () => leaveQueue(one) && reject(over())
    const one: Waiting = { caller, bytes, since: performance.now(), transfer, grant: resolve, refuse }
    queue.add(one)
    queued += bytes
    waited.add(party, bytes)
    steps ??= setInterval(step, givingWay.everyMs).unref()
    const timer = setTimeout(refuse, waitMs).unref()
    return promise.finally(() => clearTimeout(timer))
  }

  return {
    take(counted, bytes, transfer) {
      const caller = typeof counted === 'string' ? [{ name: counted, level: 0 as const }] : counted
      return hasRoom(caller, bytes) ? hold(caller, bytes, transfer) : wait(caller, bytes, transfer)
    },
  }
}

/**
 * Creates a count in which callers that are known by an id and clients that are known only by their network have room
 * apart, so that strangers never take that of users.
 */
export function inFlightApart(
  { users, networks }: Record<'users' | 'networks', Bounds>,
  what: string,
): InFlight {
  const [ofUsers, ofNetworks] = [inFlight(users, what), inFlight(networks, what)]
  return {
    take: (caller, bytes, transfer) =>
      (typeof caller === 'string' ? ofUsers : ofNetworks).take(caller, bytes, transfer),
  }
}
