/**
 * Makes books. Each PDF is made in a separate process: the typesetter is native code, which a page may bring to a halt or to
 * its end. The pages of an EPUB are made in threads. A book is made once for all who ask for it at the same time, and a limited
 * number of books at once.
 */
import { type ChildProcess, execFile, fork } from 'node:child_process'
import { createReadStream, createWriteStream, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Blobs } from '../blobs/blobs.ts'
import { reportingMissing } from '../blobs/missing.ts'
import { lru } from '../core/data/lru.ts'
import { unavailable } from '../http/errors.ts'
import type { Services } from '../http/route.ts'
import { ShareFull, fairShare } from '../threads/shares.ts'
import { storeEpub } from './epub.ts'
import { bookLimits } from './limits.ts'
import { fontFolder } from './font-folder.ts'
import type { BookOrder } from './book-source.ts'
import type { FromMaker, PlainPage, ToMaker, UnreadablePage } from './messages.ts'
import { because } from '../core/languages/reasons.ts'
import { BookLate, workLimit } from './work-limit.ts'

/** A book that is stored. */
export interface MadeBook {
  hash: string
  size: number
  /** The pages that are not in the book as they are on the site. */
  plain: PlainPage[]
  /** The pages with text that no font of the typesetter has. */
  unreadable: UnreadablePage[]
}

/** How many books are made at once, and how many wait. */
const PLACES = { atOnce: availableParallelism() > 3 ? 2 : 1, queue: 40, queueOfParty: 10 }
const inPress = fairShare(PLACES)
/** More places, which a book leaves soon: a short one never waits until a long one is made. */
const inShortPlace = fairShare(PLACES)
/** Longer books do not try to be short. */
const SHORT_PAGES = 50
/** How long an EPUB with a limit of so many milliseconds keeps its place at most, however long it waits for threads. */
const keptMs = (limitMs: number) => 2 * limitMs + 10_000
const MOST_ATTEMPTS = 6
const HEAP_MB = 512
/** A book that nobody waits for is finished if it is ready soon: a client that gave up asks again. */
const FINISH_WITHIN_MS = 60_000
const WATCH_MS = 250
const RETRY_S = 30

/** The first attempt leaves time for those that find the page that is at fault. */
const FIRST_ATTEMPT = 0.6

const MAKER = new URL('./maker.ts', import.meta.url)

const made = lru<MadeBook>(1024 * 1024, 'books')
/** A book that is being made, and how many requests wait for it. */
interface Job {
  promise: Promise<MadeBook>
  waiting: number
  abort: AbortController
}
const running = new Map<string, Job>()
let making = 0

/** How many books are made now, and how many wait for their turn. */
export const bookQueue = () => ({ making, waiting: running.size - making })

/** The book of an order: stored already, being made, or made now. @throws 503 if it cannot be made now */
export async function bookOf(
  order: BookOrder,
  { blobs: store, reportMissing }: Pick<Services, 'blobs' | 'reportMissing'>,
  signal: AbortSignal,
): Promise<MadeBook> {
  const blobs = reportingMissing(store, reportMissing)
  const known = made.get(order.key)
  if (known && (await blobs.has(known.hash))) return known
  signal.throwIfAborted()

  const job = running.get(order.key) ?? begin(order, blobs)
  job.waiting++
  const left = Promise.withResolvers<never>()
  const leave = () => left.reject(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([job.promise, left.promise])
  } finally {
    signal.removeEventListener('abort', leave)
    if (--job.waiting === 0) giveUpLater(job)
  }
}

function giveUpLater(job: Job): void {
  const timer = setTimeout(() => {
    if (job.waiting === 0) job.abort.abort(new Error('Nobody waits for the book any more'))
  }, FINISH_WITHIN_MS)
  timer.unref()
}

function begin(order: BookOrder, blobs: Blobs): Job {
  const abort = new AbortController()
  const job = { promise: makeInTurn(order, blobs, abort.signal), waiting: 0, abort }
  running.set(order.key, job)
  job.promise.catch(() => undefined).finally(() => running.delete(order.key))
  return job
}

async function makeInTurn(order: BookOrder, blobs: Blobs, signal: AbortSignal): Promise<MadeBook> {
  const makeIn = async (place: Place) => {
    making++
    try {
      const book = await (order.format === 'epub' ? makeEpub : makePdf)(order, blobs, place, signal)
      made.set(order.key, book, 200 + JSON.stringify([book.plain, book.unreadable]).length * 2)
      return book
    } finally {
      making--
    }
  }
  const { totalMs, shortMs } = bookLimits()
  try {
    if (order.pages.length <= SHORT_PAGES && shortMs < totalMs) {
      const book = await inShortPlace(order.party, () => makeIn('short').catch(ifNotShort), signal)
      if (book) return book
    }
    return await inPress(order.party, () => makeIn('long'), signal)
  } catch (error) {
    if (!(error instanceof ShareFull)) throw error
    throw unavailable(because('books-busy'), RETRY_S)
  }
}

/** A place in the press. A book that needs more than a short place has begins again in a long one. */
type Place = 'short' | 'long'

function ifNotShort(error: unknown): undefined {
  if (!(error instanceof BookLate)) throw error
}

async function makeEpub(
  order: BookOrder,
  blobs: Blobs,
  place: Place,
  signal: AbortSignal,
): Promise<MadeBook> {
  const { totalMs, shortMs } = bookLimits()
  const ms = place === 'short' ? shortMs : totalMs
  const late = AbortSignal.timeout(keptMs(ms))
  try {
    return await storeEpub(order, blobs, AbortSignal.any([signal, late]), workLimit(ms))
  } catch (error) {
    signal.throwIfAborted()
    if (place === 'short') throw late.aborted ? new BookLate() : error
    if (late.aborted) throw unavailable(because('books-busy'), RETRY_S)
    throw error instanceof BookLate ? unavailable(pressFaultMessage({ kind: 'time' })) : error
  }
}

/** Why an attempt ended without a book. */
type Reason = { kind: 'memory' | 'time' | 'exit' } | { kind: 'fault'; message: string }

/** An attempt that ended without a book: the step and the page at which it ended, if it was careful. */
interface Ended {
  ended: Reason
  at?: { step: 'read' | 'set'; page: string }
}

async function makePdf(order: BookOrder, blobs: Blobs, place: Place, signal: AbortSignal): Promise<MadeBook> {
  const { totalMs, shortMs, memoryMb } = bookLimits()
  const isShort = place === 'short'
  const unread = new Set<string>()
  const plain = new Set<string>()
  let careful = false
  let reason: Reason = { kind: 'time' }
  const since = performance.now()
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const left = (isShort ? shortMs : totalMs) - (performance.now() - since)
    if (left <= 0) break
    signal.throwIfAborted()
    const folder = await mkdtemp(join(tmpdir(), 'lectern-book-'))
    try {
      const limits = {
        time: careful || isShort ? left : left * FIRST_ATTEMPT,
        memoryMb: isShort ? memoryMb / 2 : memoryMb,
      }
      const result = await attemptIn(folder, order, blobs, { unread, plain, careful, ...limits }, signal)
      if ('plain' in result) {
        const stored = await blobs.put(createReadStream(join(folder, 'book')))
        return { ...stored, plain: result.plain, unreadable: result.unreadable }
      }
      if (isShort) throw new BookLate()
      reason = result.ended
      // The next attempt names each page before it reads or sets it, and then the page that ended this one is known.
      if (result.at?.step === 'read') unread.add(result.at.page)
      else if (result.at && result.at.page !== '') plain.add(result.at.page)
      else if (careful) break
      careful = true
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  throw unavailable(pressFaultMessage(reason))
}

function pressFaultMessage(reason: Reason): string {
  const { memoryMb, totalMs } = bookLimits()
  const part = 'Ask for a part of the space with `page`'
  if (reason.kind === 'memory')
    return `This file takes more than ${memoryMb} MB of memory to make, the limit of LECTERN_BOOK_MEMORY. ${part}`
  if (reason.kind === 'time')
    return `This file takes more than ${totalMs / 1000} seconds to make, the limit of LECTERN_BOOK_SECONDS. ${part}`
  const why = reason.kind === 'fault' ? `: ${reason.message.split('\n', 1)[0]!.slice(0, 200)}` : ''
  return `The process that makes this file ended without it${why}. ${part}`
}

type SetBook = Pick<MadeBook, 'plain' | 'unreadable'>

interface Attempt {
  unread: Set<string>
  plain: Set<string>
  careful: boolean
  /** In milliseconds. */
  time: number
  memoryMb: number
}

async function attemptIn(
  folder: string,
  order: BookOrder,
  blobs: Blobs,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<SetBook | Ended> {
  const child = fork(MAKER, [], {
    serialization: 'advanced',
    // The process needs nothing else of the environment, which has secrets.
    env: { PATH: process.env.PATH ?? '', TMPDIR: tmpdir(), ...compileCache() },
    cwd: folder,
    // The typesetter keeps a document until the collector has found that nobody uses it.
    execArgv: [`--max-old-space-size=${HEAP_MB}`, '--expose-gc'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const { promise, resolve, reject } = Promise.withResolvers<SetBook | Ended>()
  let at: Ended['at']
  let since = Date.now()
  const end = (ended: Reason) => resolve({ ended, ...(at ? { at } : {}) })
  const leave = () => reject(signal.reason as Error)
  signal.addEventListener('abort', leave, { once: true })
  const { stalledMs } = bookLimits()
  const endIfLarge = async () => {
    if ((await residentMb(child)) > attempt.memoryMb) end({ kind: 'memory' })
  }
  const limit = setTimeout(() => end({ kind: 'time' }), attempt.time)
  const watch = setInterval(() => {
    if (attempt.careful && at && at.page !== '' && Date.now() - since > stalledMs) end({ kind: 'time' })
    void endIfLarge()
  }, WATCH_MS)
  child.on('message', (message: FromMaker) => {
    if (message.t === 'at') {
      at = { step: message.step, page: message.page }
      since = Date.now()
    } else if (message.t === 'done') resolve({ plain: message.plain, unreadable: message.unreadable })
    else if (message.t === 'failed') end({ kind: 'fault', message: message.message })
    else sendImages(child, folder, message.ids, order, blobs).catch(reject)
  })
  child.on('error', (error) => end({ kind: 'fault', message: error.message }))
  child.on('exit', () => end({ kind: 'exit' }))
  try {
    sendPages(child, folder, order, attempt).catch(reject)
    return await promise
  } finally {
    clearTimeout(limit)
    clearInterval(watch)
    signal.removeEventListener('abort', leave)
    child.removeAllListeners('exit')
    child.kill('SIGKILL')
  }
}

/** Lets the process use the compiled code of earlier ones, which saves it most of the time that it takes to start. */
function compileCache(): { NODE_COMPILE_CACHE?: string } {
  const folder = getCompileCacheDir()
  // The folder of this version of Node is in the one that is configured.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

async function sendPages(
  child: ChildProcess,
  folder: string,
  order: BookOrder,
  attempt: Attempt,
): Promise<void> {
  const { cover, base, siteBase, home, images } = order
  const start = { cover, base, siteBase, home, images }
  const { unread, plain, careful } = attempt
  const files = { workspace: folder, output: join(folder, 'book') }
  await send(child, { t: 'start', ...start, ...files, unread, plain, careful, fontFolder: fontFolder() })
  for (const page of order.pages) {
    if (!child.connected) return
    await send(child, { t: 'page', page: await order.read(page) })
  }
  await send(child, { t: 'end' })
}

/** Names the files of images to the process. A store without files is read into the folder. */
async function sendImages(
  child: ChildProcess,
  folder: string,
  ids: readonly string[],
  order: BookOrder,
  blobs: Blobs,
): Promise<void> {
  const paths = new Map<string, string>()
  for (const id of ids) {
    const hash = order.hashOf(id)
    if (hash === undefined) continue
    const file = await blobs.file?.(hash)
    if (file !== undefined) {
      paths.set(id, file)
      continue
    }
    const blob = await blobs.get(hash)
    if (!blob) continue
    const path = join(folder, hash)
    await pipeline(blob.stream, createWriteStream(path))
    paths.set(id, path)
  }
  await send(child, { t: 'images', paths })
}

/** Resolves when the message is sent, or the process has ended: its end is noticed elsewhere. */
async function send(child: ChildProcess, message: ToMaker): Promise<void> {
  if (!child.connected) return
  const { promise, resolve } = Promise.withResolvers<void>()
  child.send(message, () => resolve())
  await promise
}

/** The memory that a process uses, in megabytes; 0 if the system does not report it. */
async function residentMb({ pid }: ChildProcess): Promise<number> {
  try {
    const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')
    return (Number(pages) * 4096) / 1_000_000
  } catch {
    // Systems without /proc have the program.
    const { promise, resolve } = Promise.withResolvers<number>()
    execFile('ps', ['-o', 'rss=', '-p', String(pid)], (_, kilobytes) =>
      resolve(Number(kilobytes) / 1000 || 0),
    )
    return promise
  }
}
