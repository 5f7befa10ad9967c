/** Makes recorded responses short, the same in every run, and free of what belongs to one installation. */

/** Whether a value is one that an operation can return. */
export type IsValid = (value: unknown) => boolean

const LONGEST_TEXT = 160
/** The longest example, in characters of JSON, if it stays valid without more of its optional parts. */
const LONGEST_EXAMPLE = 700

/** The shortest part of a response that is still valid: one item of each list, and texts cut at the end of a word. */
export function shortened(value: unknown, isValid: IsValid): unknown {
  let example = value
  for (const change of [firstItems, cutTexts]) {
    const shorter = change(example)
    if (isValid(shorter)) example = shorter
  }
  while (JSON.stringify(example).length > LONGEST_EXAMPLE) {
    const shorter = withoutOne(example, isValid)
    if (shorter === undefined) break
    example = shorter
  }
  return example
}

function firstItems(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(firstItems)
  return mapped(value, firstItems)
}

function cutTexts(value: unknown): unknown {
  if (typeof value !== 'string') return Array.isArray(value) ? value.map(cutTexts) : mapped(value, cutTexts)
  if (value.length <= LONGEST_TEXT || !value.includes(' ')) return value
  return `${value.slice(0, LONGEST_TEXT).replace(/\s+\S*$/, '')} …`
}

function mapped(value: unknown, change: (inner: unknown) => unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]))
}

/** The value without its largest part that it can lack; undefined if it needs all parts. */
function withoutOne(value: unknown, isValid: IsValid): unknown {
  const parts = [...partsOf(value, [])].toSorted((a, b) => b.size - a.size)
  for (const { path } of parts) {
    const copy = structuredClone(value)
    const parent = path.slice(0, -1).reduce((at, key) => (at as Record<string, unknown>)[key], copy)
    if (Array.isArray(parent)) parent.splice(Number(path.at(-1)), 1)
    else delete (parent as Record<string, unknown>)[path.at(-1) ?? '']
    if (isValid(copy)) return copy
  }
  return undefined
}

function* partsOf(value: unknown, path: string[]): Generator<{ path: string[]; size: number }> {
  if (value === null || typeof value !== 'object') return
  for (const [key, inner] of Object.entries(value)) {
    const at = [...path, key]
    // An item of a list is what the example shows, and a page of results is its items.
    if (!Array.isArray(value) && key !== 'items') yield { path: at, size: JSON.stringify(inner).length }
    yield* partsOf(inner, at)
  }
}

const ADDRESS = /https?:\/\/(?:127\.0\.0\.1|(?:[\w-]+\.)*localhost)(?::\d+)?/g
const ID = /(?<![0-9a-z])[0-9][0-9a-z]{19,25}(?![0-9a-z])/g
const HASH = /(?<![0-9a-zA-Z])[0-9a-f]{32,128}(?![0-9a-zA-Z])/g
const SECRET =
  /(?<=lec_(?:scim_)?)[0-9a-z]{30,}|(?<=signature=)[\w%.-]+|(?<=preview=)[\w%.-]+|(?<=secret=)\w+|(?<=lectern-verification=)\w+/g
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g
const EMAIL = /(?<![\w.])\w{16,}@/g
const CURSOR = /^Wy[\w-]{10,}$/
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
const PEM = /-----BEGIN [A-Z ]+-----[^-]*-----END [A-Z ]+-----\n?/g
/** Fields whose whole value is a secret of the installation. */
const SECRET_FIELD = /^(?:privateKey|secret|token|apiToken|code|codes|key|device|challenge)$/

/** Replaces ids, hashes, secrets, times and addresses: the first id of a recording is the same in every recording. */
export function anonymizer(): (value: unknown) => unknown {
  const known = new Map<string, string>()
  const numbered = (found: string, make: (n: number) => string) => {
    const name = known.get(found) ?? make(known.size + 1)
    known.set(found, name)
    return name
  }
  const inText = (text: string) =>
    text
      .replace(PEM, '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n')
      .replace(ADDRESS, 'https://docs.example.com')
      .replace(SECRET, 'example')
      .replace(UUID, '00000000-0000-4000-8000-000000000000')
      .replace(EMAIL, 'someone@')
      .replace(CURSOR, 'WyJleGFtcGxlIl0')
      .replace(/^(?:127\.0\.0\.1|::1)$/, '192.0.2.1')
      .replace(/^localhost$/, 'docs.example.com')
      .replace(INSTANT, '2026-01-15T09:30:00.000Z')
      .replace(HASH, (found) => numbered(found, (n) => n.toString(16).padStart(found.length, '0')))
      .replace(ID, (found) => numbered(found, (n) => `0m${n.toString(36).padStart(found.length - 2, '0')}`))
  return function anonymous(value: unknown): unknown {
    if (typeof value === 'string') return inText(value)
    if (Array.isArray(value)) return value.map(anonymous)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        inText(key),
        SECRET_FIELD.test(key) && typeof inner === 'string' && inner.length > 12
          ? 'example'
          : anonymous(inner),
      ]),
    )
  }
}
