/** Which parts of a specification a reader of a site may see: those that a page which they may see describes. */
import { heapSize } from '../../../../core/runtime/heap-size.ts'
import { lru } from '../../../../core/data/lru.ts'
import { giveTurn, isTurnOver } from '../../../../core/runtime/turns.ts'
import { wantedIn, wantedPointers } from '../../../../core/openapi/described.ts'
import { operationsNamedIn } from '../../../../core/openapi/legacy.ts'
import { pointerTo } from '../../../../core/openapi/spec-parts.ts'
import { referenceKey } from '../../../../core/document/links/references.ts'
import type { Reader } from '../../../../db/schema.ts'
import { specKey } from '../../../content/content-uses.ts'
import { loadOutline } from '../../../openapi/computed-pages.ts'
import { describedOn, specOf } from '../../../openapi/spec-pages.ts'
import type { OpenSite } from '../open-site.ts'
import { loadSources } from './body-sources.ts'
import {
  filledSpacesOf,
  isConditional,
  MOST_CONDITIONAL_PAGES,
  type PageInSpace,
  seenOn,
  usersOf,
} from './shown-content.ts'

/** The parts of a specification are searched for on at most so many pages. */
const MOST_PAGES = 5_000

/** The pointers that readers see, by the version of the site and the slug. */
const shown = lru<readonly string[]>(4 * 1024 * 1024)

/** The JSON pointers of the operations, webhooks and schemas that pages of a site describe to the reader, in order. */
export async function shownPartsOf(db: Reader, open: OpenSite, slug: string): Promise<readonly string[]> {
  const key = `${open.version} ${slug}`
  const known = shown.get(key)
  if (known) return known
  const found = new Set<string>()
  const pages: PageInSpace[] = []
  for await (const content of filledSpacesOf(db, open)) {
    for (const pointer of await computedParts(db, content, slug)) found.add(pointer)
    for (const page of await usersOf(db, content, specKey(slug))) pages.push({ content, page })
  }
  let conditional = 0
  for (const one of pages.slice(0, MOST_PAGES)) {
    const isUnsure = await isConditional(db, one.content, one.page)
    if (isUnsure) conditional += 1
    if (isUnsure && conditional > MOST_CONDITIONAL_PAGES) continue
    const parts = isUnsure ? await partsSeenOn(db, one, slug) : await partsNamedOn(db, one, slug)
    for (const pointer of parts) found.add(pointer)
    if (isTurnOver()) await giveTurn()
  }
  const pointers = [...found].toSorted()
  shown.set(key, pointers, heapSize(pointers))
  return pointers
}

/** The parts on the pages that a computed page stands for. */
async function computedParts(
  db: Reader,
  { tree, shown: isShown, open }: PageInSpace['content'],
  slug: string,
) {
  const pages = tree.pages().filter(({ type, computed }) => type === 'document' && specOf(computed) === slug)
  const spec = pages.length > 0 ? await loadOutline(db, open.site.organizationId, slug) : undefined
  if (!spec) return []
  return pages.filter(isShown).flatMap(({ computed }) => {
    const { operations, schemas, isComplete } = describedOn(spec, computed!)
    if (!isComplete) return []
    return [
      ...operations.map(({ pointer }) => pointer),
      ...schemas.map((name) => pointerTo(['components', 'schemas', name])),
    ]
  })
}

async function partsSeenOn(db: Reader, page: PageInSpace, slug: string): Promise<string[]> {
  return (await seenOn(db, page)).parts.filter(({ spec }) => spec === slug).flatMap(wantedPointers)
}

/** The parts that the Markdown of a page without conditions names. */
async function partsNamedOn(db: Reader, { content, page }: PageInSpace, slug: string): Promise<string[]> {
  const { page: main, included } = await loadSources(db, content.open.site, content, page)
  return [main, ...included.values()].flatMap(({ source, references }) => {
    const legacy = operationsNamedIn(source).flatMap(({ ref, path, method }) => {
      const resolved = references.get(referenceKey(ref)) ?? ref
      const isNamed = resolved.kind === 'openapi' && resolved.spec === slug
      return isNamed ? [{ kind: 'operation' as const, spec: slug, path, method }] : []
    })
    return [...wantedIn([source]).filter(({ spec }) => spec === slug), ...legacy].flatMap(wantedPointers)
  })
}
