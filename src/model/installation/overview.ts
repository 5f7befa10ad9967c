import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Reader } from '../../db/schema.ts'
import { reasonFields } from '../../core/languages/reasoned.ts'
import type { OwnProcess, SlowRequest } from '../../http/own-process.ts'
import type { Blobs } from '../../blobs/blobs.ts'
import type { Mail } from '../../mail/mail.ts'
import { oneOf, omitNullish, Timestamp, ReasonOfMessage } from '../common.ts'
import { runningCopies } from './copies.ts'
import { factsOf, timedFact } from './facts.ts'
import { diskOf, faultOfFiles, findingsOf } from './health-checks.ts'
import { jobTotals } from './job-totals.ts'
import { SIZED_KINDS } from './sizes.ts'

const Totals = {
  waiting: Type.Integer({ description: 'How many wait or run' }),
  failed: Type.Integer({ description: 'How many failed for good' }),
  oldestDueAt: Type.Optional({ ...Timestamp, description: 'Since when the oldest due job waits' }),
}

/** The state of the installation. */
export const Installation = Type.Object(
  {
    object: oneOf(['installation']),
    version: Type.String(),
    newestVersion: Type.Optional(
      Type.String({ description: 'The newest known version. Absent unless `LECTERN_UPDATE_URL` is set' }),
    ),
    checks: Type.Array(
      Type.Object({
        level: oneOf(['problem', 'warning', 'advice']),
        message: Type.String({ description: 'What is wrong, and what to do' }),
        ...ReasonOfMessage,
      }),
      { description: 'What the health checks found. Empty if all is well' },
    ),
    copies: Type.Array(
      Type.Object({
        id: Type.String(),
        host: Type.String(),
        version: Type.String(),
        nodeVersion: Type.String(),
        startedAt: Timestamp,
        seenAt: Timestamp,
      }),
      { description: 'The copies of the server that run' },
    ),
    database: Type.Object({ kind: oneOf(['sqlite', 'postgres']) }),
    files: Type.Object({ store: oneOf(['disk', 's3']) }),
    disk: Type.Optional(
      Type.Object(
        { freeBytes: Type.Integer(), totalBytes: Type.Integer() },
        { description: 'The disk with the data folder' },
      ),
    ),
    jobs: Type.Object({
      ...Totals,
      kinds: Type.Array(Type.Object({ kind: Type.String(), ...Totals })),
    }),
    search: Type.Object({
      waitingSpaces: Type.Integer({ description: 'How many spaces wait for their index' }),
    }),
    mail: Type.Object({
      configured: Type.Boolean(),
      sentAt: Type.Optional({ ...Timestamp, description: 'When the mail server last accepted an e-mail' }),
      failedAt: Type.Optional(Timestamp),
      error: Type.Optional(Type.String({ description: 'The error of `failedAt`' })),
    }),
    backupAt: Type.Optional({ ...Timestamp, description: 'When `lectern backup done` last ran' }),
    slowRequests: Type.Array(
      Type.Object({
        at: Timestamp,
        operation: Type.String({ description: 'The method and the pattern of the path' }),
        ms: Type.Integer({ description: 'Milliseconds' }),
        status: Type.Integer(),
      }),
      { description: 'Requests of the last hour that took at least a second, the slowest first' },
    ),
  },
  { title: 'Installation' },
)

export const InstallationSizes = Type.Object(
  {
    object: oneOf(['installation-sizes']),
    measuredAt: Timestamp,
    databaseBytes: Type.Integer(),
    blobs: Type.Object({ count: Type.Integer(), bytes: Type.Integer() }),
    kinds: Type.Array(
      Type.Object({
        kind: oneOf([...SIZED_KINDS]),
        rows: Type.Integer(),
        isAtLeast: Type.Boolean({ description: 'Whether there are more rows' }),
      }),
    ),
    organizations: Type.Array(
      Type.Object({
        id: Type.String(),
        title: Type.String(),
        spaces: Type.Integer(),
        documents: Type.Integer(),
        files: Type.Integer(),
        fileBytes: Type.Integer(),
      }),
    ),
  },
  { title: 'InstallationSizes' },
)

const MOST_SLOW = 50

/** Reads the state of the installation, and runs its health checks. */
export async function overviewOf(
  db: Reader,
  { own, mail, blobs, now }: { own: OwnProcess; mail: Mail; blobs: Pick<Blobs, 'check'>; now: Date },
): Promise<Static<typeof Installation>> {
  const facts = await factsOf(db)
  const jobs = await jobTotals(db, now)
  const copies = await runningCopies(db, own, now)
  const disk = await diskOf(own.settings.data)
  const newestVersion = timedFact(facts['newest-version'])?.text
  const failed = timedFact(facts['mail-failed'])
  const mailState = { configured: mail.configured, sentAt: facts['mail-sent'], failedAt: failed?.at }
  const backupAt = facts['backup-done']
  const findings = findingsOf({
    now,
    own,
    jobs,
    mail: mailState,
    backupAt,
    newestVersion,
    disk,
    filesFault: await faultOfFiles(blobs),
    clockAheadMs: await clockAhead(db, own),
  })
  return {
    object: 'installation',
    version: own.version,
    ...omitNullish({ newestVersion, disk, backupAt }),
    checks: findings.map(({ level, why }) => ({ level, ...reasonFields(why) })),
    copies: copies.map(({ slow: _slow, ...copy }) => copy),
    database: { kind: own.settings.database },
    files: { store: own.settings.store },
    jobs,
    search: { waitingSpaces: await spacesWithoutIndex(db) },
    mail: { ...omitNullish({ ...mailState, error: failed?.text }), configured: mail.configured },
    slowRequests: slowestOf(copies.flatMap(({ slow }) => slow)),
  }
}

const slowestOf = (requests: SlowRequest[]) => requests.toSorted((a, b) => b.ms - a.ms).slice(0, MOST_SLOW)

async function spacesWithoutIndex(db: Reader): Promise<number> {
  const { count } = await db
    .selectFrom('searchTask')
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** How far the clock of a PostgreSQL server is ahead; 0 for SQLite, which has the clock of this machine. */
async function clockAhead(db: Reader, { settings }: OwnProcess): Promise<number> {
  if (settings.database === 'sqlite') return 0
  const before = Date.now()
  const { at } = await db
    .selectFrom('instance')
    .select(sql<string>`extract(epoch from clock_timestamp()) * 1000`.as('at'))
    .limit(1)
    .executeTakeFirstOrThrow()
  return Number(at) - (before + Date.now()) / 2
}
