/** The events of the server: one stream for everybody in this tab who listens to it. */

const NAMES = [
  'ready',
  'content',
  'change-request',
  'merge',
  'comment',
  'reply',
  'review',
  'review-request',
  'presence',
  'reset',
] as const

/** The name of an event; the manual has what each says. `again` follows a `ready` after the connection was lost. */
export type EventName = (typeof NAMES)[number] | 'again'

/** Takes an event. Its data has the fields that the manual names. */
export type Listener = (name: EventName, data: Record<string, unknown>) => void

/** A stream that the server closed is opened again after this time, and then after twice as long each time. */
const WAIT = 2000
const LONGEST_WAIT = 60_000

class Stream {
  readonly listeners = new Set<Listener>()
  /** The last event of each of these names, for listeners that join later. */
  readonly #last = new Map<EventName, Record<string, unknown>>()
  readonly #open: () => EventSource
  #source: EventSource | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #wait = WAIT
  #wasReady = false

  constructor(open: () => EventSource) {
    this.#open = open
    document.addEventListener('visibilitychange', this.#follow)
    this.#follow()
  }

  add(listener: Listener): void {
    this.listeners.add(listener)
    for (const [name, data] of this.#last) listener(name, data)
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.#follow)
    this.#disconnect()
  }

  #disconnect(): void {
    clearTimeout(this.#timer)
    this.#source?.close()
    this.#source = undefined
    this.#last.clear()
  }

  /** A hidden tab does not listen, because a browser keeps few connections to a server. */
  #follow = (): void => {
    if (document.hidden) this.#disconnect()
    else if (!this.#source) this.#connect()
  }

  #connect(): void {
    const source = this.#open()
    this.#source = source
    for (const name of NAMES)
      source.addEventListener(name, ({ data }: MessageEvent<string>) =>
        this.#take(name, JSON.parse(data) as Record<string, unknown>),
      )
    source.addEventListener('error', () => {
      this.#last.clear()
      // The browser connects again by itself, except after an answer that is no stream.
      if (source.readyState !== EventSource.CLOSED || this.#source !== source) return
      this.#disconnect()
      this.#timer = setTimeout(this.#follow, this.#wait)
      this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT)
    })
  }

  #take(name: EventName, data: Record<string, unknown>): void {
    if (name === 'ready' || name === 'presence') this.#last.set(name, data)
    for (const listener of this.listeners) listener(name, data)
    if (name !== 'ready') return
    this.#wait = WAIT
    if (this.#wasReady) for (const listener of this.listeners) listener('again', {})
    this.#wasReady = true
  }
}

const streams = new Map<string, Stream>()

/** Listens to the events of a space or a change request. @param base its path below `/v1` @returns ends it */
export function listen(base: string, listener: Listener): () => void {
  const stream = streams.get(base) ?? new Stream(() => new EventSource(`/v1${base}/events`))
  streams.set(base, stream)
  stream.add(listener)
  return () => {
    stream.listeners.delete(listener)
    // The next screen often listens to the same.
    setTimeout(() => {
      if (stream.listeners.size > 0 || streams.get(base) !== stream) return
      streams.delete(base)
      stream.close()
    }, 1000)
  }
}
