/** How many users the invitations of one user make, and which addresses are one mailbox. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doJobs, mailbox } from '../mailbox.ts'
import { createWorld, type Person, type World } from '../world.ts'

const post = mailbox()
const WORLDS: Record<string, { world: World; most: number }> = {
  'without a mail server': { world: await createWorld(), most: 50 },
  'with a mail server': { world: await createWorld({}, { mail: post }), most: 1_000 },
}
const HOUR_MS = 3_600_000

/** Addresses of people without an account. Each mailbox gets only a few e-mails. */
const batch = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => `someone+${name}-${i}@example.com`)

for (const [kind, { world, most }] of Object.entries(WORLDS)) {
  const { clock } = world
  const invite = (person: Person, organizationId: string, emails: string[]) =>
    person(`POST /v1/orgs/${organizationId}/invites`, { emails, role: 'read' })

  test(`${kind}, the invitations of a user make at most ${most} users in a day, in all organizations`, async () => {
    const start = Date.now()
    clock.now = new Date(start)
    const one = await world.stranger('Inviter')
    const second = (await one('POST /v1/orgs', { title: 'Second' })).body.id as string
    const size = Math.min(most, 100)
    for (let i = 0; i < most / size; i++) {
      clock.now = new Date(start + i * HOUR_MS)
      const { status, text } = await invite(one, one.organizationId, batch(`b${i}`, size))
      assert.equal(status, 200, text)
    }
    const [taken] = (await one(`GET /v1/orgs/${one.organizationId}/members?search=invited`)).body.items
    await one(`DELETE /v1/orgs/${one.organizationId}/members/${taken.id}`)
    for (const organizationId of [one.organizationId, second]) {
      const over = await invite(one, organizationId, ['one-more@example.com'])
      assert.equal(over.status, 429)
      assert.match(
        over.body.error.message,
        new RegExp(`at most ${most} people without an account in a day: send at most 0 now`),
      )
      assert(Number(over.headers.get('retry-after')) > 0)
      const { count } = (await one(`GET /v1/orgs/${organizationId}/members?search=one-more`)).body
      assert.equal(count, 0)
    }
    await world.person('has-account')
    const known = await invite(one, second, ['has-account@example.com'])
    assert.equal(known.status, 200, 'people with an account are not counted')
    const other = await world.stranger('Other')
    assert.equal((await invite(other, other.organizationId, ['of-other@example.com'])).status, 200)
    const { ada, organizationId } = world
    assert.equal((await invite(ada, organizationId, batch('ada', 100))).status, 200)

    clock.now = new Date(clock.now.getTime() + 24 * HOUR_MS + 1)
    assert.equal((await invite(one, second, ['one-more@example.com'])).status, 200)
    await world.db.write((tx) => tx.deleteFrom('job').execute())
    clock.now = undefined
  })
}

test('dots and the other name of Gmail make no other mailbox', async () => {
  const { world } = WORLDS['with a mail server']!
  const one = await world.stranger('Dots')
  const invitedBy = async (emails: string[]) => {
    const { body } = await one(`POST /v1/orgs/${one.organizationId}/invites`, { emails, role: 'read' })
    await doJobs(world)
    return body.invited as number
  }
  const names = ['some.one', 's.omeone', 'someone', 'so.me.one+a', 'Some.One+b.c']
  assert.equal(await invitedBy(names.map((name) => `${name}@gmail.com`)), 5)
  assert.equal(
    await invitedBy(['someo.ne@gmail.com', 's.o.m.eone+x@googlemail.com', 'SOMEONE@GoogleMail.com']),
    0,
  )
  assert.equal(await invitedBy(['some.one.else@gmail.com', 'another@gmail.com']), 2)
  const elsewhere = ['o.n.e', 'on.e', 'o.ne', 'one', 'o-n.e', 'o.n-e'].map((name) => `${name}@dots.example`)
  assert.equal(await invitedBy(elsewhere), 6, 'dots matter elsewhere')
})
