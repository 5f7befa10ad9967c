/** Strangers who try passwords: they neither guess one, nor lock its owner out, nor hold anybody up. */
import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { test } from 'node:test'
import { attemptLimiter, rateLimiter } from '../../src/http/rate.ts'
import { networkOf } from '../../src/http/networks.ts'
import { browserOf } from '../console/pages.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const PASSWORD = 'correct horse battery'

async function owner(name: string) {
  const one = await world.person(name, 'read')
  assert.equal((await one('PUT /v1/account/password', { password: PASSWORD })).status, 204)
  const email = `${name}@example.com`
  const signIn = (ip: string, password = PASSWORD, device?: string) =>
    world.nobody('POST /v1/account/sessions', { email, password, device }, { 'x-forwarded-for': ip })
  return { email, signIn }
}

test('ten wrong passwords from one network do not lock the owner out elsewhere', async () => {
  const { signIn } = await owner('ann')
  for (let i = 1; i <= 10; i++) assert.equal((await signIn(`198.51.100.${i}`, 'wrong')).status, 401)
  const refused = await signIn('198.51.100.200')
  assert.equal(refused.status, 429, 'another address of the same network')
  assert(Number(refused.headers.get('retry-after')) > 0)
  assert.equal((await signIn('203.0.113.7')).status, 201)

  world.clock.now = new Date(Date.now() + 15 * 60_000)
  assert.equal((await signIn('198.51.100.200')).status, 201)
  world.clock.now = undefined
})

test('guesses from many networks stop at 100, and a known device still signs in, from any network', async () => {
  const { email, signIn } = await owner('bea')
  const { device } = (await signIn('203.0.113.7')).body
  // The limiter is called as the route calls it: a hundred real attempts would hash for seconds.
  const guesser = (i: number) => ({ ip: `100.64.${i}.1`, email })
  for (let i = 0; i < 99; i++) world.app.services.attempt(guesser(i), new Date())
  assert.equal((await signIn('192.0.2.1')).status, 429, 'an unknown device')
  for (const ip of ['192.0.2.1', '203.0.113.7', '100.64.1.1'])
    assert.equal((await signIn(ip, PASSWORD, device)).status, 201, ip)
})

test('a device has ten attempts, and one of another address, forged or expired has none of its own', async () => {
  const { devices, attempt } = world.app.services
  const now = new Date()
  const device = devices.issue('a@example.com', now)
  const name = devices.recognize(device, 'a@example.com', now)
  assert(name)
  assert.equal(devices.recognize(device, 'b@example.com', now), undefined)
  assert.equal(
    devices.recognize(device, 'a@example.com', new Date(now.getTime() + 366 * 86_400_000)),
    undefined,
  )
  const [first, , signature] = device.split('.')
  assert.equal(devices.recognize(`${first}.zzzzzzzzz.${signature}`, 'a@example.com', now), undefined)
  for (const text of ['', '.', '..', 'a.b', device.slice(0, -1), `${device}.x`.repeat(3)])
    assert.equal(devices.recognize(text, 'b@example.com', now), undefined)

  for (let i = 0; i < 10; i++) attempt({ ip: '192.0.2.9', device: name }, now)
  assert.throws(() => attempt({ ip: '192.0.2.9', device: name }, now), { status: 429 })
})

test('what one network is refused does not use up the attempts of all networks', () => {
  const attempt = attemptLimiter()
  const now = new Date()
  const email = 'a@example.com'
  for (let i = 0; i < 500; i++) {
    try {
      attempt({ ip: '192.0.2.1', email }, now)
    } catch {
      // Refused, as most of these are.
    }
  }
  attempt({ ip: '203.0.113.1', email }, now)
})

test('a network is the block of one customer, however its addresses are written', () => {
  assert.equal(networkOf('192.0.2.77'), networkOf('::ffff:192.0.2.1'))
  assert.notEqual(networkOf('192.0.2.77'), networkOf('192.0.3.77'))
  assert.equal(networkOf('2001:db8:1:2::1'), networkOf('2001:DB8:1:2:ffff:ffff:ffff:ffff'))
  assert.notEqual(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'))
})

test('a limiter remembers a bounded number of callers', () => {
  const take = rateLimiter(1, 60_000, 3)
  const now = new Date()
  for (const caller of ['a', 'b', 'c', 'd']) take(caller, now)
  assert.equal(take('d', now).over, true)
  assert.equal(take('a', now).over, false, 'forgotten')
})

test('many passwords of strangers hold up no file and no known device, and beyond a bound the server refuses', async () => {
  const { signIn } = await owner('cal')
  const { device } = (await signIn('203.0.113.7')).body
  const ended: string[] = []
  const as = async <T>(name: string, work: Promise<T>) => {
    const value = await work
    ended.push(name)
    return value
  }

  const guesses = Array.from({ length: 150 }, (_, i) => as('guess', signIn(`10.${i}.0.1`, 'wrong')))
  const refused = await Promise.any(
    guesses.map(async (guess) => {
      const answer = await guess
      assert.equal(answer.status, 503)
      return answer
    }),
  )
  assert(Number(refused.headers.get('retry-after')) > 0)
  assert.match(
    refused.body.error.message,
    /^The server has too many passwords to check; retry in \d+ seconds$/,
  )

  const browser = browserOf(world, { 'x-forwarded-for': '10.200.0.1', 'accept-language': 'zh' })
  const page = await browser.send('/sign-in', { email: 'stranger@example.com', password: 'wrong' })
  assert.equal(page.status, 503)
  assert(Number(page.headers.get('retry-after')) > 0)
  assert.match(page.text, /<h1>[^]*服务器需要检查的密码过多/)

  await as('file', stat(import.meta.filename))
  assert.equal((await as('device', signIn('10.201.0.1', PASSWORD, device))).status, 201)
  const answers = await Promise.all(guesses)
  const guessed = answers.filter(({ status }) => status === 401).length
  // Some are hashed while others arrive.
  assert(guessed >= 96 && guessed < 140, `${guessed} were hashed`)
  assert(answers.every(({ status }) => status === 401 || status === 503))
  const behind = (name: string) => ended.length - ended.indexOf(name) - 1
  assert(behind('file') > guessed / 2, `the file came after ${guessed - behind('file')} passwords`)
  assert(behind('device') > guessed / 2, `the device came after ${guessed - behind('device')} passwords`)
})

test('one network has few passwords in the queue, so that the others have room', async () => {
  const strangers = (i: number) =>
    world.nobody(
      'POST /v1/account/sessions',
      { email: `none${i}@example.com`, password: 'wrong' },
      { 'x-forwarded-for': '10.202.0.1' },
    )
  const { signIn } = await owner('dan')
  const guesses = Array.from({ length: 40 }, (_, i) => strangers(i))
  const owned = signIn('203.0.113.8')
  const answers = await Promise.all(guesses)
  const hashed = answers.filter(({ status }) => status === 401).length
  assert(hashed >= 16 && hashed < 36, `${hashed} were hashed`)
  assert(answers.every(({ status }) => status === 401 || status === 503))
  assert.equal((await owned).status, 201)
})
