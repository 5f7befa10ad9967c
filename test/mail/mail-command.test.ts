/** `lectern mail test`, and the settings of TLS. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Config, type ConfigError, readConfig } from '../../src/installation/config.ts'
import { mailFaultOf } from '../../src/mail/faults.ts'
import { smtp } from '../../src/mail/smtp.ts'
import { freePort, runHere, temporaryFolder } from '../process.ts'
import { AUTHORITY, startMailServer } from './smtp-server.ts'

const folder = temporaryFolder()
const ca = join(folder.path, 'ca.pem')
writeFileSync(ca, AUTHORITY)
const notCa = join(folder.path, 'other.pem')
writeFileSync(notCa, 'no certificate')
const plain = await startMailServer('plain')
const starttls = await startMailServer('starttls')
const implicit = await startMailServer('implicit')
after(() => {
  for (const server of [plain, starttls, implicit]) server.close()
  folder.remove()
})

const FROM = { LECTERN_MAIL_FROM: 'Lectern <docs@example.com>' }
const send = (env: Record<string, string>, to = 'ada@example.com') =>
  runHere(['mail', 'test', to], { LECTERN_DATA: folder.path, ...FROM, ...env })

test('sends an email with each setting of TLS', async () => {
  const cases: [Record<string, string>, (typeof plain)['commands'], string][] = [
    [{ LECTERN_SMTP_URL: `smtp://127.0.0.1:${plain.port}` }, plain.commands, 'DATA'],
    [
      { LECTERN_SMTP_URL: `smtp://127.0.0.1:${starttls.port}`, LECTERN_SMTP_TLS: 'none' },
      starttls.commands,
      'DATA',
    ],
    [
      {
        LECTERN_SMTP_URL: `smtp://localhost:${starttls.port}`,
        LECTERN_SMTP_TLS: 'starttls',
        LECTERN_SMTP_CA: ca,
      },
      starttls.commands,
      'TLS DATA',
    ],
    [
      { LECTERN_SMTP_URL: `smtp://localhost:${starttls.port}`, LECTERN_SMTP_CA: ca },
      starttls.commands,
      'TLS DATA',
    ],
    [
      { LECTERN_SMTP_URL: `smtps://localhost:${implicit.port}`, LECTERN_SMTP_CA: ca },
      implicit.commands,
      'TLS DATA',
    ],
  ]
  for (const [env, commands, last] of cases) {
    commands.length = 0
    const { code, out, err } = await send(env)
    assert.equal(code, 0, err)
    assert.match(out, /accepted the email to ada@example\.com: 250 taken/)
    assert(commands.includes(last), `${JSON.stringify(env)} ${commands.join(', ')}`)
  }
})

test('explains each step that fails, and what to do', async () => {
  const at = (server: { port: number }, user = '') => ({
    LECTERN_SMTP_URL: `smtp://${user}localhost:${server.port}`,
  })
  const cases: [Record<string, string>, string, RegExp][] = [
    [
      { LECTERN_SMTP_URL: 'smtp://mail.invalid:587' },
      'a@example.com',
      /mail\.invalid cannot be resolved.*\n.*DNS/,
    ],
    [at({ port: await freePort() }), 'a@example.com', /No connection to localhost:\d+.*\n.*firewall/],
    [
      { ...at(plain), LECTERN_SMTP_TLS: 'starttls' },
      'a@example.com',
      /cannot be encrypted.*\n.*LECTERN_SMTP_TLS=none/,
    ],
    [at(starttls), 'a@example.com', /cannot be encrypted.*\n.*LECTERN_SMTP_CA/],
    [at(plain, 'ada:s3cret@'), 'a@example.com', /refused the user and password.*535.*\n.*percent-encoded/],
    [at(plain), 'unknown@example.com', /refused the recipient.*550 no such user/],
    [
      { ...at(plain), LECTERN_MAIL_FROM: 'forbidden@example.com' },
      'a@example.com',
      /refused the sender.*550.*\n.*LECTERN_MAIL_FROM/,
    ],
  ]
  for (const [env, to, words] of cases) {
    const { code, err } = await send(env, to)
    assert.equal(code, 1)
    assert.match(err, words)
    assert.doesNotMatch(err, /s3cret|\n {4}at /)
  }
  assert.match((await send({}, 'no address')).err, /lectern mail test <email>/)
  const none = await runHere(['mail', 'test', 'a@example.com'], { LECTERN_DATA: folder.path })
  assert.match(none.err, /No mail server is configured/)
})

test('only a refusal for good of the recipient or the message is permanent', async () => {
  const config = { url: `smtp://localhost:${plain.port}`, from: 'docs@example.com' }
  const faultFor = async (to: string, one = config) => {
    const error = await smtp(one)({ to, subject: 'x', text: 'x' }).then(
      () => assert.fail(),
      (e: unknown) => e,
    )
    return mailFaultOf(error, one).isPermanent
  }
  assert.equal(await faultFor('unknown@example.com'), true)
  assert.equal(await faultFor('busy@example.com'), false, 'a mailbox can be free later')
  assert.equal(await faultFor('a@example.com', { ...config, from: 'forbidden@example.com' }), false)
  assert.equal(
    await faultFor('a@example.com', { ...config, url: `smtp://a:b@localhost:${plain.port}` }),
    false,
  )
})

test('settings that cannot work are refused at the start, with what to do', () => {
  const faultsOf = (env: Record<string, string>): string => {
    try {
      readConfig({ ...FROM, ...env }) satisfies Config
      return ''
    } catch (error) {
      return (error as ConfigError).faults.join('\n')
    }
  }
  const url = (LECTERN_SMTP_URL: string) => ({ LECTERN_SMTP_URL })
  assert.equal(faultsOf({ ...url('smtp://mail.example.com'), LECTERN_SMTP_TLS: 'starttls' }), '')
  assert.equal(faultsOf({ ...url('smtps://mail.example.com:465'), LECTERN_SMTP_CA: ca }), '')
  const cases: [Record<string, string>, RegExp][] = [
    [{ ...url('smtps://mail.example.com'), LECTERN_SMTP_TLS: 'none' }, /begin the URL with smtp:\/\//],
    [{ ...url('smtps://mail.example.com'), LECTERN_SMTP_TLS: 'starttls' }, /begin the URL with smtp:\/\//],
    [{ ...url('smtp://mail.example.com'), LECTERN_SMTP_TLS: 'implicit' }, /with smtps:\/\//],
    [url('smtp://mail.example.com:465'), /Port 465 expects TLS/],
    [url('smtps://mail.example.com:587'), /Port 587 begins without TLS/],
    [{ ...url('smtp://mail.example.com'), LECTERN_SMTP_TLS: 'yes' }, /one of none, starttls, implicit/],
    [{ ...url('smtp://mail.example.com'), LECTERN_SMTP_TLS: 'none', LECTERN_SMTP_CA: ca }, /remove one/],
    [{ ...url('smtp://mail.example.com'), LECTERN_SMTP_CA: notCa }, /certificates in PEM/],
    [{ ...url('smtp://mail.example.com'), LECTERN_SMTP_CA: `${ca}x` }, /cannot read .* \(ENOENT\)/],
    [{ LECTERN_SMTP_TLS: 'starttls' }, /LECTERN_SMTP_URL and LECTERN_MAIL_FROM together/],
    [url('mail.example.com'), /must be a URL/],
  ]
  for (const [env, words] of cases) assert.match(faultsOf(env), words)
})
