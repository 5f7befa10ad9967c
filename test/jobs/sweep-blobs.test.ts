import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { jobLoop } from '../../src/jobs/queue.ts'
import type { Worker } from '../../src/jobs/queue/job-kind.ts'
import { beginSweeping, sweepBlobs } from '../../src/jobs/sweep-blobs.ts'
import { workers } from '../../src/jobs/workers.ts'
import { startS3 } from '../blobs/s3-server.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const DAY = 24 * 3_600_000
const log = { warn: (fact: object) => failures.push(fact), error: (fact: object) => failures.push(fact) }
const failures: object[] = []

const folder = await mkdtemp(join(tmpdir(), 'sweep-'))
const s3 = await startS3(folder)
after(async () => {
  await s3.close()
  await rm(folder, { recursive: true, force: true })
})
const { endpoint, region, bucket, accessKeyId, secretAccessKey } = s3.options
const worlds = {
  disk: await createWorld(),
  s3: await createWorld({
    LECTERN_S3_ENDPOINT: endpoint,
    LECTERN_S3_REGION: region,
    LECTERN_S3_BUCKET: bucket,
    LECTERN_S3_ACCESS_KEY_ID: accessKeyId,
    LECTERN_S3_SECRET_ACCESS_KEY: secretAccessKey,
  }),
}

for (const [kind, world] of Object.entries(worlds)) {
  const { db, ada, organizationId, clock } = world
  const { services } = world.app
  const { blobs } = services
  const jobs = () => db.read.selectFrom('job').select(['kind', 'payload', 'runAt']).orderBy('runAt').execute()

  /** Advances the clock and runs all jobs that are due. */
  async function runAfter(ms: number, instead: Record<string, Worker> = {}): Promise<void> {
    const kinds = { ...workers(services), ...instead }
    clock.now = new Date(Date.now() + ms)
    await jobLoop(db, kinds, () => clock.now ?? new Date(), log).runDue()
    clock.now = undefined
    assert.deepEqual(failures, [])
  }

  /** Runs a sweep, and the jobs that it enqueues for a week later. */
  async function sweepAfter(days: number): Promise<void> {
    await runAfter(days * DAY)
    await runAfter((days + 7) * DAY)
  }

  describe(`the daily sweep of a store on ${kind}`, () => {
    test('unreferenced bytes are removed after a day; those of spaces and uploads stay', async () => {
      const orphan = await blobs.put(Buffer.from('of an import that was refused'))
      const archive = archiveOf({
        'README.md': '# Home\n\n![](.gitbook/assets/a.png)\n',
        '.gitbook/assets/a.png': 'bytes of a file',
      })
      const { spaceId } = await spaceWith(world, archive, 'Kept')
      const { body: file } = await ada(`GET /v1/spaces/${spaceId}/content/files`)
      assert.equal(file.count, 1)
      const { body: upload } = await ada(`POST /v1/orgs/${organizationId}/storage/upload`, {
        file: { name: 'a.zip', type: 'application/zip', size: 4 },
        kind: 'import_file',
      })
      assert.equal((await fetch(upload.url, { method: 'PUT', body: 'abcd' })).status, 204)
      // Without the job that expires the upload, so that the test shows that the sweep keeps it.
      await db.write((tx) => tx.deleteFrom('job').execute())
      await db.write((tx) => services.enqueue(tx, 'sweep-blobs', {}))

      await runAfter(DAY - 60_000)
      assert.equal(await blobs.has(orphan.hash), true, 'it is younger than a day')
      await runAfter(3 * DAY)
      await runAfter(9 * DAY)
      assert.equal(await blobs.has(orphan.hash), true, 'it has been unused for less than a week')
      await runAfter(10 * DAY)
      assert.equal(await blobs.has(orphan.hash), false)
      assert.equal((await fetch(file.items[0].downloadURL)).status, 200)
      const { blob } = await db.read
        .selectFrom('upload')
        .select('blob')
        .where('id', '=', upload.key)
        .executeTakeFirstOrThrow()
      assert.equal(await blobs.has(blob ?? ''), true)
    })

    test('bytes that are older than the installation stay', async () => {
      const { hash } = await blobs.put(Buffer.from('of the installation before'))
      const created = (value: string) =>
        db.write((tx) => tx.updateTable('instance').set({ value }).where('name', '=', 'created').execute())
      await db.write((tx) => services.enqueue(tx, 'sweep-blobs', {}))
      await created(new Date(Date.now() + 60_000).toISOString())
      await sweepAfter(3)
      assert.equal(await blobs.has(hash), true)

      await created(new Date(0).toISOString())
      await sweepAfter(20)
      assert.equal(await blobs.has(hash), false)
    })

    test('bytes that were stored again while they waited for their removal stay', async () => {
      const bytes = Buffer.from('used in a change that this database does not know')
      const { hash } = await blobs.put(bytes)
      const unusedSince = new Date(Date.now() - 60_000).toISOString()
      await db.write((tx) => services.enqueue(tx, 'remove-blob', { hash, unusedSince }))
      await runAfter(DAY)
      assert.equal(await blobs.remove(hash), true)
    })

    test('each sweep schedules the next day’s, and a restart adds none', async () => {
      const at = Date.now()
      await db.write((tx) => tx.deleteFrom('job').execute())
      await Promise.all([beginSweeping(services), beginSweeping(services)])
      await beginSweeping(services)
      assert.deepEqual(
        (await jobs()).map((job) => job.kind),
        ['sweep-blobs'],
      )
      for (const days of [1, 2, 3]) {
        await runAfter(days * DAY)
        const [next, ...more] = await jobs()
        assert.deepEqual(more, [])
        const wait = new Date(next?.runAt ?? 0).getTime() - at - (days + 1) * DAY
        assert.ok(wait >= 0 && wait < 60_000, `${wait} ms beside a day`)
      }
    })

    test('a large store is swept completely, in pieces', async () => {
      const orphans = await Promise.all(Array.from({ length: 9 }, () => blobs.put(randomBytes(10))))
      await db.write((tx) => tx.deleteFrom('job').execute())
      await beginSweeping(services)
      await runAfter(2 * DAY, { 'sweep-blobs': sweepBlobs(services, 4) })
      await runAfter(9 * DAY)
      for (const { hash } of orphans) assert.equal(await blobs.has(hash), false)
      // The sweep of the last day may have listed bytes that were about to be removed.
      const kinds = (await jobs()).map((job) => job.kind)
      assert.deepEqual(
        kinds.filter((name) => name !== 'remove-blob'),
        ['sweep-blobs'],
      )
    })
  })
}
