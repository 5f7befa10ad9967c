/** Why an email was not sent, and what an administrator can do. */
import { because } from '../core/languages/reasons.ts'
import type { Reasoned } from '../core/languages/reasoned.ts'
import type { SmtpConfig } from './smtp.ts'
import { isRefusedForGood } from './refused.ts'

/** The step of SMTP at which sending ended. */
export type MailStep = 'dns' | 'connect' | 'tls' | 'sign-in' | 'sender' | 'recipient' | 'message' | 'response'

export interface MailFault {
  step: MailStep
  /** The server will refuse the recipient or the message again, so another attempt is useless. */
  isPermanent: boolean
  /** One sentence about the fault, which has no password. */
  why: Reasoned
  /** What an administrator can do. */
  advice: Reasoned
}

/** An error of the mail library. */
interface SmtpError extends Error {
  code?: string
  command?: string
  response?: string
  responseCode?: number
}

const ABOUT_TLS = /certificate|\b(?:SSL|TLS|STARTTLS)\b|self.signed|wrong version number|altnames/i
/** Names only the first line, without invisible characters: the server may be anybody's. */
const LONGEST_RESPONSE = 300

const REASONS_OF_STEPS = {
  connect: 'mail-server-unreachable',
  tls: 'mail-not-encrypted',
  'sign-in': 'mail-sign-in-refused',
  sender: 'mail-sender-refused',
  recipient: 'mail-recipient-refused',
  message: 'mail-message-refused',
  response: 'mail-response-unknown',
} as const

/** Explains an error that sending threw. */
export function mailFaultOf(error: unknown, { url }: Pick<SmtpConfig, 'url'>): MailFault {
  const fault = (error instanceof Error ? error : new Error(String(error))) as SmtpError
  const step = stepOf(fault)
  const why = whyOf(step, fault, url)
  return { step, isPermanent: isRefusedForGood(fault), why, advice: because(`mail-advice-${step}`) }
}

function stepOf({ code, command = '', message }: SmtpError): MailStep {
  if (code === 'EDNS' || code === 'ENOTFOUND') return 'dns'
  if (code === 'EAUTH') return 'sign-in'
  if (command === 'RCPT TO') return 'recipient'
  if (command === 'MAIL FROM') return 'sender'
  if (command === 'DATA') return 'message'
  if (code === 'ETLS' || command === 'STARTTLS' || ABOUT_TLS.test(message)) return 'tls'
  if (code === 'ETIMEDOUT' || /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT/.test(message))
    return 'connect'
  return 'response'
}

function whyOf(step: MailStep, { code, message, response: sent }: SmtpError, url: string): Reasoned {
  const { hostname: host, port, protocol } = new URL(url)
  const server = `${host}:${port || (protocol === 'smtps:' ? '465' : '587')}`
  const response = clean(sent ?? message)
  if (step === 'dns') return because('mail-host-unknown', { host, response })
  if (step === 'connect' && code === 'ETIMEDOUT') return because('mail-server-silent', { server })
  return because(REASONS_OF_STEPS[step], { server, response })
}

function clean(text: string): string {
  return text
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_RESPONSE)
}
