/** Prepared queries return the same frozen object while nothing changed, and never an older state of the database. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { openDatabase } from '../../src/db/open.ts'
import { prepare } from '../../src/db/prepare.ts'
import type { Database } from '../../src/db/schema.ts'

const data = mkdtempSync(join(tmpdir(), 'lectern-prepare-'))
const here = await openDatabase({ data, durable: false })
const elsewhere = await openDatabase({ data, durable: false })
after(async () => {
  await here.close()
  await elsewhere.close()
  rmSync(data, { recursive: true })
})

const fact = prepare(
  (db, argument) => db.selectFrom('instance').select('value').where('name', '=', argument(0)),
  ([row]) => row && { value: row.value },
)

const set = (db: Database, value: string) =>
  db.write(async (tx) => {
    await tx.deleteFrom('instance').where('name', '=', 'one').execute()
    await tx.insertInto('instance').values({ name: 'one', value }).execute()
  })

test('a result is the same frozen object until a transaction commits, here or in another connection', async () => {
  await set(here, 'a')
  const first = await fact(here.read, 'one')
  assert.deepEqual(first, { value: 'a' })
  assert.ok(Object.isFrozen(first))
  assert.equal(fact(here.read, 'one'), first)
  assert.equal(await fact(here.read, 'two'), undefined)

  await set(here, 'b')
  const second = await fact(here.read, 'one')
  assert.deepEqual(second, { value: 'b' })

  await turn()
  assert.equal(await fact(here.read, 'one'), second)
  await set(elsewhere, 'c')
  await turn()
  assert.deepEqual(await fact(here.read, 'one'), { value: 'c' })
})

test('a transaction reads what it wrote itself, which nothing else sees before the commit', async () => {
  await set(here, 'a')
  await here.write(async (tx) => {
    await tx.updateTable('instance').set({ value: 'b' }).where('name', '=', 'one').execute()
    assert.deepEqual(await fact(tx, 'one'), { value: 'b' })
    assert.deepEqual(await fact(here.read, 'one'), { value: 'a' })
  })
  assert.deepEqual(await fact(here.read, 'one'), { value: 'b' })
})
