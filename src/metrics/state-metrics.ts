/** Metrics of what a process and its machine are in, read when they are scraped. */
import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { Gauge, Registry } from 'prom-client'
import { passwordQueue } from '../access/credentials/passwords.ts'
import { bookQueue } from '../books/press.ts'
import { cacheCounts } from '../core/data/lru.ts'
import { promClient } from '../core/runtime/libraries.ts'
import type { Database } from '../db/schema.ts'
import type { RunningImports } from '../http/running-imports.ts'
import type { ThreadPool } from '../threads/pool.ts'
import { bulkThreads, knownPasswordThreads, passwordThreads, threads } from '../threads/threads.ts'

/** What is read. */
export interface StateSources {
  db: Database
  /** The data folder. */
  data: string
  imports: RunningImports
  /** The clients that listen to events. */
  listeners: { count(): number }
}

const POOLS: Readonly<Record<string, ThreadPool>> = {
  content: threads,
  imports: bulkThreads,
  passwords: passwordThreads,
  'known-passwords': knownPasswordThreads,
}
const ENDS = ['done', 'failed', 'time', 'memory', 'queue', 'aborted'] as const
const STAGES = ['waiting', 'fetching', 'reading', 'writing'] as const

type Labels = Record<string, string>
/** Sets the values of a metric. */
type Setter = (value: number, labels?: Labels) => void

/** Adds the metrics of a state to a registry. */
export function addStateMetrics(registry: Registry, sources: StateSources): void {
  const reads = readers(registry)
  const { gauge } = reads
  const { db, data, imports, listeners } = sources

  gauge('lectern_event_streams', 'Clients that listen to events.', [], (set) => set(listeners.count()))
  gauge('lectern_imports', 'Imports of this process, by stage.', ['stage'], (set) => {
    const stages = imports.stages()
    for (const stage of STAGES) set(stages.filter((one) => one === stage).length, { stage })
  })
  gauge('lectern_books', 'PDF and EPUB files that are made or wait.', ['state'], (set) => {
    const { making, waiting } = bookQueue()
    set(making, { state: 'making' })
    set(waiting, { state: 'waiting' })
  })
  addDisk(gauge, data)
  addDatabase(gauge, db)
  addThreads(reads)
  addPasswords(reads)
  addCaches(reads)
}

/** Makes metrics whose values are read at each scrape. */
function readers(registry: Registry) {
  const client = promClient()
  return {
    gauge(name: string, help: string, labelNames: string[], read: (set: Setter) => void | Promise<void>) {
      const own: Gauge = new client.Gauge({
        name,
        help,
        labelNames,
        registers: [registry],
        async collect() {
          own.reset()
          // A reset gauge without labels is 0, but one that cannot be read must have no value.
          if (labelNames.length === 0) own.remove()
          await read((value, labels = {}) => own.set(labels, value))
        },
      })
    },
    /** A counter of a number that is counted elsewhere. */
    counter(name: string, help: string, labelNames: string[], read: (set: Setter) => void) {
      const own = new client.Counter({
        name,
        help,
        labelNames,
        registers: [registry],
        collect() {
          own.reset()
          read((value, labels = {}) => own.inc(labels, value))
        },
      })
    },
  }
}

type Readers = ReturnType<typeof readers>

/** A disk that cannot be read has no values, so that an alert about missing values finds it. */
function addDisk(gauge: Readers['gauge'], data: string): void {
  const read = (size: 'bavail' | 'blocks') => async (set: Setter) => {
    const disk = await statfs(data).catch(() => undefined)
    if (disk) set(disk[size] * disk.bsize)
  }
  gauge('lectern_disk_free_bytes', 'Free space on the disk of the data folder.', [], read('bavail'))
  gauge('lectern_disk_size_bytes', 'The size of the disk of the data folder.', [], read('blocks'))
}

function addDatabase(gauge: Readers['gauge'], { file, pool }: Database): void {
  if (file !== undefined)
    gauge('lectern_database_file_bytes', 'The files of the SQLite database.', ['file'], (set) => {
      set(fileBytes(file), { file: 'main' })
      set(fileBytes(`${file}-wal`), { file: 'wal' })
    })
  if (!pool) return
  gauge('lectern_database_connections', 'Connections to PostgreSQL, by state.', ['state'], (set) => {
    const { connections, idle } = pool()
    set(idle, { state: 'idle' })
    set(connections - idle, { state: 'busy' })
  })
  gauge('lectern_database_connections_waiting', 'How much work waits for a connection.', [], (set) =>
    set(pool().waiting),
  )
}

const fileBytes = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

function addThreads({ gauge, counter }: Readers): void {
  const pools = Object.entries(POOLS)
  gauge('lectern_threads', 'Worker threads, by pool and state.', ['pool', 'state'], (set) => {
    for (const [pool, { state }] of pools) {
      const { busy, idle } = state()
      set(busy, { pool, state: 'busy' })
      set(idle, { pool, state: 'idle' })
    }
  })
  gauge('lectern_thread_tasks_waiting', 'Tasks that wait for a thread.', ['pool'], (set) => {
    for (const [pool, { state }] of pools) set(state().waiting, { pool })
  })
  const help = 'Tasks of threads that have ended; `queue` means that the task was refused.'
  counter('lectern_thread_tasks_total', help, ['pool', 'outcome'], (set) => {
    for (const [pool, { state }] of pools) {
      const { ended } = state()
      for (const outcome of ENDS) set(ended[outcome] ?? 0, { pool, outcome })
    }
  })
}

function addPasswords({ gauge, counter }: Readers): void {
  gauge('lectern_passwords_pending', 'Passwords that are hashed or wait.', ['sender'], (set) => {
    const { strangers, known } = passwordQueue()
    set(strangers, { sender: 'stranger' })
    set(known, { sender: 'known' })
  })
  counter('lectern_passwords_refused_total', 'Passwords refused because too many wait.', [], (set) =>
    set(passwordQueue().refused),
  )
}

function addCaches({ gauge, counter }: Readers): void {
  counter('lectern_cache_hits_total', 'Values found in a cache.', ['cache'], (set) => {
    for (const [cache, { hits }] of cacheCounts()) set(hits, { cache })
  })
  counter('lectern_cache_misses_total', 'Values not found in a cache.', ['cache'], (set) => {
    for (const [cache, { misses }] of cacheCounts()) set(misses, { cache })
  })
  gauge('lectern_cache_bytes', 'The estimated size of a cache.', ['cache'], (set) => {
    for (const [cache, { bytes }] of cacheCounts()) set(bytes, { cache })
  })
  gauge('lectern_cache_entries', 'The entries of a cache.', ['cache'], (set) => {
    for (const [cache, { entries }] of cacheCounts()) set(entries, { cache })
  })
}
