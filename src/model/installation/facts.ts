import type { Reader, Tx } from '../../db/schema.ts'

/** What the installation remembers of itself, in the table `instance`. */
const FACTS = [
  /** When the last backup ended, as `lectern backup done` reports it. */
  'backup-done',
  /** When the mail server last accepted an e-mail. */
  'mail-sent',
  /** When it last refused one or could not be reached, and why: `<time> <error>`. */
  'mail-failed',
  /** The newest known version, and when it was looked up: `<time> <version>`. */
  'newest-version',
] as const
export type FactName = (typeof FACTS)[number]

/** Remembers a fact, instead of its earlier value. */
export async function setFact(tx: Tx, name: FactName, value: string): Promise<void> {
  await tx
    .insertInto('instance')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** All facts that are known. */
export async function factsOf(db: Reader): Promise<Partial<Record<FactName, string>>> {
  const rows = await db.selectFrom('instance').selectAll().where('name', 'in', FACTS).execute()
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** A fact of the form `<time> <text>`. */
export function timedFact(value: string | undefined): { at: string; text: string } | undefined {
  const [, at = '', text = ''] = /^(\S+) (.*)$/s.exec(value ?? '') ?? []
  return at === '' ? undefined : { at, text }
}
