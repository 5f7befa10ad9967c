import { createHash } from 'node:crypto'

import type { HighlightedCode } from '../core/document/html/renderer.ts'
import { languageOf, PLAIN_TEXT } from '../core/document/html/code-languages.ts'
import { heapSize } from '../core/runtime/heap-size.ts'
import { lru } from '../core/data/lru.ts'
import type { Party } from '../core/runtime/party.ts'
import { partyFor } from '../core/runtime/turns.ts'
import type { TaskKind, ThreadError, ThreadPool } from '../threads/pool.ts'
import { threads } from '../threads/threads.ts'
import type { HighlightOutcome, HighlightTask } from './highlight-code.ts'

/** Code longer than this many UTF-16 units stays plain. */
const MAX_CODE = 100_000
const CACHE_BYTES = 8 * 1024 * 1024
/** A block that twice takes longer, including the load of its grammar, stays plain. */
const TIME_LIMIT_MS = 5_000
/** How many blocks that took too long once are remembered. */
const LATE_BYTES = 256 * 1024
/** Blocks of a page stay plain once those before them took this long together. */
const PAGE_LIMIT_MS = 10_000
/** A page waits no longer than this for its blocks. */
const READ_LIMIT_MS = 3_000
/** How many blocks of one page are highlighted at once. */
const AT_ONCE = 2

/** The tokens of the blocks of a page. */
export interface HighlightedBlocks {
  /** The tokens of a block that was passed to `read`, or undefined if the block is plain. */
  lookup(code: string, syntax: string): HighlightedCode | undefined
  /** False if there was no time for some blocks, which may have tokens the next time. */
  complete: boolean
}

/** Highlights code outside the event loop. */
export interface Highlighter {
  /**
   * Resolves when each block is highlighted, is known to stay plain, or has taken too long; never rejects.
   * @param organization the organization of the page
   */
  read(blocks: readonly CodeBlock[], organization: string): Promise<HighlightedBlocks>
}

/** The code of a block, and the name that its writer gave to its language. */
interface CodeBlock {
  code: string
  syntax: string
}

/** The time that the blocks of a page took so far, in milliseconds. */
interface PageTime {
  spent: number
}

/** A highlighter with a cache of its own, which runs in the given threads. */
export function createHighlighter(
  options: { pool?: ThreadPool; timeLimit?: number; pageLimit?: number; readLimit?: number } = {},
): Highlighter {
  const { pool = threads, timeLimit = TIME_LIMIT_MS, readLimit = READ_LIMIT_MS } = options
  const { pageLimit = PAGE_LIMIT_MS } = options
  const kind: TaskKind<HighlightTask, HighlightOutcome> = {
    module: new URL('./highlight-code.ts', import.meta.url),
    name: 'highlightBlock',
    timeMs: timeLimit,
  }
  /** Without lines, the code is known to stay plain. */
  const cache = lru<{ lines: HighlightedCode | undefined }>(CACHE_BYTES, 'highlighted-code')
  /** Why blocks took too long the first time. The machine may have been busy, so each is tried a second time. */
  const late = lru<ThreadError>(LATE_BYTES)
  const running = new Map<string, Promise<HighlightOutcome>>()

  async function tokensOf(key: string, block: CodeBlock, party: Party, time: PageTime) {
    const known = cache.get(key)
    if (known) return known
    if (time.spent > pageLimit) return keep(key, undefined)
    const started = running.get(key) ?? highlight(key, block, party)
    running.set(key, started)
    try {
      const { lines, ms } = await started
      time.spent += ms
      return keep(key, lines)
    } catch (error) {
      // A block that was never tried is tried again next time. A block that failed would fail again, so it stays plain.
      const failure = error as ThreadError
      if (failure.fault === 'queue' || failure.fault === 'closed') return undefined
      time.spent += timeLimit
      if (failure.fault !== 'time' || (late.get(key) ?? failure) !== failure) return keep(key, undefined)
      late.set(key, failure, heapSize(failure.message))
      return undefined
    }
  }

  function highlight(key: string, { code, syntax }: CodeBlock, party: Party) {
    const task = { code, language: languageOf(syntax) }
    return pool.run(kind, task, { party }).finally(() => running.delete(key))
  }

  function keep(key: string, lines: HighlightedCode | undefined) {
    cache.set(key, { lines }, heapSize(lines))
    return { lines }
  }

  return {
    async read(blocks, organization) {
      const party = partyFor(organization)
      const wanted = new Map(blocks.flatMap((block) => keyed(block)))
      const found = new Map<string, HighlightedCode | undefined>()
      const time = { spent: 0 }
      const left = wanted.entries()
      async function highlightRest(): Promise<void> {
        for (const [key, block] of left) {
          const result = await tokensOf(key, block, party, time)
          if (result) found.set(key, result.lines)
        }
      }
      const all = Promise.all(Array.from({ length: AT_ONCE }, highlightRest))
      const limit = Promise.withResolvers<void>()
      const timer = setTimeout(limit.resolve, readLimit)
      await Promise.race([all, limit.promise])
      clearTimeout(timer)
      return {
        lookup(code, syntax) {
          const key = highlightKey(code, syntax)
          return key === undefined ? undefined : found.get(key)
        },
        complete: found.size === wanted.size,
      }
    },
  }
}

/** The highlighter of this process: sites and the API share what it keeps. */
export const codeHighlighter = createHighlighter()

function keyed(block: CodeBlock): [string, CodeBlock][] {
  const key = highlightKey(block.code, block.syntax)
  return key === undefined ? [] : [[key, block]]
}

function highlightKey(code: string, syntax: string): string | undefined {
  const language = languageOf(syntax)
  if (language === PLAIN_TEXT || code.length > MAX_CODE) return undefined
  return `${language}:${createHash('sha256').update(code).digest('base64url')}`
}
