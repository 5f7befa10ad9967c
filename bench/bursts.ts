import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sealedBy } from '../src/access/credentials/sealing.ts'
import { keyringOf } from '../src/access/credentials/keyring.ts'
import { buildApp } from '../src/server/app.ts'
import { openBlobs } from '../src/blobs/open.ts'
import { readConfig } from '../src/installation/config.ts'
import { idSource, randomText } from '../src/core/data/id.ts'
import { openDatabase } from '../src/db/open.ts'
import { jobLoop } from '../src/jobs/queue.ts'
import { workers } from '../src/jobs/workers.ts'
import { setUp } from '../src/installation/setup.ts'
import { importArchive, archive } from './import.ts'
import { type Connection, median, quantile } from './measure.ts'
import type { Result } from './result.ts'

const SAVES = 720
const SAVED_EVERY_MS = 5_000
/** A page of 77 kB in a space of real pages. */
const SPACE = 'elsa-docs'
const PAGE = 'Kubernetes Deployment'
const WORDS = 'the server stores what you type and keeps every revision that somebody has used'.split(' ')
const MB = 1024 * 1024

interface Typed {
  revisions: number
  /** What the database has grown by, without its free pages: at the end, and at most meanwhile. */
  bytes: number
  most: number
  /** The time of each save, in milliseconds. */
  times: number[]
}

/** An hour of typing with a save every five seconds, beside the same saves without a base, which replace nothing. */
export async function bursts(): Promise<Result[]> {
  const ours = await typeForAnHour(true)
  const reference = await typeForAnHour(false)
  const [time, plain] = [median(ours.times), median(reference.times)]
  const spread = (times: number[]) => `${quantile(times, 0).toFixed(1)}–${quantile(times, 0.99).toFixed(1)}`
  const megabytes = (bytes: number) => (bytes / MB).toFixed(2)
  return [
    {
      scenario: `new revisions of ${SAVES} saves in an hour / of saves without a base`,
      ours: String(ours.revisions),
      reference: String(reference.revisions),
      ratio: ours.revisions / reference.revisions,
      spread: '–',
      goal: 'a few',
    },
    {
      scenario: 'what the database grows by, MB; spread: at the end and at most',
      ours: megabytes(ours.bytes),
      reference: megabytes(reference.bytes),
      ratio: ours.bytes / reference.bytes,
      spread: `${megabytes(ours.bytes)}–${megabytes(ours.most)}`,
      goal: '≤ 2 MB',
    },
    {
      scenario: 'one of these saves, ms: median',
      ours: time.toFixed(1),
      reference: plain.toFixed(1),
      ratio: time / plain,
      spread: spread(ours.times),
      goal: '–',
    },
  ]
}

async function typeForAnHour(isBased: boolean): Promise<Typed> {
  const data = await mkdtemp(join(tmpdir(), 'lectern-bursts-'))
  let now = Date.now()
  const clock = () => new Date(now)
  const newId = idSource(() => now)
  const token = randomText(32)
  const config = readConfig({
    PORT: '0',
    LECTERN_DATA: data,
    LECTERN_LOG: 'silent',
    LECTERN_RATE_LIMIT: '100000000',
    LECTERN_ADMIN_TOKEN: token,
  })
  const db = await openDatabase(config)
  const keyring = keyringOf(randomText(48))
  await setUp(db, config, sealedBy(keyring), clock(), newId)
  const app = await buildApp({ config, db, blobs: await openBlobs(config), keyring, clock, newId })
  const url = await app.listen()
  const jobs = jobLoop(db, workers(app.services), clock, { warn: fail, error: fail })
  const file = new DatabaseSync(join(data, 'lectern.sqlite'), { readOnly: true })
  const call: Connection['call'] = async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Record<string, unknown>
  }

  try {
    const { space } = await importArchive({ url, call }, SPACE, archive(SPACE))
    const draft = await call('POST', `/v1/spaces/${space}/change-requests`, { subject: 'Typing' })
    const address = `/v1/spaces/${space}/change-requests/${String(draft.id)}/content`
    const { pages } = await call('GET', `${address}/pages`)
    const page = pageNamed(pages as Listed[])
    const read = await call('GET', `${address}/page/${page}?format=markdown`)
    await jobs.runDue()

    const lines = String(read.markdown).split('\n')
    const at = lines.length >> 1
    let revision = String(draft.revision)
    const [count, before] = [revisionsIn(file), bytesIn(file)]
    const typed: Typed = { revisions: 0, bytes: 0, most: 0, times: [] }
    for (let i = 0; i < SAVES; i++) {
      const words = Array.from({ length: 5 }, (_, word) => WORDS[(i * 31 + word * 7) % WORDS.length])
      // A paragraph has about eighty words; the next one begins before it.
      const text = words.join(' ')
      if (i % 16 === 0) lines.splice(at, 0, '', text)
      else lines[at + 1] += ` ${text}`
      const changes = [{ operation: 'update_page', page, document: { markdown: lines.join('\n') } }]
      const started = performance.now()
      const saved = await call('POST', `${address}?compat=false`, {
        changes,
        ...(isBased ? { revision } : {}),
      })
      typed.times.push(performance.now() - started)
      revision = String(saved.revision)
      now += SAVED_EVERY_MS
      await jobs.runDue()
      typed.most = Math.max(typed.most, bytesIn(file) - before)
    }
    now += 2 * 60_000
    await jobs.runDue()
    return { ...typed, revisions: revisionsIn(file) - count, bytes: bytesIn(file) - before }
  } finally {
    file.close()
    await app.close()
    await db.close()
    await rm(data, { recursive: true, force: true })
  }
}

function fail(fact: object): never {
  throw new Error(`a job failed: ${JSON.stringify(fact)}`)
}

interface Listed {
  id: string
  title: string
  pages?: Listed[]
}

function pageNamed(pages: Listed[]): string {
  const flat = (list: Listed[]): Listed[] => list.flatMap((one) => [one, ...flat(one.pages ?? [])])
  const found = flat(pages).find(({ title }) => title === PAGE)
  if (!found) throw new Error('The corpus has no such page')
  return found.id
}

function bytesIn(file: DatabaseSync): number {
  const number = (name: string) => Number(Object.values(file.prepare(`pragma ${name}`).get() ?? {})[0])
  return (number('page_count') - number('freelist_count')) * number('page_size')
}

function revisionsIn(file: DatabaseSync): number {
  return Number(file.prepare('select count(*) as "count" from "revision"').get()?.count)
}
