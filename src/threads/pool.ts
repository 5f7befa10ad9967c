import { Worker } from 'node:worker_threads'
import type { Party } from '../core/runtime/party.ts'
import { inSpan } from '../core/runtime/work.ts'
import { type CoreSettings, coreSettings } from '../core/runtime/operator-settings.ts'
import { type FairQueue, fairQueue } from './fair-queue.ts'

/** The bounds of a pool. */
export interface ThreadLimits {
  /** The number of threads, and so of tasks that run at once. */
  threads: number
  /** How many tasks can wait for a thread. */
  queue: number
  /** How many of them can belong to one user, and to one organization. */
  queueOfParty: number
  /** The largest heap of a thread, in megabytes. */
  memoryMb: number
  /** A thread that has been idle for this long ends. Starting another takes about a quarter of a second. */
  idleMs: number
}

/** Sends a part of the result ahead. Resolves when the part is taken. @param transfer buffers that are not copied */
export type SendPart<P> = (part: P, transfer?: ArrayBuffer[]) => Promise<void>

/**
 * A kind of task: the module and the name of its export `(task: T, send: SendPart<P>) => R | Promise<R>`, and the time that
 * one may take.
 */
export interface TaskKind<T, R, P = never> {
  module: URL
  name: string
  /**
   * A task that takes longer is ended together with its thread. Its own work counts, and not the waiting for a thread, for
   * its start, or for a part of the result to be taken.
   */
  timeMs: number
  /** Never present: ties the kind to the types of its tasks and results. */
  types?: (task: T, send: SendPart<P>) => R
}

/** How a task is run. */
export interface TaskOptions<P = never> {
  /** Whom the task is for. Threads are shared fairly between users, and then between the organizations of each. */
  party: Party
  /** Buffers that move to the thread instead of being copied. */
  transfer?: ArrayBuffer[]
  /** Ends the task when it is aborted. */
  signal?: AbortSignal | undefined
  /**
   * Takes the parts of a large result, one at a time. A message is copied while everything else waits, so a result that
   * can be large is sent in parts. If a part cannot be taken, the task ends.
   */
  take?: (part: P) => Promise<void>
}

/** Why a task has no result. */
export type ThreadFault = 'time' | 'memory' | 'queue' | 'closed' | 'aborted' | 'failed'

/** A task was not completed; `fault` is the reason. */
export class ThreadError extends Error {
  readonly fault: ThreadFault

  constructor(fault: ThreadFault, message: string) {
    super(message)
    this.name = 'ThreadError'
    this.fault = fault
  }
}

/** How a task ended: with a result, or why it has none. */
export type TaskEnd = 'done' | ThreadFault

/** What the threads of a pool do now, and how tasks have ended since it was opened. */
export interface PoolState {
  /** Threads that run a task, and those that wait for one. */
  busy: number
  idle: number
  /** Tasks that wait for a thread. */
  waiting: number
  ended: Readonly<Partial<Record<TaskEnd, number>>>
}

/** Threads that run tasks of any kind. Disposing the pool ends its threads and rejects its tasks. */
export interface ThreadPool extends AsyncDisposable {
  /** @throws ThreadError */
  run<T, R, P = never>(kind: TaskKind<T, R, P>, task: T, options: TaskOptions<P>): Promise<R>
  state(): PoolState
}

/** A message to a thread: a task, or the confirmation that the part that it sent last was taken. */
export type TaskMessage = { module: string; name: string; task: unknown; settings: CoreSettings } | 'taken'

/** A message from a thread: its task has begun, or a part of the result, or at the end the outcome. */
export type TaskOutcome = 'begun' | { part: unknown } | { result: unknown } | { failure: string }

interface PendingTask {
  kind: TaskKind<unknown, unknown, unknown>
  task: unknown
  party: Party
  transfer: ArrayBuffer[]
  take: (part: unknown) => Promise<void>
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

interface Thread {
  worker: Worker
  current: PendingTask | undefined
  /** Since when the current task works, by `performance.now()`; undefined while it waits. */
  since: number | undefined
  /** For how long it has worked before that, in milliseconds. */
  worked: number
  timer: NodeJS.Timeout | undefined
}

/** A thread that does not start its task for so long, because the machine has too much else to do, is given up. */
const START_MS = 60_000

const SCRIPT = new URL('./worker.ts', import.meta.url)

/** The threads of a pool, and the tasks that wait for one. */
interface Pool {
  limits: ThreadLimits
  threads: Set<Thread>
  idle: Thread[]
  queue: FairQueue<PendingTask>
  closed: boolean
  ended: Partial<Record<TaskEnd, number>>
}

/**
 * A pool of worker threads. Each thread runs one task at a time; other tasks wait. The user who has used the least
 * time comes first, and neither a user nor an organization takes the last free thread, so that nobody waits for the tasks
 * of somebody else. A task that exceeds the limits ends its own thread and no other.
 */
export function threadPool(limits: ThreadLimits): ThreadPool {
  const pool: Pool = {
    limits,
    threads: new Set(),
    idle: [],
    // One thread is left for others, if there is more than one.
    queue: fairQueue({ ...limits, atOnceOfParty: Math.max(1, limits.threads - 1) }),
    closed: false,
    ended: {},
  }
  return {
    run: (kind, task, options) =>
      counted(pool, () => inSpan(`thread ${kind.name}`, {}, () => runTask(pool, kind, task, options))),
    state: () => poolState(pool),
    [Symbol.asyncDispose]: () => close(pool),
  }
}

function poolState({ threads, idle, queue, ended }: Pool): PoolState {
  return { busy: threads.size - idle.length, idle: idle.length, waiting: queue.size, ended: { ...ended } }
}

/** Counts how a task ends. */
async function counted<R>({ ended }: Pool, run: () => Promise<R>): Promise<R> {
  const count = (how: TaskEnd) => {
    ended[how] = (ended[how] ?? 0) + 1
  }
  try {
    const result = await run()
    count('done')
    return result
  } catch (error) {
    count(error instanceof ThreadError ? error.fault : 'failed')
    throw error
  }
}

async function runTask<T, R, P>(
  pool: Pool,
  kind: TaskKind<T, R, P>,
  task: T,
  { party, transfer = [], signal, take = refusePart }: TaskOptions<P>,
): Promise<R> {
  makeRoom(pool, party, signal)
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const pending = { kind, task, party, transfer, take, resolve, reject } as PendingTask
  const leave = () => abort(pool, pending)
  signal?.addEventListener('abort', leave, { once: true })
  pool.queue.add(party, pending)
  advance(pool)
  try {
    return (await promise) as R
  } finally {
    signal?.removeEventListener('abort', leave)
  }
}

/**
 * If too many tasks wait, refuses the newest of the party that has the most: the new task, or one that waits already.
 * @throws ThreadError if the pool takes no further task of a party
 */
function makeRoom(pool: Pool, party: Party, signal: AbortSignal | undefined): void {
  const { queue, closed } = pool
  if (closed) throw new ThreadError('closed', 'The pool is closed')
  if (signal?.aborted) throw new ThreadError('aborted', 'The client has left')
  const isFree = hasFreeThread(pool) && queue.mayRun(party)
  if (isFree || !queue.isFull(party)) return
  const displaced = queue.displace(party)
  const error = new ThreadError('queue', 'Too many tasks wait already')
  if (!displaced) throw error
  displaced.item.reject(error)
}

const hasFreeThread = ({ idle, threads, limits }: Pool) => idle.length > 0 || threads.size < limits.threads

/** Starts the tasks that wait, as long as a thread is free. */
function advance(pool: Pool): void {
  while (hasFreeThread(pool)) {
    const next = pool.queue.take()
    if (!next) return
    assign(pool, pool.idle.pop() ?? startThread(pool), next.item)
  }
}

function startThread(pool: Pool): Thread {
  const { limits, threads } = pool
  const worker = new Worker(SCRIPT, { resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb } })
  const thread: Thread = { worker, current: undefined, since: undefined, worked: 0, timer: undefined }
  threads.add(thread)
  worker.on('message', (outcome: TaskOutcome) => {
    if (outcome === 'begun') work(pool, thread)
    else if ('part' in outcome) void takePart(pool, thread, outcome.part)
    else settle(pool, thread, outcome)
  })
  worker.on('error', (error) => end(pool, thread, threadFailure(error)))
  worker.on('exit', () => end(pool, thread, new ThreadError('failed', 'The thread ended before its task')))
  return thread
}

function assign(pool: Pool, thread: Thread, pending: PendingTask): void {
  const { kind, task, transfer } = pending
  clearTimeout(thread.timer)
  thread.current = pending
  thread.worked = 0
  thread.worker.ref()
  thread.timer = setTimeout(() => {
    end(pool, thread, new ThreadError('queue', `The task did not begin within ${START_MS / 1000} seconds`))
  }, START_MS)
  try {
    const message: TaskMessage = {
      module: kind.module.href,
      name: kind.name,
      task,
      settings: coreSettings(),
    }
    thread.worker.postMessage(message, transfer)
  } catch (error) {
    end(pool, thread, error as Error)
  }
}

/** Counts the time of a task from now on. */
function work(pool: Pool, thread: Thread): void {
  if (!thread.current) return
  const { timeMs } = thread.current.kind
  clearTimeout(thread.timer)
  thread.since = performance.now()
  thread.timer = setTimeout(
    () => end(pool, thread, new ThreadError('time', `The task took longer than ${timeMs / 1000} seconds`)),
    Math.max(0, timeMs - thread.worked),
  )
}

/** Counts no time until the task works again. */
function rest(thread: Thread): void {
  clearTimeout(thread.timer)
  if (thread.since !== undefined) thread.worked += performance.now() - thread.since
  thread.since = undefined
}

/** Takes the current task off a thread, and counts its time. */
function release({ queue }: Pool, thread: Thread): PendingTask | undefined {
  const { current } = thread
  rest(thread)
  thread.current = undefined
  if (!current) return undefined
  queue.end(current.party, thread.worked)
  return current
}

async function takePart(pool: Pool, thread: Thread, part: unknown): Promise<void> {
  rest(thread)
  try {
    await thread.current?.take(part)
    if (!pool.threads.has(thread)) return
    thread.worker.postMessage('taken' satisfies TaskMessage)
    work(pool, thread)
  } catch (error) {
    end(pool, thread, error as Error)
  }
}

function settle(
  pool: Pool,
  thread: Thread,
  outcome: Exclude<TaskOutcome, 'begun' | { part: unknown }>,
): void {
  // A thread that was ended may have sent its outcome just before, and Node still delivers that. It takes no more tasks.
  if (!pool.threads.has(thread)) return
  const done = release(pool, thread)
  thread.worker.unref()
  thread.timer = setTimeout(() => end(pool, thread), pool.limits.idleMs).unref()
  pool.idle.push(thread)
  if ('result' in outcome) done?.resolve(outcome.result)
  else done?.reject(new ThreadError('failed', outcome.failure))
  advance(pool)
}

function end(pool: Pool, thread: Thread, error?: Error): void {
  const { threads, idle } = pool
  if (!threads.delete(thread)) return
  const place = idle.indexOf(thread)
  if (place >= 0) idle.splice(place, 1)
  void thread.worker.terminate()
  const ended = release(pool, thread)
  if (error) ended?.reject(error)
  advance(pool)
}

function abort(pool: Pool, pending: PendingTask): void {
  const error = new ThreadError('aborted', 'The client has left')
  if (pool.queue.remove(pending.party, pending)) return pending.reject(error)
  const thread = [...pool.threads].find(({ current }) => current === pending)
  if (thread) end(pool, thread, error)
}

async function close(pool: Pool): Promise<void> {
  pool.closed = true
  const error = new ThreadError('closed', 'The pool is closed')
  for (const { reject } of pool.queue.clear()) reject(error)
  const ended = [...pool.threads].map(({ worker }) => worker.terminate())
  for (const thread of pool.threads) end(pool, thread, error)
  await Promise.all(ended)
}

async function refusePart(): Promise<never> {
  throw new ThreadError('failed', 'The task sent a part of its result, which nobody takes')
}

function threadFailure(error: unknown): Error {
  if ((error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new ThreadError('memory', 'The task needed more memory than a thread has')
  return error instanceof Error ? error : new ThreadError('failed', String(error))
}
