import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { chunks } from '../db/chunks.ts'
import { eachInTurns } from '../core/runtime/turns.ts'
import { eventBytes, type EventStream, HEARTBEAT, openEventStream } from '../http/response/event-stream.ts'
import { tooMany, unavailable } from '../http/errors.ts'
import type { Listening, Services } from '../http/route.ts'
import {
  eventNumber,
  isGap,
  type Listener,
  presenceText,
  reset,
  sendTo,
  spaceEventBytes,
} from './listener.ts'
import { newestSpaceEvent, newestSpaceEvents, spaceEventsAfter } from '../model/events/event.ts'
import { deletePresence, type PresentClient, presentIn, recordedOf } from '../model/events/presence.ts'
import { because } from '../core/languages/reasons.ts'

/** The bounds of the streams of events of a process. */
export interface ListeningLimits {
  perUser: number
  total: number
  /** So many bytes may wait for a client that reads slowly. */
  unsentBytes: number
  /** How often the events of other processes are looked for while somebody listens. */
  pollMs: number
  /** How often a stream has a heartbeat, and the access of its user is checked. */
  checkMs: number
}

const LIMITS: ListeningLimits = {
  perUser: 20,
  total: 2_000,
  unsentBytes: 128 * 1024,
  pollMs: 1_000,
  checkMs: 20_000,
}

/** The presence of clients that leave together is deleted together. */
const FORGET_MS = 100
/** So long a server that stops waits for the clients to take the ends of their streams. */
const STOP_MS = 1_000
/** Events that are read at once. */
const EVENTS_AT_ONCE = 200
/** After so many milliseconds at least, and four times as many at most, a client connects again. */
const RETRY_MS = 1_000
const RETRY_S = 30

/** A client that asks for events. */
export interface ListenRequest extends Listening {
  userId: string
  /** The id of the last event that the client has, as it sent it. */
  lastEventId: string | undefined
  /** Whether the user may still listen. */
  isAllowed: () => Promise<boolean>
}

export interface Listeners {
  /** Starts the response to a client. @throws 429, 503 */
  open(reply: FastifyReply, asked: ListenRequest): Promise<FastifyReply>
  /** Sends the events that were just committed. */
  tell(): void
  /** How many clients listen. */
  count(): number
  /** Ends all streams, and refuses others. */
  stop(): Promise<void>
}

/**
 * The clients of this process that listen to events. While there are any, one query after another finds the events of all
 * their spaces: at once after a change by this process, and at short intervals for those of other processes.
 * @param onError receives the error of a query that failed and is repeated
 */
export function listenersOf(
  { db, now, newId }: Pick<Services, 'db' | 'now' | 'newId'>,
  limits: Partial<ListeningLimits> = {},
  onError: (error: unknown) => void,
): Listeners {
  const { perUser, total, unsentBytes, pollMs, checkMs } = { ...LIMITS, ...limits }
  const channels = new Map<string, Set<Listener>>()
  const streams = new Set<EventStream>()
  const streamsOf = new Map<string, number>()
  let stopped = false
  let looking: Promise<void> | undefined
  let isDue = false
  let timer: NodeJS.Timeout | undefined
  let sawPresenceAt = 0
  /** The clients whose streams have closed since their presence was last deleted. */
  let gone: PresentClient[] = []

  /** A server that stops may have closed its database. */
  function report(error: unknown): void {
    if (!stopped) onError(error)
  }

  function admit(userId: string): void {
    if (stopped) throw unavailable(because('server-stopping'), 1)
    if (streams.size >= total) throw unavailable(because('too-many-clients', { count: total }), RETRY_S)
    if ((streamsOf.get(userId) ?? 0) >= perUser)
      throw tooMany(because('too-many-streams', { limit: perUser }), RETRY_S)
  }

  function hold(stream: EventStream, userId: string, client: string): void {
    streams.add(stream)
    streamsOf.set(userId, (streamsOf.get(userId) ?? 0) + 1)
    stream.onClose(() => {
      streams.delete(stream)
      const left = (streamsOf.get(userId) ?? 0) - 1
      if (left > 0) streamsOf.set(userId, left)
      else streamsOf.delete(userId)
      gone.push({ userId, client })
      if (gone.length === 1 && !stopped) setTimeout(() => void forgetGone().catch(report), FORGET_MS).unref()
    })
  }

  /** Ends the presence of the clients whose streams have closed. */
  async function forgetGone(): Promise<void> {
    const clients = gone
    gone = []
    for (const some of chunks(clients)) {
      const recorded = await recordedOf(db.read, some)
      if (recorded.length > 0) await db.write((tx) => deletePresence(tx, recorded))
    }
  }

  /** Ends the stream of a user who may no longer listen, at the next check. */
  function checkAgain(stream: EventStream, isAllowed: () => Promise<boolean>): void {
    const checking = setInterval(() => {
      isAllowed().then(
        (allowed) => (allowed ? stream.send(HEARTBEAT) : stream.end()),
        () => stream.end(),
      )
    }, checkMs)
    checking.unref()
    stream.onClose(() => clearInterval(checking))
  }

  /** Sends what the client has missed. */
  async function catchUp(listener: Listener, lastEventId: string | undefined): Promise<void> {
    const { stream, spaceId } = listener
    const retry = Math.round(RETRY_MS * (1 + 3 * Math.random()))
    const newest = await newestSpaceEvent(db.read, spaceId)
    listener.at = newest
    const from = lastEventId === undefined ? newest : eventNumber(lastEventId)
    // The id is that of the newest event only if the client gets all before it.
    stream.send(
      eventBytes('ready', { client: listener.client }, { retry, ...(from === newest && { id: newest }) }),
    )
    if (from === newest) return
    if (from === undefined || from > newest) return reset(listener, newest)

    listener.at = from
    for (let isAll = false; !isAll && !stream.isClosed; await stream.room()) {
      const events = await spaceEventsAfter(db.read, spaceId, listener.at, EVENTS_AT_ONCE)
      if (isGap(listener.at, events, newest)) return reset(listener, newest)
      isAll = events.length < EVENTS_AT_ONCE
      for (const event of events) sendTo(listener, event, spaceEventBytes(event, spaceId))
    }
  }

  /** Adds a listener to those of its space. It has nearly all events by now. */
  function join(listener: Listener): void {
    const { stream, spaceId } = listener
    if (stream.isClosed) return
    const channel = channels.get(spaceId) ?? new Set()
    channels.set(spaceId, channel.add(listener))
    stream.onClose(() => {
      channel.delete(listener)
      if (channel.size === 0 && channels.get(spaceId) === channel) channels.delete(spaceId)
    })
    tell()
  }

  /** Sends the events of a space up to the newest, beginning with the first that any of its listeners has not had. */
  async function deliver(spaceId: string, channel: Set<Listener>, newest: number): Promise<void> {
    for (;;) {
      // A listener that joins meanwhile has its turn in the next round, so that it gets its events in their order.
      const listeners = [...channel]
      const from = listeners.reduce((least, { at }) => Math.min(least, at), newest)
      if (from === newest) return
      const events = await spaceEventsAfter(db.read, spaceId, from, EVENTS_AT_ONCE)
      for (const listener of listeners) if (isGap(listener.at, events, newest)) reset(listener, newest)
      for (const event of events) {
        const bytes = spaceEventBytes(event, spaceId)
        await eachInTurns(listeners, (listener) => sendTo(listener, event, bytes))
      }
    }
  }

  /** Sends the list of the people who are present to the listeners whose list differs. */
  async function deliverPresence(): Promise<void> {
    sawPresenceAt = performance.now()
    for (const spaceIds of chunks([...channels.keys()])) {
      const rows = Map.groupBy(await presentIn(db.read, spaceIds, now()), ({ spaceId }) => spaceId)
      for (const spaceId of spaceIds) {
        const texts = new Map<string | undefined, ReturnType<typeof presenceText>>()
        await eachInTurns([...(channels.get(spaceId) ?? [])], (listener) => {
          const { changeRequestId, stream, present } = listener
          const known = texts.get(changeRequestId)
          const { text, bytes } = known ?? presenceText(spaceId, changeRequestId, rows.get(spaceId) ?? [])
          if (!known) texts.set(changeRequestId, { text, bytes })
          if (text === present) return
          listener.present = text
          stream.send(bytes)
        })
      }
    }
  }

  async function look(): Promise<void> {
    clearTimeout(timer)
    try {
      while (isDue) {
        isDue = false
        for (const spaceIds of chunks([...channels.keys()]))
          for (const { spaceId, sequence } of await newestSpaceEvents(db.read, spaceIds)) {
            const channel = channels.get(spaceId)
            if (channel) await deliver(spaceId, channel, sequence)
          }
        // Presence is no part of a change, so it is sent at the interval, however often there are changes.
        if (performance.now() - sawPresenceAt >= pollMs / 2) await deliverPresence()
      }
    } catch (error) {
      report(error)
    }
  }

  function afterLook(): void {
    looking = undefined
    if (isDue) tell()
    else if (channels.size > 0 && !stopped) timer = setTimeout(tell, pollMs).unref()
  }

  function tell(): void {
    if (channels.size === 0 || stopped) return
    isDue = true
    looking ??= look().finally(afterLook)
  }

  return {
    async open(reply, { userId, lastEventId, isAllowed, ...listening }) {
      admit(userId)
      const stream = openEventStream(reply, unsentBytes)
      const client = newId()
      hold(stream, userId, client)
      checkAgain(stream, isAllowed)
      const listener: Listener = { ...listening, stream, client, present: undefined, at: 0 }
      void catchUp(listener, lastEventId).then(
        () => join(listener),
        (error: unknown) => {
          report(error)
          stream.end()
        },
      )
      return reply
    },
    tell,
    count: () => streams.size,
    async stop() {
      stopped = true
      clearTimeout(timer)
      for (const stream of streams) stream.end()
      for (const until = performance.now() + STOP_MS; streams.size > 0 && performance.now() < until;)
        await wait(STOP_MS / 100)
      await forgetGone().catch(onError)
      await looking
    },
  }
}
