import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { SmtpConfig, SmtpTls } from '../mail/smtp.ts'

const TLS_CHOICES = ['none', 'starttls', 'implicit'] as const
/** The port on which servers expect TLS from the first byte (RFC 8314), and those that begin without it. */
const IMPLICIT_PORT = '465'
const PLAIN_PORTS = ['25', '587']

/** Reads the settings of the mail server. Each fault is added to `faults`, with what to do. */
export function readSmtp(
  text: (name: string) => string | undefined,
  faults: string[],
): SmtpConfig | undefined {
  const url = text('LECTERN_SMTP_URL')
  const from = text('LECTERN_MAIL_FROM')
  const choice = text('LECTERN_SMTP_TLS')
  const file = text('LECTERN_SMTP_CA')
  if (!url && !from && !choice && !file) return undefined
  if (!url || !from) {
    faults.push('For email, set LECTERN_SMTP_URL and LECTERN_MAIL_FROM together')
    return undefined
  }
  if (!/[^\s@]+@[^\s@]+/.test(from)) faults.push('LECTERN_MAIL_FROM must contain an email address')
  const parsed = URL.parse(url)
  if (!parsed || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === '') {
    faults.push('LECTERN_SMTP_URL must be a URL such as smtp://user:password@mail.example.com:587')
    return undefined
  }
  const tls = tlsOf(parsed, choice, faults)
  const ca = file === undefined ? undefined : readAuthorities(file, faults)
  if (file !== undefined && tls === 'none')
    faults.push('LECTERN_SMTP_CA is for TLS, but LECTERN_SMTP_TLS is "none"; remove one of them')
  return { url, from, ...(tls && { tls }), ...(ca && { ca }) }
}

/** How the connection is encrypted; undefined if it is as soon as the server offers it. */
function tlsOf({ protocol, port }: URL, choice: string | undefined, faults: string[]): SmtpTls | undefined {
  if (choice !== undefined && !TLS_CHOICES.some((one) => one === choice)) {
    faults.push(`LECTERN_SMTP_TLS must be one of ${TLS_CHOICES.join(', ')}`)
    return undefined
  }
  const isImplicit = protocol === 'smtps:'
  if (isImplicit && choice !== undefined && choice !== 'implicit')
    faults.push(
      `LECTERN_SMTP_URL begins with smtps://, which is TLS from the first byte, but LECTERN_SMTP_TLS is "${choice}"; begin the URL with smtp://, or remove LECTERN_SMTP_TLS`,
    )
  if (!isImplicit && choice === 'implicit')
    faults.push('LECTERN_SMTP_TLS is "implicit", so begin LECTERN_SMTP_URL with smtps://')
  if (!isImplicit && port === IMPLICIT_PORT)
    faults.push('Port 465 expects TLS from the first byte; begin LECTERN_SMTP_URL with smtps://')
  if (isImplicit && PLAIN_PORTS.includes(port))
    faults.push(
      `Port ${port} begins without TLS; begin LECTERN_SMTP_URL with smtp:// and set LECTERN_SMTP_TLS to starttls, or name port 465`,
    )
  return isImplicit ? 'implicit' : (choice as SmtpTls | undefined)
}

function readAuthorities(file: string, faults: string[]): string | undefined {
  try {
    const pem = readFileSync(file, 'utf8')
    void new X509Certificate(pem)
    return pem
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    faults.push(
      code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR'
        ? `LECTERN_SMTP_CA: cannot read ${file} (${code})`
        : `LECTERN_SMTP_CA: ${file} must contain certificates in PEM`,
    )
    return undefined
  }
}
