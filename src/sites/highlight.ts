import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'

import type { HighlightedCode } from '../core/document/html/renderer.ts'
import { languageOf } from '../core/document/html/languages.ts'
import type { HighlightAnswer, HighlightRequest } from './highlight-worker.ts'

/** Code longer than this many UTF-16 units stays plain. */
const MAX_CODE = 100_000
/** Code kept with its tokens, in UTF-16 units. */
const CACHE_UNITS = 1_000_000
/** A block that takes longer, with loading its grammar, stays plain. */
const TIME_LIMIT_MS = 5_000
/** A page waits no longer than this, whatever is asked before it; what is not known by then stays plain. */
const READ_LIMIT_MS = 8_000
/** The worker and its grammars take tens of megabytes: they leave when nobody needs them. */
const IDLE_MS = 10 * 60_000

/** Looks up the tokens of code that was asked for before. */
export type HighlightLookup = (code: string, syntax: string) => HighlightedCode | undefined

/** Highlights code outside the event loop. */
export interface Highlighter extends AsyncDisposable {
  /** Resolves when all blocks are highlighted, known to stay plain, or have taken too long; never rejects. */
  read(blocks: readonly { code: string; syntax: string }[]): Promise<HighlightLookup>
}

interface Waiting {
  key: string
  request: HighlightRequest
  done: Promise<HighlightedCode | undefined>
  resolve: (lines: HighlightedCode | undefined) => void
}

/** A highlighter with one worker, which is started by the first block that needs it. */
export function createHighlighter(
  options: { timeLimit?: number; readLimit?: number; idle?: number } = {},
): Highlighter {
  const { timeLimit = TIME_LIMIT_MS, readLimit = READ_LIMIT_MS, idle = IDLE_MS } = options
  const cache = new Map<string, { units: number; lines: HighlightedCode | undefined }>()
  const waiting = new Map<number, Waiting>()
  let cachedUnits = 0
  let lastId = 0
  let worker: Worker | undefined
  let timer: NodeJS.Timeout | undefined

  return {
    async read(blocks) {
      const found = new Map<string, HighlightedCode | undefined>()
      const all = Promise.all(
        blocks.map(async ({ code, syntax }) => {
          const key = keyOf(code, syntax)
          if (key !== undefined && !found.has(key)) found.set(key, await tokensOf(key, code, syntax))
        }),
      )
      const late = Promise.withResolvers<void>()
      const waits = setTimeout(late.resolve, readLimit)
      await Promise.race([all, late.promise])
      clearTimeout(waits)
      return (code, syntax) => {
        const key = keyOf(code, syntax)
        return key === undefined ? undefined : found.get(key)
      }
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer)
      const running = worker
      worker = undefined
      for (const { resolve } of waiting.values()) resolve(undefined)
      waiting.clear()
      await running?.terminate()
    },
  }

  function tokensOf(
    key: string,
    code: string,
    syntax: string,
  ): Promise<HighlightedCode | undefined> | HighlightedCode | undefined {
    const known = cache.get(key)
    if (known) {
      cache.delete(key)
      cache.set(key, known)
      return known.lines
    }
    for (const other of waiting.values()) if (other.key === key) return other.done

    const request = { id: ++lastId, code, language: languageOf(syntax) }
    const { promise, resolve } = Promise.withResolvers<HighlightedCode | undefined>()
    waiting.set(request.id, { key, request, done: promise, resolve })
    send([request])
    return promise
  }

  function send(requests: readonly HighlightRequest[]): void {
    const running = (worker ??= start())
    for (const request of requests) running.postMessage(request)
    running.ref()
    watch()
  }

  function start(): Worker {
    const started = new Worker(new URL('highlight-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    started.on('message', (answer: HighlightAnswer) => settle(answer))
    // It ran out of memory or was broken by a grammar: the block it was at stays plain, the others get a new worker.
    started.on('error', () => giveUp(started))
    return started
  }

  function settle({ id, lines }: HighlightAnswer): void {
    const entry = waiting.get(id)
    if (!entry) return
    waiting.delete(id)
    remember(entry, lines)
    entry.resolve(lines)
    watch()
  }

  // The clock runs for the block the worker is at: it starts anew with each answer.
  function watch(): void {
    clearTimeout(timer)
    const running = worker
    if (!running) return
    if (waiting.size > 0) {
      timer = setTimeout(() => giveUp(running), timeLimit)
      return
    }
    running.unref()
    timer = setTimeout(() => {
      worker = undefined
      void running.terminate()
    }, idle).unref()
  }

  function giveUp(broken: Worker): void {
    if (worker !== broken) return
    worker = undefined
    void broken.terminate()

    const [first, ...rest] = waiting.values()
    if (first) settle({ id: first.request.id })
    if (rest.length > 0) send(rest.map(({ request }) => request))
  }

  function remember({ key, request }: Waiting, lines: HighlightedCode | undefined): void {
    cache.set(key, { units: request.code.length, lines })
    cachedUnits += request.code.length
    for (const [oldest, { units }] of cache) {
      if (cachedUnits <= CACHE_UNITS) return
      cache.delete(oldest)
      cachedUnits -= units
    }
  }
}

function keyOf(code: string, syntax: string): string | undefined {
  const language = languageOf(syntax)
  if (language === 'text' || code.length > MAX_CODE) return undefined
  return `${language}:${createHash('sha256').update(code).digest('base64url')}`
}
