import { createHash } from 'node:crypto'

import type { HighlightedCode } from '../../core/document/html/renderer.ts'
import { languageOf, PLAIN_TEXT } from '../../core/document/html/languages.ts'
import { heapSize } from '../../core/heap-size.ts'
import { lru } from '../../core/lru.ts'
import { ThreadError, threadPool } from '../../threads/pool.ts'
import type { HighlightTask } from './worker.ts'

/** Code longer than this many UTF-16 units stays plain. */
const MAX_CODE = 100_000
const CACHE_BYTES = 8 * 1024 * 1024
/** A block that takes longer, including the load of its grammar, stays plain. */
const TIME_LIMIT_MS = 5_000
/** A page waits no longer than this for all its blocks; blocks that are not highlighted by then stay plain. */
const READ_LIMIT_MS = 8_000
/** Blocks that wait for the thread. Beyond that, blocks stay plain. */
const MAX_WAITING = 2_000
/** The thread and its grammars take tens of megabytes, so the thread ends when it is idle. */
const IDLE_MS = 10 * 60_000
const MEMORY_MB = 256

/** Returns the tokens of a block that was passed to `read`, or undefined if the block stays plain. */
export type HighlightLookup = (code: string, syntax: string) => HighlightedCode | undefined

/** Highlights code outside the event loop. */
export interface Highlighter extends AsyncDisposable {
  /** Resolves when each block is highlighted, is known to stay plain, or has taken too long; never rejects. */
  read(blocks: readonly { code: string; syntax: string }[]): Promise<HighlightLookup>
}

/** A highlighter with one thread, which starts with the first block that needs it. */
export function createHighlighter(
  options: { timeLimit?: number; readLimit?: number; idle?: number } = {},
): Highlighter {
  const { timeLimit = TIME_LIMIT_MS, readLimit = READ_LIMIT_MS, idle = IDLE_MS } = options
  const pool = threadPool<HighlightTask, HighlightedCode | undefined>(
    new URL('./worker.ts', import.meta.url),
    {
      threads: 1,
      queue: MAX_WAITING,
      timeMs: timeLimit,
      memoryMb: MEMORY_MB,
      idleMs: idle,
    },
  )
  /** Without lines, the code is known to stay plain. */
  const cache = lru<{ lines: HighlightedCode | undefined }>(CACHE_BYTES)
  const running = new Map<string, Promise<HighlightedCode | undefined>>()

  async function tokensOf(key: string, task: HighlightTask): Promise<HighlightedCode | undefined> {
    const known = cache.get(key)
    if (known) return known.lines
    const started = running.get(key) ?? highlight(key, task).finally(() => running.delete(key))
    running.set(key, started)
    return started
  }

  async function highlight(key: string, task: HighlightTask): Promise<HighlightedCode | undefined> {
    try {
      const lines = await pool.run(task)
      cache.set(key, { lines }, heapSize(lines))
      return lines
    } catch (error) {
      // A block that was never tried is tried again next time. A block that failed would fail again, so it stays plain.
      const tried = !(error instanceof ThreadError && (error.fault === 'queue' || error.fault === 'closed'))
      if (tried) cache.set(key, { lines: undefined }, heapSize(undefined))
      return undefined
    }
  }

  return {
    async read(blocks) {
      const found = new Map<string, HighlightedCode | undefined>()
      const all = Promise.all(
        blocks.map(async ({ code, syntax }) => {
          const key = keyOf(code, syntax)
          if (key === undefined || found.has(key)) return
          found.set(key, await tokensOf(key, { code, language: languageOf(syntax) }))
        }),
      )
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, readLimit)
      await Promise.race([all, late.promise])
      clearTimeout(timer)
      return (code, syntax) => {
        const key = keyOf(code, syntax)
        return key === undefined ? undefined : found.get(key)
      }
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

function keyOf(code: string, syntax: string): string | undefined {
  const language = languageOf(syntax)
  if (language === PLAIN_TEXT || code.length > MAX_CODE) return undefined
  return `${language}:${createHash('sha256').update(code).digest('base64url')}`
}
