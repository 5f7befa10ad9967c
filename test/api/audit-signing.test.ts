/** Somebody who can write to the database, but does not know the secret, changes the audit log. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { keyringOf } from '../../src/access/credentials/keyring.ts'
import { sealedBy } from '../../src/access/credentials/sealing.ts'
import { openDatabase } from '../../src/db/open.ts'
import type { Row } from '../../src/db/schema.ts'
import { appendAuditEvent, beginSigning, BY_SYSTEM, checkAuditChains } from '../../src/model/audit/chain.ts'
import { areLogsSignedOtherwise, isEndSigned, signLogsAgain } from '../../src/model/audit/signing.ts'
import { runHere } from '../process.ts'
import { createWorld } from '../world.ts'

type Entry = Row<'auditEvent'>
type End = Row<'auditChain'>

const world = await createWorld()
const { db, config } = world
const signing = world.app.services.sealing
const env: Record<string, string> = config.databaseUrl
  ? { DATABASE_URL: config.databaseUrl, LECTERN_DATA: config.data }
  : { LECTERN_DATA: config.data }

const guards =
  db.dialect === 'postgres'
    ? ['"auditEvent_stays" on "auditEvent"']
    : ['"auditEvent_no_update"', '"auditEvent_no_delete"']
for (const guard of guards) await db.write((tx) => sql`drop trigger ${sql.raw(guard)}`.execute(tx))

let count = 0
/** An organization with a log of six events, and what an attacker reads of it. */
async function attacked() {
  const owner = await world.stranger(`owner-${++count}`)
  const change = (title: string) => owner(`PATCH /v1/orgs/${owner.organizationId}`, { title })
  for (const title of ['one', 'two', 'three', 'four', 'five']) await change(title)
  return { owner, change, organizationId: owner.organizationId, ...(await logOf(owner.organizationId)) }
}

async function logOf(organizationId: string): Promise<{ entries: Entry[]; end: End }> {
  const entries = await db.read
    .selectFrom('auditEvent')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .orderBy('sequence')
    .execute()
  const end = await db.read
    .selectFrom('auditChain')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .executeTakeFirstOrThrow()
  return { entries, end }
}

/** Replaces a log. */
async function put(organizationId: string, entries: Entry[], end: End | undefined): Promise<void> {
  await db.write(async (tx) => {
    for (const table of ['auditEvent', 'auditChain'] as const)
      await tx.deleteFrom(table).where('organizationId', '=', organizationId).execute()
    if (entries.length > 0) await tx.insertInto('auditEvent').values(entries).execute()
    if (end) await tx.insertInto('auditChain').values(end).execute()
  })
}

/** Numbers and hashes entries as the manual describes it. */
function rehashed(entries: Entry[], organizationId: string): Entry[] {
  let hash = ''
  return entries.map((entry, i) => {
    const next = { ...entry, organizationId, sequence: i + 1 }
    const { id, occurredAt, action, actorType, actorId, actorLabel, tokenId, source } = next
    const { ip, requestId, targetType, targetId, targetLabel, payload } = next
    const who = [actorType, actorId, actorLabel, tokenId, source, ip, requestId]
    const values = [1, organizationId, next.sequence, id, occurredAt, action]
    values.push(...(who as string[]), targetType, targetId, targetLabel as string, payload)
    hash = createHash('sha256')
      .update(`${hash}\n${JSON.stringify(values)}`)
      .digest('hex')
    return { ...next, hash }
  })
}

const endOf = (entries: Entry[], end: End): End => {
  const last = entries.at(-1)!
  return { ...end, sequence: last.sequence, hash: last.hash }
}

async function faultOf(only: string, by = signing) {
  const [chain] = await Array.fromAsync(checkAuditChains(db.read, by, { only }))
  return chain?.broken?.fault
}

/** Each returns the entries and the end that the attacker writes. */
const ATTACKS: Record<
  string,
  (
    log: { organizationId: string; entries: Entry[]; end: End },
    other: { entries: Entry[]; end: End },
  ) => {
    entries: Entry[]
    end: End | undefined
  }
> = {
  'an entry is changed, and the hashes are computed again'({ organizationId, entries, end }) {
    const changed = rehashed(
      entries.map((entry, i) => (i === 2 ? { ...entry, actorId: 'another' } : entry)),
      organizationId,
    )
    return { entries: changed, end: endOf(changed, end) }
  },
  'an entry in the middle is removed': ({ organizationId, entries, end }) => {
    const rest = rehashed(entries.toSpliced(2, 1), organizationId)
    return { entries: rest, end: endOf(rest, end) }
  },
  'the first entry is removed': ({ organizationId, entries, end }) => {
    const rest = rehashed(entries.slice(1), organizationId)
    return { entries: rest, end: endOf(rest, end) }
  },
  'the last entries are removed': ({ entries, end }) => {
    const rest = entries.slice(0, 3)
    return { entries: rest, end: endOf(rest, end) }
  },
  'the last entries are removed, with the signature of the end': ({ entries, end }) => {
    const rest = entries.slice(0, 3)
    return { entries: rest, end: { ...endOf(rest, end), signature: '' } }
  },
  'an entry is added': ({ organizationId, entries, end }) => {
    const more = rehashed(
      [...entries, { ...entries.at(-1)!, id: `added to ${organizationId}` }],
      organizationId,
    )
    return { entries: more, end: endOf(more, end) }
  },
  'all entries are removed': ({ end }) => ({ entries: [], end }),
  'all entries and the end are removed': () => ({ entries: [], end: undefined }),
  'the end is removed': ({ entries }) => ({ entries, end: undefined }),
  'the entries of another organization are moved here': ({ organizationId, end }, other) => {
    const moved = rehashed(
      other.entries.map((entry) => ({ ...entry, id: `${entry.id} in ${organizationId}` })),
      organizationId,
    )
    return { entries: moved, end: endOf(moved, end) }
  },
  'the entries and the end of another organization are moved here': ({ organizationId }, other) => {
    const moved = other.entries.map((entry) => ({
      ...entry,
      id: `${entry.id} here ${organizationId}`,
      organizationId,
    }))
    return { entries: moved, end: { ...other.end, organizationId } }
  },
}

for (const [name, attack] of Object.entries(ATTACKS))
  test(`${name}: verify notices it, also after the next change`, async () => {
    const { organizationId, change, ...log } = await attacked()
    const other = await attacked()
    assert.equal(await faultOf(organizationId), undefined)
    const forged = attack({ organizationId, ...log }, other)
    await put(organizationId, forged.entries, forged.end)
    assert(await faultOf(organizationId))

    await change('after the attack')
    assert(await faultOf(organizationId))
    const { code, err } = await runHere(['audit', 'verify', organizationId], env)
    assert.equal(code, 1)
    assert.match(err, new RegExp(`^${organizationId}: event \\d+ `))
    // Later tests verify every log.
    await put(organizationId, log.entries, log.end)
    assert.equal(await faultOf(organizationId), undefined)
  })

test('an earlier end, which the server did sign, is noticed while the later entries are there', async () => {
  const { organizationId, change, end } = await attacked()
  await change('later')
  const later = await logOf(organizationId)
  await put(organizationId, later.entries, end)
  assert.match((await faultOf(organizationId)) ?? '', /had another end/)
  await put(organizationId, later.entries, later.end)
})

test('an earlier copy of a whole log is noticed by a known entry only', async () => {
  const { organizationId, change, entries, end } = await attacked()
  await change('later')
  const printed = await runHere(['audit', 'verify'], env)
  assert.equal(printed.code, 0, printed.err)
  const file = join(config.data, 'known.txt')
  writeFileSync(file, printed.out)
  const expecting = () => runHere(['audit', 'verify', '--expect', file], env)
  await change('latest')
  assert.deepEqual([(await expecting()).code, (await expecting()).err], [0, ''])

  await put(organizationId, entries, end)
  assert.equal((await runHere(['audit', 'verify'], env)).code, 0)
  const missing = await expecting()
  assert.deepEqual([missing.code, missing.err], [1, `${organizationId}: event 7 is missing\n`])

  await change('another event with the same number')
  const other = await expecting()
  assert.equal(other.code, 1)
  assert.match(
    other.err,
    new RegExp(
      `^${organizationId}: event 7 \\(\\S+\\) had another hash: it or an event before it was changed`,
    ),
  )

  const unknown = `gone: 3 events are unchanged; the last hash is ${'0'.repeat(64)}\n`
  writeFileSync(file, unknown)
  assert.match((await expecting()).err, /^gone: event 1 is missing/)
  writeFileSync(file, 'nothing')
  assert.match((await expecting()).err, /has no line that "lectern audit verify" printed/)
})

test('after hashes are computed again, known entries show between which of them an event was changed', async () => {
  const { organizationId, entries, end } = await attacked()
  const file = join(config.data, 'known-entries.txt')
  const line = ({ sequence, hash }: Pick<Entry, 'sequence' | 'hash'>) =>
    `${organizationId}: ${sequence} events are unchanged; the last hash is ${hash}\n`
  const changed = rehashed(
    entries.map((entry) => (entry.sequence === 4 ? { ...entry, actorId: 'another' } : entry)),
    organizationId,
  )
  await put(organizationId, changed, endOf(changed, end))
  const last = changed.length
  const unsigned = `event ${last} is the last one, but the server did not sign this end: somebody changed, added or removed events`
  const id = (sequence: number) => changed[sequence - 1]!.id
  for (const [known, found] of [
    [
      [],
      `${unsigned}, or changed the signature. The log alone cannot show which. Compare it with an earlier output of this command (--expect), or with events that you stored elsewhere`,
    ],
    [[2], `${unsigned} after event 2, or changed the signature. The events up to it are unchanged`],
    [[2, 3], `${unsigned} after event 3, or changed the signature. The events up to it are unchanged`],
    [[2, 5], `event 5 (${id(5)}) had another hash: it or another event after event 2 was changed`],
    [[3, 4], `event 4 (${id(4)}) had another hash: it was changed`],
    [[5], `event 5 (${id(5)}) had another hash: it or an event before it was changed`],
  ] as const) {
    writeFileSync(file, known.map((sequence) => line(entries[sequence - 1]!)).join(''))
    const expecting = known.length > 0 ? ['--expect', file] : []
    const { code, err } = await runHere(['audit', 'verify', organizationId, ...expecting], env)
    assert.deepEqual([code, err], [1, `${organizationId}: ${found}\n`], known.join())
  }
  await put(organizationId, entries, end)
})

test('a change that is rolled back leaves the end as it was', async () => {
  const { organizationId, entries, end } = await attacked()
  await assert.rejects(
    db.write(async (tx) => {
      await appendAuditEvent(tx, signing, organizationId, entryAt('rolled back'))
      throw new Error('rolled back')
    }),
  )
  assert.deepEqual(await logOf(organizationId), { entries, end })
})

const entryAt = (targetId: string) => ({
  ...BY_SYSTEM,
  occurredAt: new Date().toISOString(),
  action: 'space.purge',
  targetType: 'space',
  targetId,
  targetLabel: null,
  payload: '{}',
})

test('writers on two connections write one signed chain', async () => {
  const { organizationId, entries } = await attacked()
  const second = await openDatabase({ ...config, durable: false })
  after(() => second.close())
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      (i % 2 ? db : second).write((tx) => appendAuditEvent(tx, signing, organizationId, entryAt(`${i}`))),
    ),
  )
  assert.equal((await logOf(organizationId)).entries.length, entries.length + 20)
  assert.equal(await faultOf(organizationId), undefined)
})

test('a rotation signs intact logs with the new secret, and covers up for no other', async () => {
  const world2 = await createWorld({ LECTERN_SECRET: 'first'.repeat(8) })
  const [from, to] = ['first'.repeat(8), 'second'.repeat(8)]
  const both = sealedBy({ secrets: () => [to, from] })
  const later = sealedBy(keyringOf(to))
  const intact = world2.organizationId
  const { organizationId: cut } = await world2.stranger('cut')
  await world2.db.write((tx) =>
    tx
      .updateTable('auditChain')
      .set({ signature: 'of the attacker' })
      .where('organizationId', '=', cut)
      .execute(),
  )
  assert(await areLogsSignedOtherwise(world2.db.read as never, both))
  assert.deepEqual(await signLogsAgain(world2.db, both), { count: 2, unsigned: [cut] })
  assert.equal(await areLogsSignedOtherwise(world2.db.read as never, both), false)

  const broken = async (only: string) =>
    (await Array.fromAsync(checkAuditChains(world2.db.read, later, { only })))[0]?.broken
  assert.deepEqual([await broken(intact), await broken('instance')], [undefined, undefined])
  assert(await broken(cut))

  // A server that has not noticed the rotation asks the transaction.
  const late = sealedBy({ secrets: () => [from], secretsIn: async () => [to, from] })
  await world2.db.write((tx) => appendAuditEvent(tx, late, intact, entryAt('late')))
  assert.equal(await broken(intact), undefined)
})

test('the first start signs the logs of an earlier version once, in any number of servers', async () => {
  const { organizationId, end } = await attacked()
  const { organizationId: wrong } = await attacked()
  const setSignature = (signature: string, only?: string) =>
    db.write((tx) => {
      const update = tx.updateTable('auditChain').set({ signature })
      return (only === undefined ? update : update.where('organizationId', '=', only)).execute()
    })
  await setSignature('')
  await setSignature('of the attacker', wrong)
  await db.write((tx) => tx.deleteFrom('instance').where('name', '=', 'audit-signed-since').execute())
  const many = Array.from({ length: 250 }, (_, i) => ({ ...end, organizationId: `many-${i}`, signature: '' }))
  await db.write((tx) => tx.insertInto('auditChain').values(many).execute())
  const unsigned = await runHere(['audit', 'verify', organizationId], env)
  assert.equal(unsigned.code, 1)
  assert.match(unsigned.err, /start the server once/)

  const second = await openDatabase({ ...config, durable: false })
  after(() => second.close())
  const now = new Date()
  const done = await Promise.all([db, second].map((one) => beginSigning(one, signing, now)))
  assert.deepEqual(done.toSorted(), [false, true])
  const ends = await db.read.selectFrom('auditChain').selectAll().execute()
  for (const one of ends)
    assert.equal(await isEndSigned(db.read, signing, one), one.organizationId !== wrong, one.organizationId)
  await db.write((tx) => tx.deleteFrom('auditChain').where('organizationId', 'like', 'many-%').execute())
  assert.equal(await faultOf(organizationId), undefined)
  assert.equal(await faultOf('instance'), undefined)

  await setSignature('', organizationId)
  assert.equal(await beginSigning(db, signing, now), false)
  assert(await faultOf(organizationId))
})

test('the time since when logs are signed cannot be changed', async () => {
  const name = 'audit-signed-since'
  const { value } = await db.read
    .selectFrom('instance')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  const set = (text: string) =>
    db.write((tx) => tx.updateTable('instance').set({ value: text }).where('name', '=', name).execute())
  await set(value.replace(/^\S+/, '2001-01-01T00:00:00.000Z'))
  assert.match(
    (await runHere(['audit', 'verify', 'instance'], env)).err,
    /since when the audit logs are signed/,
  )
  await set(value)
  const { code, out } = await runHere(['audit', 'verify', 'instance'], env)
  assert.equal(code, 0)
  assert.match(out, /^The audit logs are signed since 20/)
})

test('audit has no command except verify', async () => {
  const { code, err } = await runHere(['audit', 'forget'], { LECTERN_DATA: join(config.data, 'none') })
  assert.equal(code, 1)
  assert.match(err, /lectern audit verify/)
})
