import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runDueJobs } from '../due-jobs.ts'
import { mailbox } from '../mailbox.ts'
import { createWorld } from '../world.ts'

const post = mailbox()
const world = await createWorld({}, { mail: post })
const { ada, organizationId, clock } = world
const organization = `/v1/orgs/${organizationId}`
await world.person('known')
const start = new Date().getTime()

const invite = (emails: string[]) => ada(`POST ${organization}/invites`, { emails, role: 'read' })
/** The interval between two e-mails to an address, and the hourly limit of an organization, as documented. */
const EMAIL_INTERVAL_MS = 10 * 60_000
const EMAILS_PER_HOUR = 500

/** The e-mails that were sent to an address so far. */
const lettersTo = async (address: string) => {
  await runDueJobs(world)
  return post.letters.filter(({ to }) => to === address)
}

test('repeated invitations send an address one e-mail within the interval', async () => {
  for (const email of ['new@example.com', 'known@example.com']) {
    clock.now = new Date(start)
    const answers = [await invite([email]), await invite([email])]
    assert.deepEqual([answers[0]?.body.invited, answers[1]?.body.invited], [1, 0])
    assert.equal((await lettersTo(email)).length, 1, email)
    clock.now = new Date(start + EMAIL_INTERVAL_MS - 1)
    await invite([email])
    assert.equal((await lettersTo(email)).length, 1, email)
    clock.now = new Date(start + EMAIL_INTERVAL_MS)
    assert.equal((await invite([email])).body.invited, 1)
    assert.equal((await lettersTo(email)).length, 2, email)
  }
})

test('deleting an invitation and inviting again sends no second e-mail', async () => {
  const { users } = (await invite(['taken-back@example.com'])).body
  assert.equal((await lettersTo('taken-back@example.com')).length, 1)
  assert.equal((await ada(`DELETE ${organization}/members/${users[0]}`)).status, 204)
  assert.equal((await invite(['taken-back@example.com'])).body.invited, 0)
  assert.equal((await lettersTo('taken-back@example.com')).length, 1)
})

test('while an e-mail waits for the mail server, no second one is queued', async () => {
  const waiting = async () => {
    const rows = await world.db.read.selectFrom('job').select('id').where('kind', '=', 'send-email').execute()
    return rows.length
  }
  for (const [round, email] of ['waits@example.com', 'known@example.com'].entries()) {
    clock.now = new Date(start + (3 + 2 * round) * EMAIL_INTERVAL_MS)
    await invite([email])
    clock.now = new Date(start + (4 + 2 * round) * EMAIL_INTERVAL_MS)
    await invite([email])
    assert.equal(await waiting(), 1, email)
    await runDueJobs(world)
  }
})

test('an organization has an hourly limit of e-mails; a request beyond it fails as a whole until later', async () => {
  const other = await world.stranger('busy')
  const path = `POST /v1/orgs/${other.organizationId}/invites`
  const at = new Date(start + 24 * 3_600_000)
  const later = (ms: number) => new Date(at.getTime() + ms)
  const batch = (name: string) => Array.from({ length: 100 }, (_, i) => `${name}-${i}@example.com`)
  for (let i = 0; i < EMAILS_PER_HOUR / 100; i++) {
    clock.now = later(i * 60_000)
    assert.equal((await other(path, { emails: batch(`batch${i}`) })).body.invited, 100)
  }
  const over = await other(path, { emails: ['one-more@example.com'] })
  assert.equal(over.status, 429)
  assert.match(
    over.body.error.message,
    /An organization can send at most 500 invitations by e-mail in an hour: send at most 0 now/,
  )
  const members = (await other(`GET /v1/orgs/${other.organizationId}/members?search=one-more`)).body
  assert.equal(members.count, 0)
  // The limit of one organization does not affect another.
  assert.equal((await invite(['elsewhere@example.com'])).body.invited, 1)

  clock.now = new Date(clock.now!.getTime() + Number(over.headers.get('retry-after')) * 1000)
  assert.equal((await other(path, { emails: batch('after') })).body.invited, 100)
  assert.equal((await other(path, { emails: ['one-more@example.com'] })).status, 429)
  await world.db.write((tx) => tx.deleteFrom('job').execute())
})

test('no subject has text that a user chose, and the text of an e-mail quotes it in one line', async () => {
  const other = await world.stranger('lines')
  const path = `/v1/orgs/${other.organizationId}`
  // Written to the database, so that the test does not depend on the validation of titles.
  const title =
    'Acme\r\nBcc: all@example.com\n\nYou have won”: pay at https://evil.example\u2028www.evil.example {link}'
  await world.db.write((tx) =>
    tx.updateTable('organization').set({ title }).where('id', '=', other.organizationId).execute(),
  )
  await other(`POST ${path}/invites`, { emails: ['title@example.com', 'known@example.com'] })
  for (const address of ['title@example.com', 'known@example.com']) {
    const { subject, text } = (await lettersTo(address)).at(-1)!
    assert.equal(subject, `You are invited to ${new URL(world.url).host}`)
    const quotation = text.split('\n').filter((line) => line.includes('Acme'))
    assert.deepEqual(quotation, [
      "  “Acme Bcc: all@ example. com You have won': pay at https: / / evil. example www.…”",
    ])
    assert.deepEqual(text.match(/https?:\S+/g)?.length, 1, 'only the link of Lectern')
  }
})

test('an e-mail is in the language of the recipient, or else of the user who invites', async () => {
  const other = await world.stranger('inviter')
  const path = `POST /v1/orgs/${other.organizationId}/invites`
  const known = await world.person('reader')
  const choose = (person: typeof known, language: string | null) =>
    person(`PATCH /v1/users/${person.id}`, { language })
  const letters = async () => {
    clock.now = new Date((clock.now?.getTime() ?? start) + 3_600_000)
    await other(path, { emails: ['fresh@example.com', 'reader@example.com'] })
    await world.nobody('POST /v1/account/password-resets', { email: 'reader@example.com' })
    const [fresh, ...mine] = [
      (await lettersTo('fresh@example.com')).at(-1),
      ...(await lettersTo('reader@example.com')).slice(-2),
    ]
    return [fresh, ...mine].map((letter) =>
      /\p{Script=Han}/u.test(letter?.subject + letter!.text) ? 'zh' : 'en',
    )
  }
  assert.deepEqual(await letters(), ['en', 'en', 'en'])
  await choose(other, 'zh')
  await choose(known, 'fr')
  assert.deepEqual(await letters(), ['zh', 'en', 'en'])
  await choose(known, 'zh')
  await choose(other, null)
  assert.deepEqual(await letters(), ['en', 'zh', 'zh'])
  const [letter] = (await lettersTo('reader@example.com')).slice(-1)
  assert.match(letter!.text, /\n\nhttps?:\S+#[\da-z]+\n\n/)
})
