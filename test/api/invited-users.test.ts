/** How many users one user makes by invitations, SCIM and single sign-on, and which addresses are one mailbox. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runDueJobs } from '../due-jobs.ts'
import { mailbox } from '../mailbox.ts'
import { assertFault, providerOf } from '../scim/provider.ts'
import { browser } from '../sso/browser.ts'
import { key } from '../sso/saml-kit.ts'
import { startSamlProvider } from '../sso/saml-provider.ts'
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

const invite = (person: Person, organizationId: string, emails: string[]) =>
  person(`POST /v1/orgs/${organizationId}/invites`, { emails, role: 'read' })

for (const [kind, { world, most }] of Object.entries(WORLDS)) {
  const { clock } = world

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

interface Outcome {
  status: number
  text: string
  retryAfter: unknown
}
type Make = (email: string) => Promise<Outcome>

const outcomeOf = ({ status, text, headers }: Awaited<ReturnType<Person>>): Outcome => ({
  status,
  text,
  retryAfter: headers.get('retry-after'),
})

/** What makes a user for an organization of a person: each returns a function that makes one with an address. */
const WAYS: Record<string, (world: World, person: Person, organizationId: string) => Promise<Make>> = {
  invitation: async (_world, person, organizationId) => async (email) =>
    outcomeOf(await person(`POST /v1/orgs/${organizationId}/invites`, { emails: [email], role: 'read' })),
  scim: async (world, person, organizationId) => {
    const provider = await providerOf(world, person, organizationId)
    return async (email) => outcomeOf(await provider('POST Users', { userName: email }))
  },
  sso: async (_world, person, organizationId) => {
    const idp = await startSamlProvider(key)
    const { body } = await person(`POST /v1/orgs/${organizationId}/saml`, {
      label: 'Example',
      entityID: idp.entityID,
      ssoURL: idp.ssoURL,
      certificate: key.certificate,
    })
    idp.know((await browser().load(body.service.entityID)).text)
    return async (email) => {
      const user = browser()
      const start = await user.load(body.service.startURL)
      const { acsURL, form } = await idp.answer(start.location!, { nameID: email, email, displayName: email })
      const answered = await user.load(acsURL, form, idp.ssoURL)
      const { status, text, headers } = await user.load(answered.location!)
      return { status, text, retryAfter: headers['retry-after'] }
    }
  },
}

for (const [kind, { world, most }] of Object.entries(WORLDS))
  test(`${kind}, invitations, SCIM and single sign-on make at most ${most} users in a day together`, async () => {
    const start = Date.now()
    const one = await world.stranger('Maker')
    const second = (await one('POST /v1/orgs', { title: 'Second' })).body.id as string
    const ways = Object.entries(WAYS)
    for (let made = 0, size = 0; made < most - ways.length; made += size) {
      size = Math.min(100, most - ways.length - made)
      world.clock.now = new Date(start - 20 * HOUR_MS + made * 60_000)
      const { status, text } = await invite(one, second, batch(`w${made}`, size))
      assert.equal(status, 200, text)
    }
    world.clock.now = new Date(start)
    const makers: [string, Make][] = []
    for (const [way, prepare] of ways) makers.push([way, await prepare(world, one, one.organizationId)])
    for (const [way, make] of makers) {
      const { status, text } = await make(`by-${way}@example.com`)
      assert([200, 201, 303].includes(status), `${way}: ${text}`)
    }
    for (const [way, make] of makers) {
      const { status, retryAfter, text } = await make('beyond@example.com')
      assert.equal(status, 429, `${way}: ${text}`)
      assert(Number(retryAfter) > 0, way)
      const known = await make(`by-${way}@example.com`)
      assert.notEqual(known.status, 429, `${way}: a user who exists is not counted`)
    }
    const { count } = (await one(`GET /v1/orgs/${one.organizationId}/members?search=beyond`)).body
    assert.equal(count, 0)
    const provider = await providerOf(world, one, second)
    assertFault(
      await provider('POST Users', { userName: 'beyond@example.com' }),
      429,
      undefined,
      new RegExp(`The creator of this SCIM token can add.* at most ${most} people`),
    )
    world.clock.now = undefined
  })

test('the first organization has no bound, and neither has one of an administrator of the installation', async () => {
  const { world, most } = WORLDS['without a mail server']!
  const { ada } = world
  const other = (await ada('POST /v1/orgs', { title: 'Other' })).body.id as string
  for (const organizationId of [world.organizationId, other]) {
    const provider = await providerOf(world, ada, organizationId)
    for (let i = 0; i <= most; i++) {
      const userName = `scim-${i}@${organizationId}.example`
      assert.equal((await provider('POST Users', { userName })).status, 201)
    }
  }
})

test('dots and the other name of Gmail make no other mailbox', async () => {
  const { world } = WORLDS['with a mail server']!
  const one = await world.stranger('Dots')
  const invitedBy = async (emails: string[]) => {
    const { body } = await one(`POST /v1/orgs/${one.organizationId}/invites`, { emails, role: 'read' })
    await runDueJobs(world)
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
