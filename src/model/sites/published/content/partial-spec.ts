/** The content of a specification's newest version with only some of its parts, for readers of a site. */
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { isRecord } from '../../../../core/data/is-record.ts'
import { lru } from '../../../../core/data/lru.ts'
import { sharing } from '../../../../core/data/sharing.ts'
import { giveTurn } from '../../../../core/runtime/turns.ts'
import { withoutHiddenIn } from '../../../../core/document/markdown/hiding-tags.ts'
import { jsonInSteps } from '../../../../core/runtime/json-steps.ts'
import { referencesIn } from '../../../../core/openapi/references.ts'
import { keysOfPointer, partPointer } from '../../../../core/openapi/spec-parts.ts'
import { chunks } from '../../../../db/chunks.ts'
import type { Reader, Row } from '../../../../db/schema.ts'
import { matches } from '../../../../http/response/answer.ts'
import type { Conditions, Download } from '../../../../http/route.ts'
import type { Urls } from '../../../../http/urls.ts'
import { pathOfSpec } from '../../../openapi/spec.ts'
import { partsAt } from '../../../openapi/stored-parts.ts'
import { contentOfBundle } from '../../../openapi/version.ts'
import type { OpenSite } from '../open-site.ts'
import { unlinkHidden } from './described-urls.ts'

/** The most characters of all parts together. What does not fit is left out. */
const MOST_CHARACTERS = 32 * 1024 * 1024

/** The contents as bytes of UTF-8, by the version, the parts and the view of the site. */
const known = lru<readonly Buffer[]>(64 * 1024 * 1024, 'openapi-partial-contents')
const making = sharing<readonly Buffer[]>()

/**
 * The content of the newest version with the operations, webhooks and schemas at pointers and everything to which they
 * refer, without what conditions in texts hide, because nothing evaluates them there, and without links to what the site
 * hides from its reader.
 */
export async function partialContent(
  { db, urls, open }: { db: Reader; urls: Urls; open: OpenSite },
  spec: Row<'openapiSpec'>,
  pointers: readonly string[],
  conditions: Conditions,
): Promise<Download> {
  const of = [spec.id, spec.lastVersion, spec.visibility, open.view, pointers]
  const key = hash('sha256', JSON.stringify(of), 'hex')
  const etag = `"${key.slice(0, 32)}"`
  const headers = {
    etag,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'private, no-cache',
  }
  if (matches(conditions.ifNoneMatch, etag)) return { status: 304, headers, body: undefined }
  const bundle =
    known.get(key) ??
    (await making(key, async () => {
      const made: Buffer[] = []
      for await (const bytes of jsonInSteps(await partsOf({ db, urls, open }, spec.id, pointers)))
        made.push(bytes)
      const size = made.reduce((sum, { length }) => sum + length, 0)
      known.set(key, made, size)
      return made
    }))
  const url = urls.api(`${pathOfSpec(spec)}/versions/latest/content`)
  const [start, end] = contentOfBundle(urls, spec, url)
  const body = Readable.from([Buffer.from(start), ...bundle, Buffer.from(end)], { objectMode: false })
  return { status: 200, headers, body }
}

type Fields = Record<string, unknown>

/** The specification with the parts at pointers, and those to which their references lead at any depth. */
async function partsOf(
  services: { db: Reader; urls: Urls; open: OpenSite },
  specId: string,
  wanted: readonly string[],
): Promise<Fields> {
  const parts = await readParts(services.db, specId, wanted)
  await unlinkHidden(
    services,
    services.open,
    parts.map(({ value }) => value).filter((value) => isRecord(value)),
  )
  const document: Fields = { openapi: '3.1.0', info: {}, paths: {} }
  for (const { pointer, value } of parts) {
    if (pointer === '') addInfo(document, value)
    else place(document, keysOfPointer(pointer), value)
  }
  return document
}

async function readParts(
  db: Reader,
  specId: string,
  wanted: readonly string[],
): Promise<{ pointer: string; value: unknown }[]> {
  const parts: { pointer: string; value: unknown }[] = []
  const seen = new Set(['', ...wanted])
  let room = MOST_CHARACTERS
  // The set grows while it is read: the parts to which others refer come after them.
  for (let fresh = [...seen]; fresh.length > 0;) {
    const next = new Set<string>()
    for (const some of chunks(fresh, 50))
      for (const { pointer, json } of await partsAt(db, specId, some)) {
        room -= json.length
        if (room < 0) return parts
        const value = withoutHiddenIn(JSON.parse(json) as unknown)
        parts.push({ pointer, value })
        if (isRecord(value)) for (const { holder } of referencesIn(value)) next.add(partPointer(holder.$ref))
        await giveTurn()
      }
    fresh = [...next].filter((pointer) => !seen.has(pointer))
    for (const pointer of fresh) seen.add(pointer)
  }
  return parts
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
