import { Socket } from 'node:net'
import { rootCertificates } from 'node:tls'
import type { EmailMessage } from './message.ts'

/** `none` never encrypts, `starttls` refuses a server without STARTTLS, and `implicit` is TLS from the first byte. */
export type SmtpTls = 'none' | 'starttls' | 'implicit'

export interface SmtpConfig {
  /** `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte. */
  url: string
  from: string
  /** Absent: STARTTLS if the server offers it. */
  tls?: SmtpTls
  /** Certificates in PEM of authorities that are trusted besides the public ones. */
  ca?: string
}

interface TransportOptions {
  url: string
  ignoreTLS: boolean
  requireTLS: boolean
  tls?: { ca: string[] }
  /** A socket that is not connected yet. */
  socket?: Socket
}

/** The part of nodemailer that is used. The library is loaded with the first email, to keep the start fast. */
interface Library {
  createTransport(options: TransportOptions & typeof WITHIN_MS): {
    sendMail(
      message: EmailMessage & {
        from: string
        disableFileAccess: true
        disableUrlAccess: true
        signal: AbortSignal
      },
    ): Promise<{ response?: string }>
    verify(): Promise<unknown>
    close(): void
  }
}

/** Without these limits, a mail server that accepts a connection and never responds would hold an email for minutes. */
const WITHIN_MS = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
}

/**
 * The limit of a whole email. Those of the library begin anew with each byte, so a server that sends one from time to time
 * would keep the connection after its job has ended (`jobs/workers.ts`).
 */
const SEND_WITHIN_MS = 80_000

/** The limit of connecting and signing in. `lectern doctor` gives up after 15 seconds without a reason. */
const REACH_WITHIN_MS = 12_000

const LIBRARY: string = 'nodemailer'

/** The mail server was too slow. Its `code` is that of the library for a connection that is too slow. */
class MailServerLate extends Error {
  readonly code = 'ETIMEDOUT'

  /** @param goal what the mail server has not done */
  constructor(goal: string, ms: number) {
    super(`The mail server has not ${goal} within ${ms / 1000} seconds`)
    this.name = 'MailServerLate'
  }
}

/**
 * Sends by SMTP. The returned function rejects if the server does not accept the email; `mailFaultOf` explains the error.
 * @param withinMs how long an email may take, after which the connection is closed
 * @returns the last response of the server
 */
export function smtp(
  config: SmtpConfig,
  withinMs = SEND_WITHIN_MS,
): (email: EmailMessage, limitMs?: number) => Promise<string> {
  let transport: Promise<Transport> | undefined

  return async (email, limitMs = withinMs) => {
    transport ??= openTransport(config)
    const opened = await transport
    const access = { disableFileAccess: true, disableUrlAccess: true } as const
    const limit = new AbortController()
    const late = () => limit.abort(new MailServerLate('accepted the email', limitMs))
    const timer = setTimeout(late, limitMs)
    try {
      const message = { ...email, from: config.from, ...access, signal: limit.signal }
      return (await opened.sendMail(message)).response ?? ''
    } catch (error) {
      throw limit.signal.aborted ? limit.signal.reason : error
    } finally {
      clearTimeout(timer)
    }
  }
}

/**
 * Connects to the mail server, signs in and leaves.
 * @throws Error if one of these fails, or if all of it takes longer; the connection is closed then
 */
export async function reachMailServer(config: SmtpConfig, withinMs = REACH_WITHIN_MS): Promise<void> {
  // The library has no way to end this, so it gets a socket that can be closed.
  const socket = new Socket()
  const transport = await openTransport(config, socket)
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new MailServerLate('let Lectern sign in', withinMs)), withinMs)
  try {
    await Promise.race([transport.verify(), late])
  } finally {
    clearTimeout(timer)
    transport.close()
    if (!socket.writableEnded) socket.destroy()
  }
}

type Transport = ReturnType<Library['createTransport']>

async function openTransport({ url, tls, ca }: SmtpConfig, socket?: Socket): Promise<Transport> {
  const { default: library } = (await import(LIBRARY)) as { default: Library }
  return library.createTransport({
    url,
    ignoreTLS: tls === 'none',
    requireTLS: tls === 'starttls',
    ...(ca === undefined ? {} : { tls: { ca: [...rootCertificates, ca] } }),
    ...(socket && { socket }),
    ...WITHIN_MS,
  })
}
