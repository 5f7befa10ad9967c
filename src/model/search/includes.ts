/** The reusable contents that pages include, as the index reads them. */
import { hash } from 'node:crypto'
import type { PageRecord, ReusableRecord } from '../../core/content/revision.ts'
import type { PageIncludes } from '../../core/search/index-pages.ts'
import { INCLUDE_DEPTH } from '../../core/document/shape/limits.ts'
import type { Reader } from '../../db/schema.ts'
import { linkTargetsOf, type Remembering, reusablesOf } from '../content/content.ts'
import { type ResolvedSource, resolvedSources } from '../content/resolved-source.ts'

/** The characters of all that one page includes. */
const MOST_INCLUDED = 1_000_000

/** The contents that a page includes, and a name for all of them, which changes if any of them changes. */
export interface NamedIncludes {
  includes: PageIncludes
  name: string
}

/** Returns the contents that each of these pages includes, by the id of the page. */
export async function includesOf(
  db: Reader,
  revision: Remembering,
  pages: readonly PageRecord[],
): Promise<Map<string, NamedIncludes>> {
  if (pages.length === 0) return new Map()
  const targets = await linkTargetsOf(db, revision)
  const reusables = await reusablesOf(db, revision)
  const sources = await resolvedSources(db, revision, targets, pages)

  const read = new Map<string, ResolvedSource>()
  for (let depth = 0, fresh = sources; fresh.length > 0 && depth < INCLUDE_DEPTH; depth++) {
    const wanted = new Set(fresh.flatMap((one) => [...namesIn(one, reusables).values()]))
    const named = [...wanted].flatMap((id) => (read.has(id) ? [] : reusables.get(id)!))
    const places = named.map(({ document, path }) => ({ document, file: path }))
    fresh = await resolvedSources(db, revision, targets, places)
    for (const [i, { id }] of named.entries()) read.set(id, fresh[i]!)
  }
  return new Map(pages.map(({ id }, i) => [id, within(sources[i]!, read, reusables)]))
}

type Reusables = ReadonlyMap<string, ReusableRecord>

/** Returns the contents that a page includes, directly or through other contents. */
function within(
  page: ResolvedSource,
  read: ReadonlyMap<string, ResolvedSource>,
  reusables: Reusables,
): NamedIncludes {
  const named = namesIn(page, reusables)
  const contents: PageIncludes['contents'] = new Map()
  const hashes: string[] = []
  let left = MOST_INCLUDED
  const ids = new Set(named.values())
  // A set can grow while it is iterated: the contents that an included one includes come after it.
  for (const id of ids) {
    const content = read.get(id)
    left -= content?.source.length ?? 0
    if (!content || left < 0) continue
    const own = namesIn(content, reusables)
    contents.set(id, { source: content.source, named: own })
    hashes.push(id, content.hash)
    for (const other of own.values()) ids.add(other)
  }
  const all = JSON.stringify([[...named], hashes])
  return { includes: { named, contents }, name: hash('sha256', all, 'base64url').slice(0, 22) }
}

/** The reusable contents that a source names, by how it names them. */
function namesIn({ references }: ResolvedSource, reusables: Reusables): Map<string, string> {
  const named = new Map<string, string>()
  for (const [key, ref] of references)
    if (ref.kind === 'reusable-content' && reusables.has(ref.reusableContent))
      named.set(key, ref.reusableContent)
  return named
}
