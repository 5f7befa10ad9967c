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

/** The clients that listen, and what was done for them so far. */
interface ListenerState extends Pick<Services, 'db' | 'now'> {
  limits: ListeningLimits
  onError: (error: unknown) => void
  /** The clients of each space. */
  channels: Map<string, Set<Listener>>
  streams: Set<EventStream>
  /** How many streams each user has. */
  streamsOfUser: Map<string, number>
  /** The clients whose streams have closed since their presence was last deleted. */
  gone: PresentClient[]
  /** When the presence was last sent, in milliseconds of the process. */
  sawPresenceAt: number
  /** The search for events that is under way. */
  looking: Promise<void> | undefined
  /** Whether to search again, because something changed since the search began. */
  isDue: boolean
  /** The timer of the next search. */
  timer: NodeJS.Timeout | undefined
  stopped: boolean
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
  const state: ListenerState = {
    db,
    now,
    limits: { ...LIMITS, ...limits },
    onError,
    channels: new Map(),
    streams: new Set(),
    streamsOfUser: new Map(),
    gone: [],
    sawPresenceAt: 0,
    looking: undefined,
    isDue: false,
    timer: undefined,
    stopped: false,
  }
  return {
    async open(reply, asked) {
      admit(state, asked.userId)
      const stream = openEventStream(reply, state.limits.unsentBytes)
      begin(state, stream, newId(), asked)
      return reply
    },
    tell: () => tell(state),
    count: () => state.streams.size,
    stop: () => stop(state),
  }
}

/** Starts to send events to a client whose response is open. */
function begin(state: ListenerState, stream: EventStream, client: string, asked: ListenRequest): void {
  const { userId, lastEventId, isAllowed, ...listening } = asked
  hold(state, stream, userId, client)
  checkAgain(state, stream, isAllowed)
  const listener: Listener = { ...listening, stream, client, present: undefined, at: 0 }
  void catchUp(state, listener, lastEventId).then(
    () => join(state, listener),
    (error: unknown) => {
      report(state, error)
      stream.end()
    },
  )
}

async function stop(state: ListenerState): Promise<void> {
  state.stopped = true
  clearTimeout(state.timer)
  for (const stream of state.streams) stream.end()
  for (const until = performance.now() + STOP_MS; state.streams.size > 0 && performance.now() < until;)
    await wait(STOP_MS / 100)
  await forgetGone(state).catch(state.onError)
  await state.looking
}

/** A server that stops may have closed its database. */
function report(state: ListenerState, error: unknown): void {
  if (!state.stopped) state.onError(error)
}

function admit(state: ListenerState, userId: string): void {
  if (state.stopped) throw unavailable(because('server-stopping'), 1)
  if (state.streams.size >= state.limits.total)
    throw unavailable(because('too-many-clients', { count: state.limits.total }), RETRY_S)
  if ((state.streamsOfUser.get(userId) ?? 0) >= state.limits.perUser)
    throw tooMany(because('too-many-streams', { limit: state.limits.perUser }), RETRY_S)
}

function hold(state: ListenerState, stream: EventStream, userId: string, client: string): void {
  state.streams.add(stream)
  state.streamsOfUser.set(userId, (state.streamsOfUser.get(userId) ?? 0) + 1)
  stream.onClose(() => {
    state.streams.delete(stream)
    const left = (state.streamsOfUser.get(userId) ?? 0) - 1
    if (left > 0) state.streamsOfUser.set(userId, left)
    else state.streamsOfUser.delete(userId)
    state.gone.push({ userId, client })
    if (state.gone.length === 1 && !state.stopped)
      setTimeout(
        () => void forgetGone(state).catch((error: unknown) => report(state, error)),
        FORGET_MS,
      ).unref()
  })
}

/** Ends the presence of the clients whose streams have closed. */
async function forgetGone(state: ListenerState): Promise<void> {
  const clients = state.gone
  state.gone = []
  for (const some of chunks(clients)) {
    const recorded = await recordedOf(state.db.read, some)
    if (recorded.length > 0) await state.db.write((tx) => deletePresence(tx, recorded))
  }
}

/** Ends the stream of a user who may no longer listen, at the next check. */
function checkAgain(state: ListenerState, stream: EventStream, isAllowed: () => Promise<boolean>): void {
  const checking = setInterval(() => {
    isAllowed().then(
      (allowed) => (allowed ? stream.send(HEARTBEAT) : stream.end()),
      () => stream.end(),
    )
  }, state.limits.checkMs)
  checking.unref()
  stream.onClose(() => clearInterval(checking))
}

/** Sends what the client has missed. */
async function catchUp(
  state: ListenerState,
  listener: Listener,
  lastEventId: string | undefined,
): Promise<void> {
  const { stream, spaceId } = listener
  const retry = Math.round(RETRY_MS * (1 + 3 * Math.random()))
  const newest = await newestSpaceEvent(state.db.read, spaceId)
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
    const events = await spaceEventsAfter(state.db.read, spaceId, listener.at, EVENTS_AT_ONCE)
    if (isGap(listener.at, events, newest)) return reset(listener, newest)
    isAll = events.length < EVENTS_AT_ONCE
    for (const event of events) sendTo(listener, event, spaceEventBytes(event, spaceId))
  }
}

/** Adds a listener to those of its space. It has nearly all events by now. */
function join(state: ListenerState, listener: Listener): void {
  const { stream, spaceId } = listener
  if (stream.isClosed) return
  const channel = state.channels.get(spaceId) ?? new Set()
  state.channels.set(spaceId, channel.add(listener))
  stream.onClose(() => {
    channel.delete(listener)
    if (channel.size === 0 && state.channels.get(spaceId) === channel) state.channels.delete(spaceId)
  })
  tell(state)
}

/** Sends the events of a space up to the newest, beginning with the first that any of its listeners has not had. */
async function deliver(
  state: ListenerState,
  spaceId: string,
  channel: Set<Listener>,
  newest: number,
): Promise<void> {
  for (;;) {
    // A listener that joins meanwhile has its turn in the next round, so that it gets its events in their order.
    const listeners = [...channel]
    const from = listeners.reduce((least, { at }) => Math.min(least, at), newest)
    if (from === newest) return
    const events = await spaceEventsAfter(state.db.read, spaceId, from, EVENTS_AT_ONCE)
    for (const listener of listeners) if (isGap(listener.at, events, newest)) reset(listener, newest)
    for (const event of events) {
      const bytes = spaceEventBytes(event, spaceId)
      await eachInTurns(listeners, (listener) => sendTo(listener, event, bytes))
    }
  }
}

/** Sends the list of the people who are present to the listeners whose list differs. */
async function deliverPresence(state: ListenerState): Promise<void> {
  state.sawPresenceAt = performance.now()
  for (const spaceIds of chunks([...state.channels.keys()])) {
    const rows = Map.groupBy(await presentIn(state.db.read, spaceIds, state.now()), ({ spaceId }) => spaceId)
    for (const spaceId of spaceIds) {
      const texts = new Map<string | undefined, ReturnType<typeof presenceText>>()
      await eachInTurns([...(state.channels.get(spaceId) ?? [])], (listener) => {
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

async function look(state: ListenerState): Promise<void> {
  clearTimeout(state.timer)
  try {
    while (state.isDue) {
      state.isDue = false
      for (const spaceIds of chunks([...state.channels.keys()]))
        for (const { spaceId, sequence } of await newestSpaceEvents(state.db.read, spaceIds)) {
          const channel = state.channels.get(spaceId)
          if (channel) await deliver(state, spaceId, channel, sequence)
        }
      // Presence is no part of a change, so it is sent at the interval, however often there are changes.
      if (performance.now() - state.sawPresenceAt >= state.limits.pollMs / 2) await deliverPresence(state)
    }
  } catch (error) {
    report(state, error)
  }
}

function afterLook(state: ListenerState): void {
  state.looking = undefined
  if (state.isDue) tell(state)
  else if (state.channels.size > 0 && !state.stopped)
    state.timer = setTimeout(() => tell(state), state.limits.pollMs).unref()
}

function tell(state: ListenerState): void {
  if (state.channels.size === 0 || state.stopped) return
  state.isDue = true
  state.looking ??= look(state).finally(() => afterLook(state))
}
