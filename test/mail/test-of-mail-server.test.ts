/** The test of the mail server by an administrator of the installation (`POST /v1/installation/mail/test`). */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openMail } from '../../src/mail/mail.ts'
import type { EmailMessage } from '../../src/mail/message.ts'
import type { SmtpConfig } from '../../src/mail/smtp.ts'
import { freePort } from '../process.ts'
import { createWorld, stopClock } from '../world.ts'
import { startMailServer } from './smtp-server.ts'

const plain = await startMailServer('plain')
after(() => plain.close())

const config: SmtpConfig = { url: `smtp://127.0.0.1:${plain.port}`, from: 'docs@example.com' }
const mailed = (of: SmtpConfig | undefined) =>
  createWorld({ LECTERN_ADMIN_EMAIL: 'ada@example.com' }, { mail: openMail(of, () => ({ warn: () => {} })) })
const TEST = 'POST /v1/installation/mail/test'
const stateOf = async ({ ada }: Awaited<ReturnType<typeof mailed>>) =>
  (await ada('GET /v1/installation')).body

test('the e-mail goes to the named address, or to that of the user who asks, and is audited', async () => {
  const world = await mailed(config)
  const cases: [body: object, to: string][] = [
    [{}, 'ada@example.com'],
    [{ email: 'ops@example.com' }, 'ops@example.com'],
  ]
  for (const [body, to] of cases) {
    plain.commands.length = 0
    const { status, body: tested } = await world.ada(TEST, body)
    assert.equal(status, 200)
    assert.deepEqual(tested, { object: 'mail-test', email: to, outcome: 'accepted' })
    assert(plain.commands.includes(`RCPT TO:<${to}>`), plain.commands.join(', '))
  }
  assert.ok((await stateOf(world)).mail.sentAt)
  const { items } = (await world.ada(`GET /v1/orgs/${world.organizationId}/audit-events`)).body
  assert.equal(items[0].action, 'installation.mail.test')
})

test('a test waits at most 30 seconds, also if metrics are collected', async () => {
  const limits: (number | undefined)[] = []
  const send = async (_email: EmailMessage, withinMs?: number) => void limits.push(withinMs)
  const admin = { LECTERN_ADMIN_EMAIL: 'ada@example.com' }
  for (const env of [admin, { ...admin, LECTERN_METRICS_TOKEN: 'only-for-this-test-0123' }]) {
    const { ada } = await createWorld(env, { mail: { configured: true, send } })
    assert.equal((await ada(TEST, {})).status, 200)
  }
  assert.deepEqual(limits, [30_000, 30_000])
})

test('a failure names what failed and what to do, without the password', async () => {
  const at = (change: Partial<SmtpConfig>): SmtpConfig => ({ ...config, ...change })
  const cases: [of: SmtpConfig, to: string, fault: string, advice: string, isOfServer: boolean][] = [
    [at({ url: 'smtp://mail.invalid:587' }), 'a@example.com', 'mail-host-unknown', 'dns', true],
    [
      at({ url: `smtp://127.0.0.1:${await freePort()}` }),
      'a@example.com',
      'mail-server-unreachable',
      'connect',
      true,
    ],
    [at({ tls: 'starttls' }), 'a@example.com', 'mail-not-encrypted', 'tls', true],
    [
      at({ url: config.url.replace('//', '//ada:s3cret@') }),
      'a@example.com',
      'mail-sign-in-refused',
      'sign-in',
      true,
    ],
    [at({ from: 'forbidden@example.com' }), 'a@example.com', 'mail-sender-refused', 'sender', true],
    [config, 'unknown@example.com', 'mail-recipient-refused', 'recipient', false],
  ]
  for (const [of, email, fault, advice, isOfServer] of cases) {
    const world = await mailed(of)
    const { status, body } = await world.ada(TEST, { email })
    assert.equal(status, 200)
    assert.deepEqual(
      [body.email, body.outcome, body.fault.reason, body.advice.reason],
      [email, 'failed', fault, `mail-advice-${advice}`],
    )
    assert.doesNotMatch(JSON.stringify(body), /s3cret/)
    const { mail, checks } = await stateOf(world)
    assert.equal(mail.error, isOfServer ? body.fault.message : undefined)
    assert.equal(
      checks.some(({ reason }: { reason: string }) => reason === 'check-mail-fails'),
      isOfServer,
    )
  }
})

test('a test that succeeds ends the problem that an earlier one found', async () => {
  const world = await mailed(config)
  await world.db.write((tx) =>
    tx
      .insertInto('instance')
      .values({ name: 'mail-failed', value: '2020-01-01T00:00:00.000Z refused' })
      .execute(),
  )
  const isFailing = async () =>
    (await stateOf(world)).checks.some(({ reason }: { reason: string }) => reason === 'check-mail-fails')
  assert.equal(await isFailing(), true)
  await world.ada(TEST, {})
  assert.equal(await isFailing(), false)
})

test('refuses what cannot be tested, and too many tests', async (t) => {
  const without = await mailed(undefined)
  const refused = await without.ada(TEST, {})
  assert.deepEqual([refused.status, refused.body.error.reason], [409, 'mail-not-configured'])

  const world = await mailed(config)
  await world.db.write((tx) =>
    tx.updateTable('user').set({ email: 'ada@localhost' }).where('id', '=', world.ada.id).execute(),
  )
  const local = await world.ada(TEST, {})
  assert.deepEqual([local.status, local.body.error.reason], [409, 'mail-test-needs-address'])
  assert.equal((await world.ada(TEST, { email: 'no address' })).status, 400)

  const other = await world.stranger('eve')
  assert.equal((await other(TEST, { email: 'a@example.com' })).status, 403)
  assert.equal((await world.nobody(TEST, {})).status, 401)

  stopClock(t, world)
  const statuses: number[] = []
  for (let i = 0; i < 11; i++) statuses.push((await world.ada(TEST, { email: 'a@example.com' })).status)
  assert.deepEqual(statuses, [...Array<number>(10).fill(200), 429])
})
