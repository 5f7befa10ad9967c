/** A server whose files are in a bucket that can fail. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Blobs } from '../../src/blobs/blobs.ts'
import { s3Blobs } from '../../src/blobs/s3.ts'
import { jobLoop } from '../../src/jobs/queue.ts'
import { workers } from '../../src/jobs/workers.ts'
import { startS3 } from '../blobs/s3-server.ts'
import { createWorld, type World } from '../world.ts'
import { faultyServer, type FaultyServer } from './faulty-server.ts'
import { retryAsSent, type Dependency, outcomes, inWords, SHORT_MS } from './outcomes.ts'

/** How long a step may take: `between` is for a step that hangs once, after which the next one has to succeed. */
export type StoreLimit = 'usual' | 'short' | 'between'

/** A world whose bucket can fail. */
export interface StorageWorld {
  world: World
  bucket: FaultyServer
  /** The store with these limits. */
  blobs: (time: StoreLimit) => Blobs
  /** Selects the limits of the store of the world. */
  limit(time: StoreLimit): void
  /** The keys of the bucket. */
  stored(): Promise<string[]>
  /** The lines of the log. */
  log: string[]
}

export async function storageWorld(): Promise<StorageWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'outages-'))
  const s3 = await startS3(folder)
  const bucket = await faultyServer(s3.options.endpoint)
  after(async () => {
    await bucket.close()
    await s3.close()
    await rm(folder, { recursive: true, force: true })
  })
  const options = { ...s3.options, endpoint: bucket.url, pauseMs: 1 }
  const stores = {
    usual: s3Blobs(options),
    short: s3Blobs({ ...options, timeoutMs: SHORT_MS }),
    between: s3Blobs({ ...options, timeoutMs: BETWEEN_MS }),
  }
  let current: Blobs = stores.usual
  const log: string[] = []
  const world = await createWorld(
    {},
    { blobs: switching(() => current), logTo: { write: (line) => void log.push(line) } },
  )
  return {
    world,
    bucket,
    blobs: (time) => stores[time],
    limit: (time) => (current = stores[time]),
    async stored() {
      const files = await readdir(join(folder, 'docs'), { recursive: true })
      return files.filter((name) => name.endsWith('_object')).toSorted()
    },
    log,
  }
}

/** A store that hands each call on to the current one. */
const switching = (current: () => Blobs): Blobs =>
  new Proxy({} as Blobs, { get: (_, name) => Reflect.get(current(), name) as unknown })

/** Long enough for the step that succeeds, on a busy machine too. */
const BETWEEN_MS = 2_000

/** The ways in which the server uses a bucket. */
export async function usesOfBucket(given: StorageWorld): Promise<Dependency[]> {
  const { world, bucket, stored } = given
  const upload = await uploaded(world)
  const { url } = await upload(randomBytes(200_000))
  let keys: string[] = []
  const store = outcomes('503 file-store-unreachable, retry in 10', {
    hang: '503 file-store-slow, retry in 10',
    'slow drip': '503 file-store-slow, retry in 10',
    '500': '503 file-store-busy, retry in 10',
    '503 with Retry-After': `503 file-store-busy, ${retryAsSent}`,
    '429 with Retry-After': `503 file-store-busy, ${retryAsSent}`,
    'another protocol': '503 file-store-invalid, retry in 10',
    'a page of a proxy': '503 file-store-invalid, retry in 10',
  })
  const healed = [
    'reset at once',
    'reset in the body',
    'hang',
    'slow drip',
    '500',
    'truncated',
    'another protocol',
    'a page of a proxy',
  ] as const
  const shared = { server: bucket, healed }
  return [
    {
      ...shared,
      name: 'an upload',
      only: /^PUT/,
      async use() {
        keys = await stored()
        const sent = await upload(randomBytes(200_000))
        return inWords(sent)
      },
      works: '204',
      sees: store,
      async clean() {
        assert.deepEqual(await stored(), keys, 'nothing is stored')
        const left = (await readdir(tmpdir())).filter((name) => name.startsWith(`lectern-upload-`))
        assert.deepEqual(
          left.filter((name) => !before.has(name)),
          [],
        )
      },
    },
    {
      ...shared,
      name: 'a download',
      only: /^GET/,
      use: () => download(url),
      works: '200 200000',
      // The response has begun, so it can only break off: its length shows that it is not whole.
      sees: {
        ...store,
        'reset in the body': '200, broken off',
        truncated: '200, broken off',
        'slow drip': '200, broken off',
      },
    },
    {
      ...shared,
      name: 'the removal of a file',
      only: /^(HEAD|DELETE)/,
      use: () => runJob(world, 'remove-blob', { hash: 'ab'.repeat(32) }),
      works: 'done',
      sees: outcomes('waiting with an error', {}),
    },
    {
      ...shared,
      name: 'the clean-up',
      only: /^GET/,
      use: () => runJob(world, 'sweep-blobs', { after: '0' }),
      works: 'done',
      sees: outcomes('waiting with an error', {}),
    },
  ]
}

const before = new Set((await readdir(tmpdir())).filter((name) => name.startsWith('lectern-upload-')))

/** Uploads bytes. @returns the response, and where they can be read */
async function uploaded({ ada, organizationId, nobody }: World) {
  return async (bytes: Buffer) => {
    const { body } = await ada(`POST /v1/orgs/${organizationId}/storage/upload`, {
      file: { name: 'a.zip', type: 'application/zip', size: bytes.length },
      kind: 'import_file',
    })
    const address = body.url as string
    const { pathname, search } = new URL(address)
    const answer = await nobody(`PUT ${pathname}${search}`, bytes, {
      'content-type': 'application/octet-stream',
    })
    return { ...answer, url: address }
  }
}

/** Downloads a file. @returns the status, and the size or the reason */
async function download(url: string): Promise<string> {
  const response = await fetch(url)
  const { status, headers } = response
  if (status !== 200) return inWords({ status, headers, body: await response.json() })
  return response.bytes().then(
    (bytes) => `${status} ${bytes.length}`,
    () => `${status}, broken off`,
  )
}

/** Runs a job once. @returns whether it waits for another try, and why */
export async function runJob({ app, db }: World, kind: string, payload: object): Promise<string> {
  const { services } = app
  await db.write((tx) => tx.deleteFrom('job').execute())
  await db.write((tx) => services.enqueue(tx, kind, payload))
  const quiet = { warn: () => undefined, error: () => undefined }
  await jobLoop(db, workers(services), services.now, quiet).runDue()
  const job = await db.read
    .selectFrom('job')
    .select(['state', 'error'])
    .where('kind', '=', kind)
    .where('error', 'is not', null)
    .executeTakeFirst()
  return job ? `${job.state} with an error` : 'done'
}
