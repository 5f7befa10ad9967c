import type { IncomingMessage } from 'node:http'

/** Reads one cookie of a request (RFC 6265, section 5.4). */
export function cookieOf({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string | undefined {
  const header = headers.cookie
  if (header === undefined || !header.includes(name)) return undefined
  const pair = header.split(';').find((one) => one.trim().startsWith(`${name}=`))
  return pair?.trim().slice(name.length + 1)
}
