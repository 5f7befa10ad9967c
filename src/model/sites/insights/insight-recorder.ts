import { createHmac, randomBytes } from 'node:crypto'
import { readUserAgent } from '../../../core/web/user-agent.ts'
import { giveTurn } from '../../../core/runtime/turns.ts'
import { chunks } from '../../../db/chunks.ts'
import type { Database, Row, Tx } from '../../../db/schema.ts'
import { tooMany, unavailable } from '../../../http/errors.ts'
import type { Insight, Insights } from '../../../http/insights.ts'
import { countedFor } from '../../../http/limits/networks.ts'
import type { Allowance, Rates } from '../../../http/limits/rate.ts'
import { because } from '../../../core/languages/reasons.ts'

/** The events of one client on one site in a minute. */
const PER_CLIENT = 1_000
/** The events of one client on all sites in a minute: a user can create any number of sites. */
const PER_CLIENT_ON_ALL_SITES = 5_000
/** The events of one site in a day: about 200 MB. */
const PER_SITE = 500_000
/** How many of them one client may send, and the networks around it: no customer of a provider sends them all. */
const SHARE_OF_SITE = [100_000, 150_000, 200_000] as const
const DAY_MS = 24 * 3_600_000
/** The events that wait to be written. They are written early when there are so many, and refused when there are ten times as many. */
const WAITING = 2_000
const WAITING_MOST = 20_000
const RETRY_S = 10
const ROWS_AT_ONCE = 100
/** 128 bits of a hash, as text. */
const HASH_LENGTH = 22

/**
 * Collects the events of visitors and stores them without personal data. The identifiers of a visitor and of a session
 * are hashed with a secret of the day. When the secret is deleted, nobody can find a visitor's events any more, and the
 * visitors of two days cannot be compared. Writing each event by itself would cost a transaction for each view of a page.
 * @param days how long events are kept; 0 stores none
 */
export function insightRecorder(
  db: Database,
  { now, newId, days, rates }: { now: () => Date; newId: () => string; days: number; rates: Rates },
): Insights {
  const perClient = rates.limiter('events', PER_CLIENT)
  const perClientOnAllSites = rates.limiter('events on all sites', PER_CLIENT_ON_ALL_SITES)
  const shares = rates.limiter('share of site', SHARE_OF_SITE, DAY_MS)
  const perSite = rates.limiter('site', PER_SITE, DAY_MS)
  let waiting: Insight[] = []
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    const events = waiting
    if (events.length === 0) return
    waiting = []
    try {
      await db.write(async (tx) => {
        const salt = await saltOf(tx, now())
        const sites = await existingSites(tx, events)
        const kept = events.filter(({ siteId }) => sites.has(siteId))
        for (const some of chunks(kept, ROWS_AT_ONCE)) {
          await giveTurn()
          await tx
            .insertInto('insightEvent')
            .values(some.map((event) => toRow(event, salt, newId())))
            .execute()
        }
      })
    } catch (error) {
      waiting = [...events, ...waiting].slice(0, WAITING_MOST)
      throw error
    }
  }

  function flush(): Promise<void> {
    writing = writing.catch(() => {}).then(write)
    return writing
  }

  return {
    note(siteId, events, client, at) {
      if (days === 0) return
      const counted = countedFor(siteId, client)
      const demand = ({ over, reset }: Allowance) => {
        if (!over) return
        const seconds = Math.max(1, reset - Math.floor(at.getTime() / 1000))
        throw tooMany(because('too-many-events', { seconds }), seconds)
      }
      for (let i = 0; i < events.length; i++) {
        // What a client is refused does not count for its site.
        demand(perClient(counted, at))
        demand(perClientOnAllSites(client, at))
        demand(shares(counted, at))
        demand(perSite(siteId, at))
      }
      if (waiting.length + events.length > WAITING_MOST)
        throw unavailable(because('too-many-events-waiting'), RETRY_S)
      for (const event of events) waiting.push(event)
      // The next flush reports why it failed.
      if (waiting.length >= WAITING) flush().catch(() => {})
    },
    flush,
  }
}

/** The sites of these events, without those that have been deleted since. */
async function existingSites(tx: Tx, events: readonly Insight[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const ids of chunks([...new Set(events.map(({ siteId }) => siteId))], ROWS_AT_ONCE))
    for (const { id } of await tx.selectFrom('site').select('id').where('id', 'in', ids).execute())
      found.add(id)
  return found
}

/** The secret of today. It is created with the first event of the day, and then those of the days before are deleted. */
async function saltOf(tx: Tx, now: Date): Promise<string> {
  const day = now.toISOString().slice(0, 10)
  const find = () => tx.selectFrom('insightSalt').select('salt').where('day', '=', day).executeTakeFirst()
  const known = await find()
  if (known) return known.salt
  await removeSalts(tx, now)
  await tx
    .insertInto('insightSalt')
    .values({ day, salt: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const made = await find()
  if (!made) throw new Error('the secret of the day was just stored')
  return made.salt
}

/** Deletes the secrets of the days before. */
export async function removeSalts(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('insightSalt').where('day', '<', now.toISOString().slice(0, 10)).execute()
}

function toRow(event: Insight, salt: string, id: string): Row<'insightEvent'> {
  const { siteId, occurredAt, visitor, session, userAgent, details, ...fields } = event
  const { bot, ...agent } = readUserAgent(userAgent)
  const hashOf = (text: string) =>
    createHmac('sha256', salt).update(`${siteId} ${text}`).digest('base64url').slice(0, HASH_LENGTH)
  return {
    ...fields,
    ...agent,
    id,
    siteId,
    occurredAt: occurredAt.toISOString(),
    visitor: hashOf(visitor),
    session: hashOf(`${visitor} ${session}`),
    details: JSON.stringify({ ...details, ...(bot ? { bot } : {}) }),
  }
}
