import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { migrate } from '../../src/db/migrate.ts'
import { prepare } from '../../src/db/prepare.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { inLongRun, isLongRun } from '../effort.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const MB = 1024 * 1024
/** Twice as many results are more than may be kept: 40 MB by default. */
const [QUERIES, VALUE_BYTES] = isLongRun() ? [3000, 20_000] : [200, 100_000]

async function opened(t: { after(done: () => Promise<void>): void }) {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-caches-'))
  const db = await openSqlite({ file: join(folder, 'a.sqlite'), durable: false })
  await migrate(db.writer)
  t.after(async () => {
    await db.close()
    rmSync(folder, { recursive: true })
  })
  return db
}

test('the results of prepared queries are bounded by their size, not by their number', async (t) => {
  const { read } = await opened(t)
  const find = prepare((db, argument) => db.selectFrom('user').select('id').where('email', '=', argument(0)))
  const again = prepare((db, argument) =>
    db.selectFrom('user').select('id').where('displayName', '=', argument(0)),
  )
  collect()
  const before = process.memoryUsage().heapUsed
  for (let i = 0; i < QUERIES; i++) {
    const value = Buffer.alloc(VALUE_BYTES, `${i} `).toString()
    await find(read, value)
    await again(read, value)
  }
  collect()
  const kept = (process.memoryUsage().heapUsed - before) / MB
  // Uses the queries once more, so that nothing collects them before the measurement.
  assert.deepEqual([await find(read, ''), await again(read, '')], [[], []])
  assert.ok(kept < 24, `${kept.toFixed()} MB are kept`)
})

test('a prepared query is answered from memory until something is written', async (t) => {
  const { read, write } = await opened(t)
  const find = prepare((db, argument) =>
    db.selectFrom('organization').select('title').where('id', '=', argument(0)),
  )
  const [first, second] = [await find(read, 'o'), await find(read, 'o')]
  assert.equal(first, second)
  await write((tx) => tx.deleteFrom('organization').where('id', '=', 'o').execute())
  await write((tx) =>
    tx
      .insertInto('account' as never)
      .values({ id: 'a' } as never)
      .execute(),
  ).catch(() => 0)
  assert.deepEqual(await find(read, 'o'), [])
})

// In the long run, because it compiles hundreds of statements with a thousand parameters. By default, the test of results above is the check that caches are bounded.
test('cached statements are bounded by their memory', { skip: inLongRun }, async (t) => {
  const { read } = await opened(t)
  const ids = Array.from({ length: 1500 }, (_, i) => `${i}`)
  const sizes: number[] = []
  for (let i = 0; i < 300; i++) {
    await read.selectFrom('user').select('id').where('id', 'in', ids.slice(i)).execute()
    if (i % 20 === 0) collect()
    if (i === 60) sizes.push(process.memoryUsage().rss)
  }
  collect()
  const grown = (process.memoryUsage().rss - sizes[0]!) / MB
  assert.ok(grown < 24, `${grown.toFixed()} MB more`)
})
