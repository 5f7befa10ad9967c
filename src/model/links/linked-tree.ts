/** The page tree of a revision among which links resolve: with the pages that its computed pages stand for. */
import { COMPUTED } from '../../core/content/link-resolving.ts'
import type { EntryChange } from '../../core/content/prolly-tree/read.ts'
import type { PageRecord } from '../../core/content/revision.ts'
import type { PageTree } from '../../core/content/tree/tree.ts'
import type { DocumentLinks } from '../../core/document/links/links-in.ts'
import { documentHash } from '../../core/content/hash.ts'
import { jsonEqual } from '../../core/data/json.ts'
import { lru } from '../../core/data/lru.ts'
import { giveTurn, isTurnOver } from '../../core/runtime/turns.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { expandedPagesIn, type ExpandedTree } from '../openapi/computed-pages.ts'
import { anchorsOfHeadings } from '../openapi/spec-pages.ts'

/** A page tree for links. */
export interface LinkedTree {
  tree: PageTree
  /** Changes whenever the computed pages may have changed; empty without computed pages. */
  version: string
  /** The computed pages as links see them: they hold no links, and their `document` names their anchors. */
  computed: ReadonlyMap<string, PageRecord>
  /** The anchors of computed pages, by the `document` of the page. */
  documents: ReadonlyMap<string, DocumentLinks>
}

const NONE: Pick<LinkedTree, 'computed' | 'documents'> = { computed: new Map(), documents: new Map() }
const made = lru<LinkedTree>(16 * 1024 * 1024, 'linked-trees')
const BYTES_PER_PAGE = 800

/** The pages of a revision for its links. */
export async function linkedTreeOf(
  db: Reader,
  revision: Pick<Row<'revision'>, 'spaceId' | 'pages' | 'files' | 'reusables'>,
): Promise<LinkedTree> {
  const expanded = await expandedPagesIn(db, revision)
  const { tree, version } = expanded
  if (expanded.made.size === 0) return { tree, version, ...NONE }
  const key = [revision.spaceId, revision.pages, version].join(' ')
  const known = made.get(key)
  if (known) return known
  const linked = await makeLinked(expanded)
  made.set(key, linked, linked.computed.size * BYTES_PER_PAGE)
  return linked
}

async function makeLinked({ tree, version, made: pages }: ExpandedTree): Promise<LinkedTree> {
  const computed = new Map<string, PageRecord>()
  const documents = new Map<string, DocumentLinks>()
  for (const { page, headings } of pages.values()) {
    const { type = '', props = {} } = page.computed ?? {}
    // The computed page itself links to the specification. When a page was made is nothing to links.
    const record = { ...page, computed: { type, props }, createdAt: '', updatedAt: '' }
    if (headings) {
      const anchors = anchorsOfHeadings(headings)
      const document = COMPUTED + documentHash(JSON.stringify(anchors))
      documents.set(document, { references: [], anchors })
      computed.set(page.id, { ...record, document })
    } else computed.set(page.id, record)
    if (isTurnOver()) await giveTurn()
  }
  return { tree: tree.apply(computed), version, computed, documents }
}

/** The computed pages that differ between two contents. */
export async function changedComputed(
  { computed: before }: LinkedTree,
  { computed: after }: LinkedTree,
): Promise<EntryChange<PageRecord>[]> {
  if (before === after) return []
  const changes: EntryChange<PageRecord>[] = []
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(key), after.get(key)]
    if (!jsonEqual(old, now))
      changes.push({ key, ...(old ? { before: old } : {}), ...(now ? { after: now } : {}) })
    if (isTurnOver()) await giveTurn()
  }
  return changes
}
