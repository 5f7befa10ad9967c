/**
 * Makes books, each in a process of its own: the typesetter is native code, which a page may bring to a halt or to its
 * end. A book is made once for all who ask for it at the same time, and a limited number of books at once.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { createReadStream, createWriteStream, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Blobs } from '../blobs/blobs.ts'
import { lru } from '../core/lru.ts'
import { unavailable } from '../http/errors.ts'
import { fairQueue } from '../threads/fair-queue.ts'
import { storeEpub } from './epub.ts'
import type { BookOrder } from './order.ts'
import type { FromMaker, PlainPage, ToMaker } from './messages.ts'

/** A book that is stored. */
export interface MadeBook {
  hash: string
  size: number
  /** The pages that are not in the book as they are on the site. */
  plain: PlainPage[]
}

/** How many books are made at once, and how many wait. */
const AT_ONCE = availableParallelism() > 3 ? 2 : 1
const MOST_WAITING = 40
const MOST_WAITING_OF_PARTY = 10
/** The limits of one process, and of all attempts at a book. */
const ATTEMPT_MS = 150_000
const TOTAL_MS = 240_000
const STALLED_MS = 15_000
const MOST_ATTEMPTS = 6
const MEMORY_MB = 2_000
const HEAP_MB = 512
/** A book that nobody waits for is finished if it is ready soon: a client that gave up asks again. */
const FINISH_WITHIN_MS = 60_000
const WATCH_MS = 250
const RETRY_S = 30

const MAKER = new URL('./maker.ts', import.meta.url)

const made = lru<MadeBook>(1024 * 1024)
/** A book that is being made, and how many requests wait for it. */
interface Job {
  promise: Promise<MadeBook>
  waiting: number
  abort: AbortController
}
const running = new Map<string, Job>()
const queue = fairQueue<() => void>()
let busy = 0

/** The book of an order: stored already, being made, or made now. @throws 503 if it cannot be made now */
export async function bookOf(order: BookOrder, blobs: Blobs, signal: AbortSignal): Promise<MadeBook> {
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
  if (queue.size >= MOST_WAITING || queue.sizeOf(order.party) >= MOST_WAITING_OF_PARTY)
    throw unavailable('Too many other books are being made at this moment; try again', RETRY_S)
  const abort = new AbortController()
  const job = { promise: makeInTurn(order, blobs, abort.signal), waiting: 0, abort }
  running.set(order.key, job)
  job.promise.catch(() => undefined).finally(() => running.delete(order.key))
  return job
}

async function makeInTurn(order: BookOrder, blobs: Blobs, signal: AbortSignal): Promise<MadeBook> {
  await turn(order.party, signal)
  const since = performance.now()
  try {
    const book = await (order.format === 'epub' ? storeEpub : make)(order, blobs, signal)
    made.set(order.key, book, 200 + JSON.stringify(book.plain).length * 2)
    return book
  } finally {
    busy--
    queue.charge(order.party, performance.now() - since)
    next()
  }
}

/** Resolves when it is the turn of a party. */
async function turn(party: string, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const leave = () => {
    if (queue.remove(party, resolve)) reject(signal.reason as Error)
  }
  queue.add(party, resolve)
  signal.addEventListener('abort', leave, { once: true })
  next()
  await promise
}

function next(): void {
  while (busy < AT_ONCE) {
    const first = queue.take(() => true)
    if (!first) return
    busy++
    first.item()
  }
}

/** An attempt that ended without a book: the step and the page at which it ended, if it was careful. */
interface Ended {
  ended: string
  at?: { step: 'read' | 'set'; page: string }
}

async function make(order: BookOrder, blobs: Blobs, signal: AbortSignal): Promise<MadeBook> {
  const unread = new Set<string>()
  const plain = new Set<string>()
  let careful = false
  const until = performance.now() + TOTAL_MS
  for (let attempt = 1; attempt <= MOST_ATTEMPTS && performance.now() < until; attempt++) {
    signal.throwIfAborted()
    const folder = await mkdtemp(join(tmpdir(), 'lectern-book-'))
    try {
      const result = await attemptIn(folder, order, blobs, { unread, plain, careful }, signal)
      if ('plain' in result) {
        const stored = await blobs.put(createReadStream(join(folder, 'book')))
        return { ...stored, plain: result.plain }
      }
      // The next attempt names each page before it reads or sets it, and then the page that ended this one is known.
      if (result.at?.step === 'read') unread.add(result.at.page)
      else if (result.at && result.at.page !== '') plain.add(result.at.page)
      else if (careful) break
      careful = true
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  throw unavailable('This book takes too much time or memory to make; ask for a part of it')
}

interface Attempt {
  unread: Set<string>
  plain: Set<string>
  careful: boolean
}

async function attemptIn(
  folder: string,
  order: BookOrder,
  blobs: Blobs,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<{ plain: PlainPage[] } | Ended> {
  const child = fork(MAKER, [], {
    serialization: 'advanced',
    // The process needs nothing of the environment, which has secrets.
    env: { PATH: process.env.PATH ?? '', TMPDIR: tmpdir() },
    cwd: folder,
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const { promise, resolve, reject } = Promise.withResolvers<{ plain: PlainPage[] } | Ended>()
  let at: Ended['at']
  let since = Date.now()
  const end = (ended: string) => resolve({ ended, ...(at ? { at } : {}) })
  const leave = () => reject(signal.reason as Error)
  signal.addEventListener('abort', leave, { once: true })
  const limit = setTimeout(() => end('time'), ATTEMPT_MS)
  const watch = setInterval(() => {
    if (residentMb(child) > MEMORY_MB) end('memory')
    if (attempt.careful && at && at.page !== '' && Date.now() - since > STALLED_MS) end('time')
  }, WATCH_MS)
  child.on('message', (message: FromMaker) => {
    if (message.t === 'at') {
      at = { step: message.step, page: message.page }
      since = Date.now()
    } else if (message.t === 'done') resolve({ plain: message.plain })
    else if (message.t === 'failed') end(message.message)
    else sendImages(child, folder, message.ids, order, blobs).catch(reject)
  })
  child.on('error', (error) => end(error.message))
  child.on('exit', () => end('exit'))
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

async function sendPages(
  child: ChildProcess,
  folder: string,
  order: BookOrder,
  attempt: Attempt,
): Promise<void> {
  const { cover, base, siteBase, home, images } = order
  const start = { cover, base, siteBase, home, images }
  await send(child, { t: 'start', ...start, workspace: folder, output: join(folder, 'book'), ...attempt })
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

/** The memory that a process uses; 0 where the system does not tell. */
function residentMb({ pid }: ChildProcess): number {
  try {
    const [, resident = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')
    return (Number(resident) * 4096) / 1_000_000
  } catch {
    return 0
  }
}
