import { eventBytes, type EventStream } from '../http/response/event-stream.ts'
import type { Listening } from '../http/route.ts'
import type { Row } from '../db/schema.ts'
import type { SpaceEventRow } from '../model/events/event.ts'
import { presenceData } from '../model/events/presence.ts'

/** A client that listens to a space, and the state that it was sent last. */
export interface Listener extends Listening {
  stream: EventStream
  /** The name of the client in the presence of its user. */
  client: string
  /** The people who were present when the list was sent last; undefined if nobody was. */
  present: string | undefined
  /** The number of the last event that the client has, or does not want. */
  at: number
}

/** The event that lists the people who are present; `text` is undefined if nobody is. */
interface PresenceText {
  text: string | undefined
  bytes: Buffer
}

/** The event that tells the listeners of a space, or of one change request, who is present. */
export function presenceText(
  spaceId: string,
  changeRequestId: string | undefined,
  rows: readonly Row<'presence'>[],
): PresenceText {
  const data = presenceData(spaceId, changeRequestId, rows)
  const bytes = eventBytes('presence', data)
  return { text: data.count === 0 ? undefined : bytes.toString(), bytes }
}

/** Makes a client load everything again, because the server has deleted events that the client missed. */
export function reset(listener: Listener, newest: number): void {
  listener.at = newest
  listener.stream.send(eventBytes('reset', {}, { id: newest }))
}

/** Sends an event that the client has not had, if it concerns what the client listens to. */
export function sendTo(listener: Listener, event: SpaceEventRow, bytes: Buffer): void {
  if (event.sequence <= listener.at) return
  listener.at = event.sequence
  const { changeRequestId } = listener
  const isPrimary = event.changeRequestId === null && event.kind === 'content'
  if (changeRequestId === undefined || event.changeRequestId === changeRequestId || isPrimary)
    listener.stream.send(bytes)
}

/** An event of a space as it is sent. */
export function spaceEventBytes(
  { kind, data, changeRequestId, sequence }: SpaceEventRow,
  space: string,
): Buffer {
  const changeRequest = changeRequestId === null ? {} : { changeRequest: changeRequestId }
  return eventBytes(kind, { space, ...changeRequest, ...(JSON.parse(data) as object) }, { id: sequence })
}

/** Whether events between `at` and the first of these are deleted: the numbers have no gaps. */
export function isGap(at: number, [first]: readonly SpaceEventRow[], newest: number): boolean {
  return first ? first.sequence > at + 1 : at < newest
}

/** The number of the event that a client names; undefined if it is none. */
export function eventNumber(id: string): number | undefined {
  return /^\d{1,15}$/.test(id) ? Number(id) : undefined
}
