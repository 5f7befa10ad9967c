/** Further copies of the server on the database of a world. */
import { after } from 'node:test'
import { keyringOf } from '../src/access/credentials/keyring.ts'
import { buildApp } from '../src/server/app.ts'
import type { Parts } from '../src/server/parts.ts'
import { openBlobs } from '../src/blobs/open.ts'
import { openDatabase } from '../src/db/open.ts'
import type { World } from './world.ts'

/** Starts another server on the database of a world, with its clock and secret. It closes after the tests of the file. */
export async function startCopy(world: World, parts: Partial<Pick<Parts, 'listening'>> = {}) {
  const { config, clock } = world
  const db = await openDatabase({ ...config, durable: false })
  const blobs = await openBlobs(config)
  const keyring = keyringOf(config.secret ?? 'x'.repeat(48))
  const app = await buildApp({
    config,
    db,
    blobs,
    keyring,
    clock: () => clock.now ?? new Date(),
    ...parts,
  })
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await app.close()
    await db.close()
  }
  after(close)
  return { url: await app.listen(), app, db, close }
}
