/** The database is missing beside the files of an installation: the server does not start, so that it deletes nothing. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDiskBlobs } from '../../src/blobs/disk.ts'
import { readConfig } from '../../src/installation/config.ts'
import { openDatabase } from '../../src/db/open.ts'
import { refuseForeignFiles } from '../../src/installation/setup.ts'
import { firstOf, inLongRun, isLongRun } from '../effort.ts'
import { createPostgres } from '../postgres.ts'
import { runHere, startServer, temporaryFolder } from '../process.ts'

test('an empty database beside stored files is refused, unless the files are to be kept', async (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const blobs = await openDiskBlobs(join(folder.path, 'blobs'))
  const { hash } = await blobs.put(randomBytes(100))
  const postgres = await createPostgres()
  if (postgres) t.after(postgres.drop)
  const env = {
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
    LECTERN_DATA: folder.path,
    PORT: '0',
    LECTERN_LOG: 'silent',
  }

  for (const time of firstOf(['first', 'second'], 1)) {
    const { code, err } = await runHere([], env)
    assert.equal(code, 1, time)
    assert.match(
      err,
      /database is empty, but .*blobs contains uploaded files.*restore it.*LECTERN_KEEP_FILES/,
    )
    assert.doesNotMatch(err, /at .*\.ts:/)
  }
  assert.equal(await blobs.has(hash), true)

  const keep = { ...env, LECTERN_KEEP_FILES: 'true' }
  const config = readConfig(keep)
  const db = await openDatabase(config)
  await refuseForeignFiles(db, blobs, config)
  await db.close()
  if (!isLongRun()) return
  const kept = await startServer(keep)
  await kept.stop()
  assert.equal(await blobs.has(hash), true)
  // The installation exists now, so the option is needed no longer.
  const again = await startServer(env)
  await again.stop()
  assert.equal(await blobs.has(hash), true)
})

test('an empty folder for files is no reason to refuse', { skip: inLongRun }, async (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  await openDiskBlobs(join(folder.path, 'blobs'))
  assert(readdirSync(join(folder.path, 'blobs')).length > 0)
  const postgres = await createPostgres()
  if (postgres) t.after(postgres.drop)
  const server = await startServer({
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
    LECTERN_DATA: folder.path,
    PORT: '0',
  })
  await server.stop()
})
