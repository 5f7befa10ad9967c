import { isRecord } from '../../../core/data/is-record.ts'

const PREFIX = 'visitor.'
const MOST_CLAIMS = 20
const DEEPEST = 4
/** The longest cookie of unsigned claims, in characters. */
const LONGEST = 2000
const WORDS: Record<string, unknown> = { true: true, false: false, null: null, undefined: undefined }

/**
 * The claims in the query of a request, such as `?visitor.plan=pro&visitor.flags.beta=true`, added to those that the
 * reader's cookie holds.
 * @returns undefined if the query has none
 */
export function withClaimsOf(
  query: URLSearchParams,
  known: Record<string, unknown>,
): Record<string, unknown> | undefined {
  const given = [...query].filter(([name]) => name.startsWith(PREFIX)).slice(0, MOST_CLAIMS)
  if (given.length === 0) return undefined
  const claims = structuredClone(known)
  for (const [name, text] of given) {
    const path = name.slice(PREFIX.length).split('.')
    if (path.length <= DEEPEST && path.every((part) => part !== '' && part !== '__proto__'))
      setAt(claims, path, claimValue(text))
  }
  return claims
}

function setAt(claims: Record<string, unknown>, path: string[], value: unknown): void {
  const [name = '', ...rest] = path
  if (rest.length === 0) {
    claims[name] = value
    return
  }
  const inside = Object.hasOwn(claims, name) ? claims[name] : undefined
  const object = isRecord(inside) ? inside : {}
  claims[name] = object
  setAt(object, rest, value)
}

/** A value as a reader writes it in an address: a word, a number or JSON; anything else is a text. */
function claimValue(text: string): unknown {
  if (Object.hasOwn(WORDS, text)) return WORDS[text]
  if (/^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text)
  return /^[[{"]/.test(text) ? (parsed(text) ?? text) : text
}

/** The claims that a cookie holds; none if it does not hold any. */
export function readClaimsCookie(cookie: string | undefined): Record<string, unknown> {
  if (cookie === undefined || cookie.length > LONGEST) return {}
  const value = parsed(Buffer.from(cookie, 'base64url').toString())
  return isRecord(value) ? value : {}
}

/** Claims as the value of a cookie; undefined if they are too long for one. */
export function claimsCookie(claims: Record<string, unknown>): string | undefined {
  const text = Buffer.from(JSON.stringify(claims)).toString('base64url')
  return text.length > LONGEST ? undefined : text
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
