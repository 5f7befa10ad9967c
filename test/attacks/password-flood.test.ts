/** Strangers who send many passwords, whose hashes are slow on purpose: they hold nobody up and keep nobody out. */
import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'node:test'
import { inPasswordTurn, passwordQueue } from '../../src/access/credentials/passwords.ts'
import { insertAccountToken } from '../../src/model/people/account.ts'
import { checkPassword } from '../../src/model/people/sign-in.ts'
import { browserOf } from '../console/pages.ts'
import { runDueJobs } from '../due-jobs.ts'
import { mailbox, secretIn } from '../mailbox.ts'
import { until } from '../waiting.ts'
import { type Answer, createWorld, stopClock } from '../world.ts'

const post = mailbox()
const world = await createWorld({}, { mail: post })
const PASSWORD = 'correct horse battery'

async function owner(name: string) {
  const person = await world.person(name, 'read')
  assert.equal((await person('PUT /v1/account/password', { password: PASSWORD })).status, 204)
  const email = `${name}@example.com`
  const signIn = (ip: string, password = PASSWORD, device?: string) =>
    world.nobody('POST /v1/account/sessions', { email, password, device }, { 'x-forwarded-for': ip })
  return { person, email, signIn }
}

const wrongPassword = (ip: string, signal?: AbortSignal, tried = 0) =>
  inPasswordTurn({ ip, tried }, ({ matches }) => matches(undefined, 'a wrong password'), signal)

const ofManyNetworks = (i: number) => `10.${i}.0.1`
/** Six customers of providers, each with a /48 of IPv6, who send from another /64 each time. */
const ofSixCustomers = (i: number) => `2001:db8:${(i % 6) + 1}:${i.toString(16)}::1`

/** Sends passwords of strangers all the time, until it is stopped. */
function flood(count: number, addressOf: (i: number) => string, tried = 0) {
  const ended: string[] = []
  const stopped = new AbortController()
  const leaving = new AbortController()
  const guess = async (i: number): Promise<void> => {
    do {
      try {
        await wrongPassword(addressOf(i), leaving.signal, tried)
        ended.push('guess')
      } catch (error) {
        if (!leaving.signal.aborted) assert.equal((error as { status?: number }).status, 503)
        await nextTurn()
      }
    } while (!stopped.signal.aborted)
  }
  const guesses = Array.from({ length: count }, (_, i) => guess(i))
  return {
    /** What has ended since the passwords are not sent again. */
    ended,
    stop() {
      stopped.abort()
      ended.length = 0
    },
    drained: () => Promise.all(guesses),
    /** Takes back the passwords that wait. */
    async end() {
      stopped.abort()
      leaving.abort()
      await Promise.all(guesses)
    },
  }
}

/** Sends a request while too many passwords wait. One of them may be hashed meanwhile, so it is sent again. */
async function refusedWhileFlooded(send: (i: number) => Promise<Answer>): Promise<Answer> {
  for (let i = 0; i < 50; i += 1) {
    const answer = await send(i)
    if (answer.status === 503) return answer
  }
  throw new Error('no request was refused')
}

test('many passwords of strangers hold up no file and no known device, and beyond a bound the server refuses', async () => {
  const { signIn } = await owner('cal')
  const { device } = (await signIn('203.0.113.7')).body
  const { ended, stop, drained } = flood(120, ofManyNetworks)
  const answer = await refusedWhileFlooded((i) => signIn(`10.${i}.1.1`, 'wrong'))
  assert(Number(answer.headers.get('retry-after')) > 0)
  assert.match(
    answer.body.error.message,
    /^The server has too many passwords to check; retry in \d+ seconds, or sign in with a passkey, or set a password with a link by e-mail$/,
  )

  const page = await refusedWhileFlooded((i) => {
    const browser = browserOf(world, { 'x-forwarded-for': `10.${i}.2.1`, 'accept-language': 'zh' })
    return browser.send('/sign-in', { email: 'stranger@example.com', password: 'wrong' })
  })
  assert(Number(page.headers.get('retry-after')) > 0)
  assert.match(
    page.text,
    /<h1>[^]*服务器需要检查的密码过多[^]*通行密钥[^]*href="\/sign-in\/forgotten\?email=stranger%40example\.com"/,
  )

  stop()
  await stat(import.meta.filename)
  ended.push('file')
  assert.equal((await signIn('10.201.0.1', PASSWORD, device)).status, 201)
  ended.push('device')
  await drained()
  const behind = (name: string) => ended.length - ended.indexOf(name) - 1
  assert(behind('file') > ended.length / 2, `the file came after ${ended.indexOf('file')} passwords`)
  assert(behind('device') > 10, `the device came after ${ended.indexOf('device')} passwords`)
})

test('one network has few passwords in the queue, so that the others have room', async () => {
  const { signIn } = await owner('dan')
  const ofNetwork = Array.from({ length: 40 }, () => wrongPassword('2001:db8:7::1'))
  const owned = signIn('203.0.113.8')
  const outcomes = await Promise.allSettled(ofNetwork)
  // One of them is hashed, or several where there are many threads.
  const hashed = outcomes.filter(({ status }) => status === 'fulfilled').length
  assert(hashed > 16 && hashed <= 20, `${hashed} passwords of one network`)
  assert.equal((await owned).status, 201)
})

test('six networks that send without end do not keep another one out', async (t) => {
  stopClock(t, world)
  const { signIn } = await owner('eli')
  const { end } = flood(120, ofSixCustomers)
  t.after(end)
  await until(() => passwordQueue().strangers > 96, 'the queue is full')
  for (let i = 0; i < 3; i++) assert.equal((await signIn(`203.0.11${i}.8`)).status, 201)
})

test('a large network does not keep out a customer in it, who has a smaller network', async () => {
  const own = Array.from({ length: 40 }, () => wrongPassword('2001:db8:11:1::1').catch(() => 'refused'))
  assert.equal(await wrongPassword('2001:db8:11:2::1'), false)
  assert((await Promise.all(own)).includes('refused'))
})

test('a client with a link, a device or a session does not wait for the passwords of strangers', async (t) => {
  stopClock(t, world)
  const { person, email, signIn } = await owner('fay')
  const { device } = (await signIn('203.0.113.7')).body
  const now = world.clock.now!
  const linkFor = (purpose: 'password-reset' | 'invitation') => {
    const link = { userId: person.id, purpose, organizationId: null, mailed: true, now } as const
    return world.db.write((tx) => insertAccountToken(tx, link))
  }
  const { ended, end } = flood(120, ofManyNetworks)
  t.after(end)
  await until(() => passwordQueue().strangers > 96, 'the queue is full')
  const address = { 'x-forwarded-for': '203.0.113.9' }
  const browser = browserOf(world, address)
  const password = 'another good password'
  const ways: Record<string, () => Promise<number>> = {
    'a device': async () => (await signIn('203.0.113.7', PASSWORD, device)).status,
    'a session': async () =>
      (await person('PUT /v1/account/password', { current: PASSWORD, password: PASSWORD })).status,
    'a link to reset a password': async () => {
      const token = await linkFor('password-reset')
      return (await world.nobody('POST /v1/account/password', { token, password }, address)).status
    },
    'an invitation': async () => {
      const token = await linkFor('invitation')
      return (await world.nobody('POST /v1/account/invitations', { token, password }, address)).status
    },
    'a link in a browser, in which they then sign in': async () => {
      const token = await linkFor('password-reset')
      const set = await browser.send('/app/password', { token, password })
      assert.equal(set.headers.get('location'), '/sign-in?note=password')
      return (await browser.send('/sign-in', { email, password })).status
    },
  }
  for (const [way, send] of Object.entries(ways)) {
    const before = ended.length
    const status = await send()
    assert([201, 204, 303].includes(status), `${way}: ${status}`)
    // All of them together wait for fewer hashes than wait in the queue of strangers.
    assert(ended.length - before < 60, `${way} waits for ${ended.length - before} passwords of strangers`)
  }
})

test('networks that have sent passwords do not keep out one that has sent fewer, however many they are', async (t) => {
  stopClock(t, world)
  const { signIn } = await owner('gil')
  for (let i = 0; i < 5; i++) assert.equal((await signIn('203.0.120.1', 'wrong')).status, 401)
  for (const tried of [5, 1]) {
    const { end } = flood(120, ofManyNetworks, tried)
    t.after(end)
    await until(() => passwordQueue().strangers > 96, 'the queue is full')
    assert.equal((await signIn(`203.0.12${tried}.1`)).status, 201)
    if (tried === 5) await refusedWhileFlooded(() => signIn('203.0.120.1', 'wrong'))
    await end()
  }
})

test('a user whose network is familiar signs in with a new device, whatever others send', async (t) => {
  stopClock(t, world)
  const { signIn } = await owner('hal')
  assert.equal((await signIn('203.0.130.1')).status, 201)
  const { end } = flood(120, ofManyNetworks)
  t.after(end)
  await until(() => passwordQueue().strangers > 96, 'the queue is full')
  for (let i = 0; i < 5; i++) assert.equal((await signIn(`203.0.130.${i}`)).status, 201)
  await refusedWhileFlooded((i) => signIn(`203.0.131.${i}`))
})

test('an attempt that is refused because too many passwords wait does not count', async (t) => {
  stopClock(t, world)
  const { services } = world.app
  const ip = '198.51.7.1'
  const now = world.clock.now!
  // As the route calls it, so that all of them come at the same moment.
  const burst = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      checkPassword(
        { ...services, db: world.db.read },
        { email: `guess-${i}@example.com`, password: 'wrong', device: undefined, ip, now },
      ).then(
        () => 201,
        ({ status }: { status: number }) => status,
      ),
    ),
  )
  const having = (status: number) => burst.filter((one) => one === status).length
  assert.equal(having(401) + having(503), 60)
  assert(having(503) > 0)

  let left = 0
  const count = () => services.attempt({ ip, email: `left-${left}@example.com` }, now)
  while (
    await count().then(
      () => true,
      () => false,
    )
  )
    left++
  assert.equal(having(401) + left, 100)
})

test('an owner on a new device, whom a flood from always new networks keeps out, signs in as the page says', async (t) => {
  stopClock(t, world)
  const { email } = await owner('ivy')
  const { end } = flood(160, ofManyNetworks)
  t.after(end)
  await until(() => passwordQueue().strangers >= 96, 'the queue is full')
  let ip = ''
  const page = await refusedWhileFlooded((i) => {
    ip = `198.18.${i}.1`
    return browserOf(world, { 'x-forwarded-for': ip }).send('/sign-in', { email, password: PASSWORD })
  })
  assert.match(page.text, /passkey[^]*href="\/sign-in\/forgotten\?email=ivy%40example\.com">request a link/)
  const refused = await refusedWhileFlooded((i) =>
    world.nobody(
      'POST /v1/account/sessions',
      { email, password: PASSWORD },
      { 'x-forwarded-for': `198.18.${100 + i}.1` },
    ),
  )
  assert.match(refused.body.error.message, /sign in with a passkey, or set a password with a link by e-mail$/)

  const browser = browserOf(world, { 'x-forwarded-for': ip })
  assert.equal((await browser.send('/sign-in/forgotten', { email })).status, 200)
  await runDueJobs(world)
  const letter = post.letters.find(({ to }) => to === email)
  const password = 'another good password'
  const set = await browser.send('/app/password', { token: secretIn(letter?.text ?? ''), password })
  assert.equal(set.headers.get('location'), '/sign-in?note=password', set.text)
  assert.equal((await browser.send('/sign-in', { email, password })).status, 303)
  assert(passwordQueue().strangers >= 96, 'the flood goes on')
})
