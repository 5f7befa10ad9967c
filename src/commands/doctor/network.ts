/** Checks of what Lectern reaches by the network: its own address and the mail server. */
import type { Config } from '../../installation/config.ts'
import { readLocal } from '../../installation/setup.ts'
import { mailFaultOf } from '../../mail/faults.ts'
import { reachMailServer } from '../../mail/smtp.ts'
import type { Findings } from './check.ts'

const ANSWER_WITHIN_MS = 5_000

/** What a server answers at an address: `live` if it is Lectern, or why it is not. */
async function answerOf(url: string): Promise<string> {
  try {
    const response = await fetch(`${url}/livez`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    const text = await response.text()
    return response.ok && text.includes('"live"') ? 'live' : `another server responds with ${response.status}`
  } catch (error) {
    const { cause, message } = error as Error
    return cause instanceof Error
      ? cause.message || (cause as NodeJS.ErrnoException).code || message
      : message
  }
}

/** The server on this machine, and its public address. */
export async function checkAddress(config: Config, { ok, warn, fault }: Findings): Promise<void> {
  const local = readLocal(config.data)?.url
  const answer = local === undefined ? undefined : await answerOf(local)
  const isRunning = answer === 'live'
  if (isRunning) ok(`the server runs at ${local}`)
  else ok('no server runs on this machine')

  if (config.url === undefined)
    return warn(
      'LECTERN_URL is not set, so links in e-mails work on this machine only',
      'Set LECTERN_URL to the address that users open, such as https://docs.example.com',
    )
  const { protocol, hostname } = new URL(config.url)
  if (protocol === 'http:' && !/^(localhost|127\.|\[::1\])/.test(hostname))
    warn(`${config.url} is not encrypted`, 'Use a proxy with TLS; see "Run behind a proxy" in the manual')
  const publicAnswer = await answerOf(config.url)
  if (publicAnswer === 'live') return ok(`${config.url} responds`)
  const message = `${config.url} does not respond from this machine (${publicAnswer})`
  if (!isRunning) return warn(message, 'Start the server, and run "lectern doctor" again')
  return publicAnswer.startsWith('another')
    ? fault(message, 'Check LECTERN_URL, and that the proxy sends requests to this server')
    : warn(
        message,
        'If the address works from outside, nothing is to be done. Otherwise check the name and the proxy',
      )
}

/** Connects to the mail server and signs in, and sends nothing. */
export async function checkMail({ smtp }: Config, { ok, warn, fault }: Findings): Promise<void> {
  if (!smtp)
    return warn(
      'no mail server is configured: nobody gets invitations or links to reset a password by e-mail',
      'Set LECTERN_SMTP_URL and LECTERN_MAIL_FROM',
    )
  try {
    await reachMailServer(smtp)
  } catch (error) {
    const { why, advice } = mailFaultOf(error, smtp)
    return fault(why.message, advice.message)
  }
  return ok(`the mail server ${new URL(smtp.url).host} accepts connections`)
}
