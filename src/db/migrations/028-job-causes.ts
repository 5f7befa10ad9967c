import type { Kysely } from 'kysely'

/** What the sentence of a failed e-mail was until now. */
const REFUSAL = /^(\S+) refused the (recipient|message): (.*)$/

interface Tables {
  job: { id: string; kind: string; error: string | null; fault: string | null }
}

/** The trace of the request that caused a job, and the reason for which its last try failed. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const name of ['traceParent', 'fault'])
    await db.schema.alterTable('job').addColumn(name, 'text').execute()

  const failed = await db
    .selectFrom('job')
    .select(['id', 'error'])
    .where('kind', '=', 'send-email')
    .where('error', 'is not', null)
    .execute()
  for (const { id, error } of failed) {
    const [, server, what, response] = REFUSAL.exec(error ?? '') ?? []
    if (what === undefined) continue
    const fault = JSON.stringify({ reason: `mail-${what}-refused`, parameters: { server, response } })
    await db.updateTable('job').set({ fault }).where('id', '=', id).execute()
  }
}
