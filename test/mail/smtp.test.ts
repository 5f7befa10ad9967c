import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { isRefusedForGood } from '../../src/mail/refused.ts'
import { smtp } from '../../src/mail/smtp.ts'
import { openMail } from '../../src/mail/mail.ts'

const skip = isInstalled('nodemailer') ? false : 'the mail library is not installed'
const received: string[] = []
const server = createServer((socket) => {
  let inLetter = false
  socket.setEncoding('utf8')
  socket.write('220 test\r\n')
  socket.on('data', (chunk: string) => {
    received.push(chunk)
    if (inLetter) {
      if (!chunk.endsWith('\r\n.\r\n')) return
      inLetter = false
      socket.write('250 taken\r\n')
      return
    }
    for (const line of chunk.split('\r\n').filter(Boolean)) {
      if (line === 'DATA') inLetter = true
      const answers: Record<string, string> = { DATA: '354 go on', QUIT: '221 bye' }
      const refused = line.startsWith('RCPT TO:<refused@')
      socket.write(`${refused ? '550 no such user' : (answers[line] ?? '250 ok')}\r\n`)
    }
  })
})
const port = await new Promise<number>((resolve) => {
  server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
})
after(() => server.close())
const send = smtp({ url: `smtp://127.0.0.1:${port}`, from: 'Lectern <docs@example.com>' })

test('sends an e-mail through the mail server', { skip }, async () => {
  await send({
    to: 'ada@example.com',
    subject: 'Grüße',
    text: 'Hello\n.\nlink: https://example.com/#secret\n',
  })
  const all = received.join('')
  assert.match(all, /MAIL FROM:<docs@example\.com>/)
  assert.match(all, /RCPT TO:<ada@example\.com>/)
  assert.match(all, /^Hello/m)
  assert.match(all, /#secret/)
})

test(
  'a recipient that the mail server refuses is refused for good; other failures are not',
  { skip },
  async () => {
    await assert.rejects(send({ to: 'refused@example.com', subject: 'x', text: 'x' }), isRefusedForGood)
    const unreachable = smtp({ url: 'smtp://127.0.0.1:9', from: 'docs@example.com' })
    await assert.rejects(
      unreachable({ to: 'ada@example.com', subject: 'x', text: 'x' }),
      (error) => !isRefusedForGood(error),
    )
  },
)

test('a line break in user input adds no header', { skip }, async () => {
  received.length = 0
  await send({ to: 'ada@example.com', subject: 'x\r\nBcc: eve@example.com', text: 'x' })
  const all = received.join('')
  assert(!all.includes('RCPT TO:<eve@'))
  assert(!/^Bcc:/m.test(all))
})

test('without a mail server the log names the unsent e-mail, without its text', async () => {
  const log: string[] = []
  const mail = openMail(undefined, () => ({
    warn: (fact, message) => void log.push(`${message} ${JSON.stringify(fact)}`),
  }))
  assert.equal(mail.configured, false)
  await mail.send({ to: 'ada@example.com', subject: 'Invitation', text: 'https://example.com/#secret' })
  assert.equal(log.length, 1)
  assert.match(log[0] ?? '', /not sent.*ada@example\.com.*Invitation/)
  assert(!log[0]?.includes('secret'))
})

function isInstalled(name: string): boolean {
  try {
    return import.meta.resolve(name) !== ''
  } catch {
    return false
  }
}
