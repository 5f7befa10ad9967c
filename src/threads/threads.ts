import { availableParallelism } from 'node:os'
import { threadPool } from './pool.ts'

const PROCESSORS = availableParallelism()

/** An idle thread keeps up to 100 MB of memory for its next task. */
const IDLE_MS = 30_000

/**
 * Threads for work that somebody waits for: reading, printing, rendering, merging and highlighting of content. There are
 * at least two, so that the slow work of one organization leaves one to all others.
 */
export const threads = threadPool({
  threads: Math.max(2, PROCESSORS),
  queue: 1000,
  queueOfParty: 200,
  memoryMb: 512,
  idleMs: IDLE_MS,
})

/**
 * Threads for imports, which take seconds and gigabytes. They are apart from the others, because the limit of memory is
 * one of the thread, and so that imports cannot delay anything else.
 */
export const bulkThreads = threadPool({
  threads: Math.max(1, Math.min(4, PROCESSORS - 1)),
  queue: 16,
  queueOfParty: 8,
  memoryMb: 2048,
  idleMs: IDLE_MS,
})

/** How many passwords of strangers are hashed at once. */
export const PASSWORD_THREADS = Math.max(1, Math.min(4, PROCESSORS - 1))

/**
 * Threads for the hashes of passwords, which strangers can cause. libuv's threads would compute them too, but they read
 * the files of everybody, in the order of arrival. A hash needs 19 MB outside the heap. What may wait is bounded where
 * passwords are hashed.
 */
export const passwordThreads = hashingThreads(PASSWORD_THREADS)

/** A thread for the passwords of clients that have proven who they are, which never wait for those of strangers. */
export const knownPasswordThreads = hashingThreads(1)

function hashingThreads(count: number) {
  return threadPool({
    threads: count,
    queue: 10_000,
    queueOfParty: 10_000,
    memoryMb: 32,
    idleMs: 10 * IDLE_MS,
  })
}
