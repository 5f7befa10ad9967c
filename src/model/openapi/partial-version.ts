/** The content of a specification's newest version with only some of its parts, for readers of a site. */
import { hash } from 'node:crypto'
import { isRecord } from '../../core/data/is-record.ts'
import { lru } from '../../core/data/lru.ts'
import { heapSize } from '../../core/runtime/heap-size.ts'
import { giveTurn } from '../../core/runtime/turns.ts'
import { withoutHiddenIn } from '../../core/document/markdown/hiding-tags.ts'
import { referencesIn } from '../../core/openapi/references.ts'
import { keysOfPointer, partPointer } from '../../core/openapi/spec-parts.ts'
import { chunks } from '../../db/chunks.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { matches } from '../../http/response/answer.ts'
import type { Conditions, Download } from '../../http/route.ts'
import type { Urls } from '../../http/urls.ts'
import { pathOfSpec } from './spec.ts'
import { partsAt } from './stored-parts.ts'
import { contentOfBundle } from './version.ts'

/** The most characters of all parts together. What does not fit is left out. */
const MOST_CHARACTERS = 32 * 1024 * 1024

/** The contents, by the version and the parts. */
const known = lru<string>(64 * 1024 * 1024, 'openapi-partial-contents')

/**
 * The content of the newest version with the operations, webhooks and schemas at pointers and everything to which they
 * refer, without what conditions in texts hide, because nothing evaluates them there.
 */
export async function partialContent(
  { db, urls }: { db: Reader; urls: Urls },
  spec: Row<'openapiSpec'>,
  pointers: readonly string[],
  conditions: Conditions,
): Promise<Download> {
  const key = hash('sha256', JSON.stringify([spec.id, spec.lastVersion, spec.visibility, pointers]), 'hex')
  const etag = `"${key.slice(0, 32)}"`
  const headers = {
    etag,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'private, no-cache',
  }
  if (matches(conditions.ifNoneMatch, etag)) return { status: 304, headers, body: undefined }
  const bundle = known.get(key) ?? JSON.stringify(await partsOf(db, spec.id, pointers))
  known.set(key, bundle, heapSize(bundle))
  const url = urls.api(`${pathOfSpec(spec)}/versions/latest/content`)
  const [start, end] = contentOfBundle(urls, spec, url)
  return { status: 200, headers, body: Buffer.from(start + bundle + end) }
}

type Fields = Record<string, unknown>

/** The specification with the parts at pointers, and those to which their references lead at any depth. */
async function partsOf(db: Reader, specId: string, wanted: readonly string[]): Promise<Fields> {
  const document: Fields = { openapi: '3.1.0', info: {}, paths: {} }
  const seen = new Set(['', ...wanted])
  let room = MOST_CHARACTERS
  // The set grows while it is read: the parts to which others refer come after them.
  for (let fresh = [...seen]; fresh.length > 0;) {
    const next = new Set<string>()
    for (const some of chunks(fresh, 50))
      for (const { pointer, json } of await partsAt(db, specId, some)) {
        room -= json.length
        if (room < 0) return document
        const value = withoutHiddenIn(JSON.parse(json) as unknown)
        if (pointer === '') addInfo(document, value)
        else place(document, keysOfPointer(pointer), value)
        if (isRecord(value)) for (const { holder } of referencesIn(value)) next.add(partPointer(holder.$ref))
        await giveTurn()
      }
    fresh = [...next].filter((pointer) => !seen.has(pointer))
    for (const pointer of fresh) seen.add(pointer)
  }
  return document
}

/** Adds what describes the whole specification. The security schemes are beside the other components. */
function addInfo(document: Fields, value: unknown): void {
  if (!isRecord(value)) return
  const { securitySchemes, ...rest } = value
  Object.assign(document, rest)
  if (securitySchemes !== undefined) place(document, ['components', 'securitySchemes'], securitySchemes)
}

/** Puts a value at a place, with the objects around it. What is inside of it already stays. */
function place(document: Fields, keys: readonly string[], value: unknown): void {
  let at = document
  for (const key of keys.slice(0, -1)) {
    const inner = Object.hasOwn(at, key) ? at[key] : undefined
    const next: Fields = isRecord(inner) ? inner : {}
    if (next !== inner) define(at, key, next)
    at = next
  }
  const last = keys.at(-1) ?? ''
  const before = Object.hasOwn(at, last) ? at[last] : undefined
  define(at, last, isRecord(before) && isRecord(value) ? { ...value, ...before } : value)
}

/** Sets a key that the author of the specification chose, which can be `__proto__`. */
function define(at: Fields, key: string, value: unknown): void {
  Object.defineProperty(at, key, { value, enumerable: true, writable: true, configurable: true })
}
