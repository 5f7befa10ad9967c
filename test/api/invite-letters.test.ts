import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LETTER_PAUSE, LETTERS_AN_HOUR } from '../../src/model/invitation-letter.ts'
import { doJobs, mailbox } from '../mailbox.ts'
import { createWorld } from '../world.ts'

const post = mailbox()
const world = await createWorld({}, { mail: post })
const { ada, organizationId, clock } = world
const organization = `/v1/orgs/${organizationId}`
await world.person('known')
const start = new Date().getTime()

const invite = (emails: string[]) => ada(`POST ${organization}/invites`, { emails, role: 'read' })
/** The letters to an address that have gone out by now. */
const lettersTo = async (address: string) => {
  await doJobs(world)
  return post.letters.filter(({ to }) => to === address)
}

test('an address that is invited again and again gets one letter within the pause', async () => {
  for (const email of ['new@example.com', 'known@example.com']) {
    clock.now = new Date(start)
    const answers = [await invite([email]), await invite([email])]
    assert.deepEqual([answers[0]?.body.invited, answers[1]?.body.invited], [1, 0])
    assert.equal((await lettersTo(email)).length, 1, email)
    clock.now = new Date(start + LETTER_PAUSE - 1)
    await invite([email])
    assert.equal((await lettersTo(email)).length, 1, email)
    clock.now = new Date(start + LETTER_PAUSE)
    assert.equal((await invite([email])).body.invited, 1)
    assert.equal((await lettersTo(email)).length, 2, email)
  }
})

test('taking an invitation back and inviting again sends no other letter', async () => {
  const { users } = (await invite(['taken-back@example.com'])).body
  assert.equal((await lettersTo('taken-back@example.com')).length, 1)
  assert.equal((await ada(`DELETE ${organization}/members/${users[0]}`)).status, 204)
  assert.equal((await invite(['taken-back@example.com'])).body.invited, 0)
  assert.equal((await lettersTo('taken-back@example.com')).length, 1)
})

test('while a letter waits for the mail server, no other is put behind it', async () => {
  const waiting = async () => {
    const rows = await world.db.read
      .selectFrom('job')
      .select('id')
      .where('kind', '=', 'send-letter')
      .execute()
    return rows.length
  }
  for (const [round, email] of ['waits@example.com', 'known@example.com'].entries()) {
    clock.now = new Date(start + (3 + 2 * round) * LETTER_PAUSE)
    await invite([email])
    clock.now = new Date(start + (4 + 2 * round) * LETTER_PAUSE)
    await invite([email])
    assert.equal(await waiting(), 1, email)
    await doJobs(world)
  }
})

test('an organization sends so many letters in an hour; what is more is refused as a whole, until later', async () => {
  const other = await world.stranger('busy')
  const path = `POST /v1/orgs/${other.organizationId}/invites`
  const at = new Date(start + 24 * 3_600_000)
  const later = (ms: number) => new Date(at.getTime() + ms)
  const batch = (name: string) => Array.from({ length: 100 }, (_, i) => `${name}-${i}@example.com`)
  for (let i = 0; i < LETTERS_AN_HOUR / 100; i++) {
    clock.now = later(i * 60_000)
    assert.equal((await other(path, { emails: batch(`batch${i}`) })).body.invited, 100)
  }
  const over = await other(path, { emails: ['one-more@example.com'] })
  assert.equal(over.status, 429)
  assert.match(over.body.error.message, /at most 500 invitations by mail in an hour; 0 more/)
  const members = (await other(`GET /v1/orgs/${other.organizationId}/members?search=one-more`)).body
  assert.equal(members.count, 0)
  // Another organization is not held up by it.
  assert.equal((await invite(['elsewhere@example.com'])).body.invited, 1)

  clock.now = new Date(clock.now!.getTime() + Number(over.headers.get('retry-after')) * 1000)
  assert.equal((await other(path, { emails: batch('after') })).body.invited, 100)
  assert.equal((await other(path, { emails: ['one-more@example.com'] })).status, 429)
  await world.db.write((tx) => tx.deleteFrom('job').execute())
})

test('a title of many lines is one line of a letter, in its subject and in its text', async () => {
  const other = await world.stranger('lines')
  const path = `/v1/orgs/${other.organizationId}`
  // Set in the database, so that it holds whatever the API takes for a title.
  const title = 'Acme\r\nBcc: all@example.com\n\nPay here:\u2028https://example.com'
  await world.db.write((tx) =>
    tx.updateTable('organization').set({ title }).where('id', '=', other.organizationId).execute(),
  )
  const line = 'Acme Bcc: all@example.com Pay here: https://example.com'
  await other(`POST ${path}/invites`, { emails: ['title@example.com', 'known@example.com'] })
  for (const address of ['title@example.com', 'known@example.com']) {
    const letter = (await lettersTo(address)).at(-1)
    assert.equal(letter?.subject, `You are invited to ${line}`)
    assert(
      letter?.text.split('\n').some((one) => one.endsWith(`the documentation of ${line}.`)),
      address,
    )
  }
})
