/** The migration that stores why jobs failed reads the sentences of e-mails that failed before it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { up } from '../../src/db/migrations/028-job-causes.ts'
import { createWorld } from '../world.ts'

const SENTENCES: [error: string | null, fault: object | null][] = [
  [
    'mail.example.com:587 refused the recipient: 550 refused the message: no',
    {
      reason: 'mail-recipient-refused',
      parameters: { server: 'mail.example.com:587', response: '550 refused the message: no' },
    },
  ],
  [
    'mail.example.com:25 refused the message: 554 spam',
    { reason: 'mail-message-refused', parameters: { server: 'mail.example.com:25', response: '554 spam' } },
  ],
  ['mail.example.com:25 does not respond', null],
  [null, null],
]

test('e-mails that failed before the migration keep the reason', async () => {
  const { db, app } = await createWorld()
  await db.write(async (tx) => {
    await tx.deleteFrom('job').execute()
    for (const [error] of SENTENCES) {
      await app.services.enqueue(tx, 'send-email', { template: 'digest' })
      await tx.updateTable('job').set({ error }).where('error', 'is', null).execute()
    }
    for (const column of ['fault', 'traceParent'])
      await tx.schema.alterTable('job').dropColumn(column).execute()
    await up(tx as never)
  })
  const { rows } = await sql<{
    error: string | null
    fault: string | null
  }>`select error, fault from job`.execute(db.read as never)
  const found = new Map(rows.map(({ error, fault }) => [error, fault && (JSON.parse(fault) as object)]))
  for (const [error, fault] of SENTENCES) assert.deepEqual(found.get(error), fault)
})
