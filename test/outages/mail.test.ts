/** Faults of the mail server: the email waits for another try, and the connection ends. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { isRefusedForGood } from '../../src/mail/refused.ts'
import { mailFaultOf } from '../../src/mail/faults.ts'
import { reachMailServer, smtp } from '../../src/mail/smtp.ts'
import { AUTHORITY, startMailServer } from '../mail/smtp-server.ts'
import { until } from '../waiting.ts'
import { createWorld } from '../world.ts'
import { runJob } from './storage.ts'

type MailFault = (socket: Socket) => void

/** A conversation in which the server answers each line by its first word. */
const talk =
  (answers: Record<string, string | ((socket: Socket) => void)>): MailFault =>
  (socket) => {
    const answer = (word: string) => {
      const found = answers[word] ?? OK[word] ?? '250 ok'
      if (typeof found === 'string') socket.write(`${found}\r\n`)
      else found(socket)
    }
    let inMessage = false
    answer('greeting')
    socket.setEncoding('utf8').on('data', (text: string) => {
      if (inMessage && !text.endsWith('\r\n.\r\n')) return
      answer(inMessage ? 'message' : (text.split(/[ \r]/, 1)[0] ?? ''))
      inMessage = !inMessage && text.startsWith('DATA')
    })
  }
const OK: Record<string, string | ((socket: Socket) => void)> = {
  greeting: '220 test',
  DATA: '354 go on',
  QUIT: (socket) => socket.end('221 bye\r\n'),
}

const drip = (socket: Socket) => {
  const timer = setInterval(() => socket.write('2'), 20)
  socket.once('close', () => clearInterval(timer))
}

/** Each fault, and the state of the job. `waiting` is tried again, `failed` is not. */
const MAIL_FAULTS: Record<string, [MailFault | 'refuse', RegExp]> = {
  refuse: ['refuse', /^waiting/],
  'reset at once': [(socket) => socket.resetAndDestroy(), /^waiting/],
  'reset in the message': [talk({ message: (socket) => socket.resetAndDestroy() }), /^waiting/],
  hang: [() => undefined, /^waiting with an error$/],
  'hang after the message': [talk({ message: () => undefined }), /^waiting with an error$/],
  'slow drip': [drip, /^waiting with an error$/],
  'slow drip after the message': [talk({ message: drip }), /^waiting with an error$/],
  '4yz to the greeting': [talk({ greeting: '421 busy' }), /^waiting/],
  '4yz to the recipient': [talk({ RCPT: '450 later' }), /^waiting/],
  '5yz to the greeting': [talk({ greeting: '554 no' }), /^waiting/],
  '5yz to the recipient': [talk({ RCPT: '550 no such user' }), /^failed/],
  '5yz to the message': [talk({ message: '554 spam' }), /^failed/],
  'another protocol': [talk({ greeting: 'HTTP/1.1 400 Bad Request\r\n\r\n' }), /^waiting/],
}

const open = new Set<Socket>()
let fault: MailFault = talk({})
const server = createServer((socket) => {
  open.add(socket)
  socket.on('error', () => undefined).once('close', () => open.delete(socket))
  fault(socket)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
after(() => {
  for (const socket of open) socket.destroy()
  if (server.listening) server.close()
})

const config = { url: `smtp://127.0.0.1:${port}`, from: 'docs@example.com' }
const limits = { usual: smtp(config), short: smtp(config, 400) }
let send = limits.usual
const world = await createWorld(
  {},
  { mail: { configured: true, send: async (email) => void (await send(email)) } },
)

async function sent(): Promise<string> {
  const email = 'ada@example.com'
  const user = await world.db.read.selectFrom('user').select('id').executeTakeFirstOrThrow()
  await world.db.write((tx) => tx.updateTable('user').set({ email }).where('id', '=', user.id).execute())
  const task = { template: 'invitation', userId: user.id, organizationId: world.organizationId }
  return runJob(world, 'send-email', task)
}

for (const [name, [behaviour, seen]] of Object.entries(MAIL_FAULTS))
  test(`the mail server, ${name}: ${seen.source}`, async () => {
    send = /hang|drip/.test(name) ? limits.short : limits.usual
    if (behaviour === 'refuse') {
      server.close()
      await once(server, 'close')
    } else fault = behaviour
    const [outcome, live] = await Promise.all([sent(), fetch(`${world.url}/livez`)])
    assert.match(outcome, seen)
    assert.equal(live.status, 200, 'others are not held up')
    await until(
      () => open.size === 0,
      () => `${open.size} connections are open`,
    )

    if (!server.listening) {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    }
    fault = talk({})
    send = limits.usual
    assert.equal(await sent(), 'done', 'it works again')
  })

/** The faults that meet a sign-in, and the step at which they end it. */
const SIGN_IN_FAULTS: Record<string, [MailFault, RegExp]> = {
  hang: [() => undefined, /^connect: .* does not respond\.$/],
  'slow drip': [drip, /^connect: .* does not respond\.$/],
  'slow drip after the greeting': [talk({ EHLO: drip }), /^connect: .* does not respond\.$/],
  'slow drip of the sign-in': [
    talk({ EHLO: '250 AUTH PLAIN', AUTH: drip }),
    /^connect: .* does not respond\.$/,
  ],
  'reset at once': [(socket) => socket.resetAndDestroy(), /^response: /],
  '4yz to the greeting': [talk({ greeting: '421 busy' }), /^response: .*421 busy/],
  'another protocol': [talk({ greeting: 'HTTP/1.1 400 Bad Request\r\n\r\n' }), /^response: /],
  '5yz to the sign-in': [talk({ EHLO: '250 AUTH PLAIN', AUTH: '535 no' }), /^sign-in: .*535 no/],
}

for (const [name, [behaviour, seen]] of Object.entries(SIGN_IN_FAULTS))
  test(`the check of the mail server, ${name}: ${seen.source}`, async () => {
    const account = { ...config, url: `smtp://user:password@127.0.0.1:${port}` }
    fault = behaviour
    const error = await reachMailServer(account, /hang|drip/.test(name) ? 400 : 20_000).then(
      () => assert.fail('it was reached'),
      (found: unknown) => found,
    )
    const { step, why } = mailFaultOf(error, account)
    assert.match(`${step}: ${why.message}`, seen)
    await until(
      () => open.size === 0,
      () => `${open.size} connections are open`,
    )

    fault = talk({ EHLO: '250 AUTH PLAIN', AUTH: '235 welcome' })
    await reachMailServer(account)
    await until(
      () => open.size === 0,
      () => `${open.size} connections are open`,
    )
  })

test('the check of the mail server encrypts as the settings say', async (t) => {
  for (const [kind, scheme] of [
    ['starttls', 'smtp'],
    ['implicit', 'smtps'],
  ] as const) {
    const encrypted = await startMailServer(kind)
    t.after(() => encrypted.close())
    const settings = { ...config, url: `${scheme}://127.0.0.1:${encrypted.port}`, tls: kind, ca: AUTHORITY }
    await reachMailServer(settings)
    assert(
      encrypted.commands.some((line) => line.startsWith('TLS EHLO')),
      encrypted.commands.join(', '),
    )
    await assert.rejects(reachMailServer({ ...config, url: settings.url, tls: kind }), /certificate/)
  }
})

test('a refusal is for good only if it is about the recipient or the message', async () => {
  fault = talk({ RCPT: '550 no such user' })
  const email = { to: 'gone@example.com', subject: 'Hello', text: 'Hello' }
  await assert.rejects(limits.usual(email), (error) => isRefusedForGood(error))
  fault = talk({ MAIL: '550 not your address' })
  await assert.rejects(limits.usual(email), (error) => !isRefusedForGood(error))
})
