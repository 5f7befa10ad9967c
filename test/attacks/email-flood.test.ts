/** E-mails to one address, and because of one user, are bounded for the whole installation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runDueJobs } from '../due-jobs.ts'
import { mailbox, secretIn } from '../mailbox.ts'
import { createWorld, type Person } from '../world.ts'

const post = mailbox()
const world = await createWorld({}, { mail: post })
const { clock, nobody } = world
const MINUTE = 60_000
const start = Date.now()
const at = (minutes: number) => {
  clock.now = new Date(start + minutes * MINUTE)
}

/** A user with some organizations. */
async function owner(name: string, count: number): Promise<{ who: Person; organizations: string[] }> {
  const who = await world.person(name)
  const organizations: string[] = []
  for (let i = 0; i < count; i++)
    organizations.push((await who('POST /v1/orgs', { title: `${name} ${i}` })).body.id)
  return { who, organizations }
}

const invite = (who: Person, organization: string, emails: string[]) =>
  who(`POST /v1/orgs/${organization}/invites`, { emails })
const lettersTo = async (...addresses: string[]) => {
  await runDueJobs(world)
  return post.letters.filter(({ to }) => addresses.includes(to))
}
let networks = 0
const reset = (email: string) =>
  nobody('POST /v1/account/password-resets', { email }, { 'x-forwarded-for': `10.1.${++networks}.1` })

test('a user with many organizations sends an address no more than a user with one', async () => {
  const [one, many] = [await owner('one', 1), await owner('many', 10)]
  const sent = async ({ who, organizations }: typeof one, victim: string) => {
    for (let minutes = 0; minutes < 80; minutes += 10) {
      at(minutes)
      for (const organization of organizations) await invite(who, organization, [victim])
      await runDueJobs(world)
    }
    return (await lettersTo(victim)).length
  }
  assert.deepEqual([await sent(one, 'of-one@example.org'), await sent(many, 'of-many@example.org')], [5, 5])
})

test('many users together, and addresses of one mailbox, do not fill it', async () => {
  at(0)
  const addresses = Array.from({ length: 30 }, (_, i) => `victim+${i}@example.org`)
  const { who, organizations } = await owner('tags', 1)
  assert.equal((await invite(who, organizations[0]!, addresses)).body.invited, 5)
  for (let i = 0; i < 6; i++) {
    const other = await owner(`gang-${i}`, 1)
    await invite(other.who, other.organizations[0]!, addresses)
  }
  assert.equal((await lettersTo('victim@example.org', ...addresses)).length, 20)

  // Nobody has claimed these accounts, so their password resets are no way round.
  at(60)
  for (const address of addresses) await reset(address)
  assert.equal((await lettersTo(...addresses)).length, 23)
})

test('a user sends no more invitations in all organizations together than in one', async () => {
  at(0)
  const { who, organizations } = await owner('spammer', 10)
  const some = (name: string, count = 100) =>
    Array.from({ length: count }, (_, i) => `${name}${i}@example.org`)
  const answers: { status: number; body: { error?: { message: string } } }[] = []
  for (const [i, organization] of organizations.entries())
    answers.push(await invite(who, organization, some(`first-${i}-`)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200, 429, 429, 429, 429, 429],
  )
  const { error } = answers.at(-1)!.body
  assert.match(error!.message, /^You can send, in all organizations together, at most 500 .* in an hour/)
  at(60)
  for (const organization of organizations.slice(0, 5))
    assert.equal((await invite(who, organization, some(`second-${organization}-`))).status, 200)
  at(120)
  const over = await invite(who, organizations[0]!, ['third@example.org'])
  assert.match(over.body.error.message, /at most 1000 invitations by e-mail in a day: send at most 0 now/)
  const seconds = Number(over.headers.get('retry-after'))
  at(120 + seconds / 60)
  assert.equal((await invite(who, organizations[0]!, ['third@example.org'])).status, 200)
  const other = await owner('colleague', 1)
  assert.equal((await invite(other.who, other.organizations[0]!, some('other'))).status, 200)
  await world.db.write((tx) => tx.deleteFrom('job').execute())
})

test('neither invitations nor resets by strangers keep the owner of an account out', async () => {
  at(0)
  const email = 'owner@example.com'
  const { users } = (await invite(world.ada, world.organizationId, [email])).body
  const [welcome] = await lettersTo(email)
  const password = 'correct horse battery'
  await nobody('POST /v1/account/invitations', { token: secretIn(welcome!.text), password })
  assert.equal(users.length, 1)

  for (let i = 0; i < 6; i++) {
    const { who, organizations } = await owner(`flood-${i}`, 5)
    for (const organization of organizations)
      await invite(who, organization, [email, `owner+${i}@example.com`])
  }
  // Strangers also ask for the passwords of the accounts that their invitations made.
  for (let i = 0; i < 6; i++) await reset(`owner+${i}@example.com`)
  await lettersTo()

  let newest: (typeof post.letters)[number] | undefined
  const sentAt: number[] = []
  for (let minutes = 1; minutes < 300; minutes += 7) {
    at(minutes)
    post.letters.length = 0
    for (let i = 0; i < 2; i++) await reset(email)
    await runDueJobs(world)
    newest = post.letters.findLast(({ to }) => to === email) ?? newest
    sentAt.push(...post.letters.filter(({ to }) => to === email).map(() => minutes))
  }
  for (const [i, minutes] of sentAt.entries())
    assert(i < 3 || minutes - sentAt[i - 3]! >= 60, `more than three within an hour: ${sentAt.join()}`)
  // The newest link is good, whether or not the last request sent one.
  const set = await nobody('POST /v1/account/password', { token: secretIn(newest!.text), password })
  assert.equal(set.status, 204)
})

test('an e-mail that the mail server refuses at first counts once', async () => {
  at(24 * 60)
  const person = await owner('retried', 0)
  await world.db.write((tx) =>
    tx
      .insertInto('account')
      .values({ userId: person.who.id, passwordHash: 'x', emailVerifiedAt: null, updatedAt: '2026' })
      .execute(),
  )
  const { send } = post
  let refused = 0
  post.send = () => {
    refused++
    return Promise.reject(new Error('451 try again later'))
  }
  await reset('retried@example.com')
  // The waits are 1, 2, 4, 8 and 16 minutes, each up to a tenth longer.
  for (const minutes of [0, 2, 5, 10, 20]) {
    at(24 * 60 + minutes)
    await runDueJobs(world).catch(() => undefined)
  }
  assert.equal(refused, 5)
  post.send = send
  at(24 * 60 + 40)
  await runDueJobs(world)
  assert.equal((await lettersTo('retried@example.com')).length, 1)
  await reset('retried@example.com')
  await reset('retried@example.com')
  assert.equal((await lettersTo('retried@example.com')).length, 2)
})
