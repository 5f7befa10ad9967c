import type { World } from '../world.ts'

/** A job that failed for good. No loop runs the jobs of the matrix. @returns its id */
export async function insertFailedJob({ app, db }: World): Promise<string> {
  const id = app.services.newId()
  const at = new Date().toISOString()
  const row = { kind: 'send-email', payload: '{}', askedBy: '', organizationId: '', dedupe: null }
  const tries = {
    state: 'failed',
    attempts: 8,
    lostLeases: 0,
    error: 'no luck',
    firstTriedAt: at,
    lastTriedAt: at,
  } as const
  await db.write((tx) =>
    tx
      .insertInto('job')
      .values({ id, ...row, ...tries, runAt: at, createdAt: at, leasedUntil: null })
      .execute(),
  )
  return id
}
