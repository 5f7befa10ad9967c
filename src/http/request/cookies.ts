import type { IncomingMessage } from 'node:http'

/** Reads one cookie of a request (RFC 6265, section 5.4). */
export function cookieOf({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string | undefined {
  const header = headers.cookie
  if (header === undefined || !header.includes(name)) return undefined
  for (const one of header.split(';')) {
    const pair = trimmed(one)
    if (pair.startsWith(`${name}=`)) return pair.slice(name.length + 1)
  }
  return undefined
}

/**
 * A pair without the spaces and tabs around it. `trim()` also removes a no-break space and other white space of Unicode,
 * which a browser keeps in the name of a cookie: a page of another host could then set one that counts as `__Host-`.
 */
function trimmed(pair: string): string {
  let [start, end] = [0, pair.length]
  while (start < end && isBlank(pair, start)) start += 1
  while (end > start && isBlank(pair, end - 1)) end -= 1
  return pair.slice(start, end)
}

const isBlank = (text: string, at: number) => text[at] === ' ' || text[at] === '\t'
