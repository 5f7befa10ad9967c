/** The pages that a page of the type `computed` stands for: those of an OpenAPI specification. */
import { withoutHidden } from '../../core/document/markdown/hiding-tags.ts'
import { printDocument } from '../../core/document/print.ts'
import { lru } from '../../core/data/lru.ts'
import type { PageTree } from '../../core/content/tree/tree.ts'
import type { ComputedSource, PageRecord } from '../../core/content/revision.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { pagesOf } from '../content/content.ts'
import {
  blocksOfPage,
  nameInPointer,
  pagesOfSpec,
  type SpecOutline,
  type SpecPage,
  specOf,
} from './spec-pages.ts'

/** The most computed pages of a revision, and operations and schemas of one specification, that have pages. */
const [MOST_SOURCES, MOST_OPERATIONS, MOST_SCHEMAS] = [20, 5_000, 5_000]
/** The most pages that computed pages of one revision stand for. Those that do not fit stay as they are. */
const MOST_PAGES = 20_000
/** The estimated size of a page in the trees that have it. */
const BYTES_PER_PAGE = 1_500

/** A page tree with computed pages. */
export interface ExpandedTree {
  tree: PageTree
  /** The tree without the pages that other pages stand for now. */
  shown: PageTree
  /** The pages that were added, by id. */
  made: ReadonlyMap<string, SpecPage>
  /** Changes whenever the computed pages may have changed; empty without computed pages. */
  version: string
  /** The newest versions of the specifications of the computed pages, by slug. */
  specs: ReadonlyMap<string, SpecVersion>
}

/** The newest version of a specification. */
export type SpecVersion = Pick<SpecOutline, 'id' | 'slug' | 'lastVersion'>

type Content = Pick<Row<'revision'>, 'spaceId' | 'pages' | 'files' | 'reusables'>

/** Named by everything that they are made of, so never stale. */
const expandedTrees = lru<ExpandedTree>(48 * 1024 * 1024, 'openapi-trees')
const sourcesOfTree = new WeakMap<PageTree, readonly PageRecord[]>()
const NOTHING_MADE: Pick<ExpandedTree, 'made' | 'version' | 'specs'> = {
  made: new Map(),
  version: '',
  specs: new Map(),
}

/** The pages of a revision with those that its computed pages stand for, after each of them. */
export async function expandedPagesOf(
  db: Reader,
  organizationId: string,
  revision: Content,
): Promise<ExpandedTree> {
  const tree = await pagesOf(db, revision)
  const sources = computedIn(tree)
  if (sources.length === 0) return { tree, shown: tree, ...NOTHING_MADE }

  const slugs = sources.map(({ computed }) => specOf(computed) ?? '')
  const specs = await newestVersions(db, organizationId, slugs)
  const version = versionOf(slugs, specs)
  const key = [revision.spaceId, revision.pages, organizationId, version].join(' ')
  const known = expandedTrees.get(key)
  if (known) return known

  const made = { ...(await expand(db, organizationId, tree, sources)), version, specs }
  expandedTrees.set(key, made, (made.tree.size - tree.size) * BYTES_PER_PAGE)
  return made
}

/** The same for a caller that does not know the organization of the space. */
export async function expandedPagesIn(db: Reader, revision: Content): Promise<ExpandedTree> {
  const tree = await pagesOf(db, revision)
  if (computedIn(tree).length === 0) return { tree, shown: tree, ...NOTHING_MADE }
  return expandedPagesOf(db, await spaceOrganizationId(db, revision.spaceId), revision)
}

/** The version of the computed pages of a revision, without making them: that of `ExpandedTree`. */
export async function computedVersionIn(db: Reader, revision: Content): Promise<string> {
  const sources = computedIn(await pagesOf(db, revision))
  if (sources.length === 0) return ''
  const slugs = sources.map(({ computed }) => specOf(computed) ?? '')
  return versionOf(slugs, await newestVersions(db, await spaceOrganizationId(db, revision.spaceId), slugs))
}

const versionOf = (slugs: readonly string[], specs: ReadonlyMap<string, SpecVersion>) =>
  slugs.map((slug) => specs.get(slug)?.lastVersion ?? '-').join(',')

async function spaceOrganizationId(db: Reader, spaceId: string): Promise<string> {
  const { organizationId } = await db
    .selectFrom('space')
    .select('organizationId')
    .where('id', '=', spaceId)
    .executeTakeFirstOrThrow()
  return organizationId
}

/** The computed pages of a tree whose source is a specification. */
export function computedIn(tree: PageTree): readonly PageRecord[] {
  const known = sourcesOfTree.get(tree)
  if (known) return known
  const found = tree
    .pages()
    .filter((page) => page.type === 'computed' && specOf(page.computed) !== undefined)
    .slice(0, MOST_SOURCES)
  sourcesOfTree.set(tree, found)
  return found
}

async function expand(db: Reader, organizationId: string, tree: PageTree, sources: readonly PageRecord[]) {
  const made = new Map<string, SpecPage>()
  const added = new Map<string, PageRecord>()
  const replaced = new Map<string, null>()
  /** The slugs of the added pages, by the page that they are below. */
  const slugs = new Map<string | null, Set<string>>()
  for (const source of sources) {
    const spec = await loadOutline(db, organizationId, specOf(source.computed) ?? '')
    if (!spec) continue
    const beside = slugs.get(source.parent) ?? new Set()
    slugs.set(source.parent, beside)
    const pages = await pagesOfSpec(tree, source, spec, beside)
    if (added.size + pages.length > MOST_PAGES) continue
    for (const one of pages) {
      if (one.page.parent === source.parent) beside.add(one.page.slug)
      made.set(one.page.id, one)
      added.set(one.page.id, one.page)
    }
    replaced.set(source.id, null)
  }
  const expanded = tree.apply(added)
  return { tree: expanded, shown: expanded.apply(replaced), made }
}

/** The Markdown of a page that was made for a computed page; undefined for other pages. */
export async function computedMarkdown(
  db: Reader,
  organizationId: string,
  { type, computed }: Pick<PageRecord, 'type' | 'computed'>,
): Promise<string | undefined> {
  const slug = type === 'document' ? specOf(computed) : undefined
  if (slug === undefined || !computed) return undefined
  const spec = await loadOutline(db, organizationId, slug)
  return spec ? markdownOfPage(spec, computed) : ''
}

/** The Markdown of a page of a specification. */
export function markdownOfPage(spec: SpecOutline, computed: ComputedSource): string {
  return printDocument({ object: 'document', data: {}, nodes: blocksOfPage(spec, computed) })
}

/** The newest versions of specifications, by slug. Those without a version are left out. */
async function newestVersions(
  db: Reader,
  organizationId: string,
  slugs: readonly string[],
): Promise<Map<string, SpecVersion>> {
  const rows = await db
    .selectFrom('openapiSpec')
    .select(['id', 'slug', 'lastVersion'])
    .where('organizationId', '=', organizationId)
    .where('slug', 'in', [...new Set(slugs)])
    .execute()
  return new Map(
    rows.flatMap(({ id, slug, lastVersion }) =>
      lastVersion === null ? [] : [[slug, { id, slug, lastVersion }] as const],
    ),
  )
}

/** Loads the data for the pages of a specification; undefined if it has no version. */
export async function loadOutline(
  db: Reader,
  organizationId: string,
  slug: string,
): Promise<SpecOutline | undefined> {
  const spec = await db
    .selectFrom('openapiSpec')
    .innerJoin('openapiVersion', 'openapiVersion.id', 'openapiSpec.lastVersion')
    .select(['openapiSpec.id', 'openapiVersion.id as lastVersion', 'openapiVersion.createdAt as versionAt'])
    .where('openapiSpec.organizationId', '=', organizationId)
    .where('openapiSpec.slug', '=', slug)
    .executeTakeFirst()
  if (!spec) return undefined
  const parts = db.selectFrom('openapiPart').where('specId', '=', spec.id).orderBy('position')
  const operations = await parts
    .select(['pointer', 'tag', 'title'])
    .where('kind', '=', 'operation')
    .limit(MOST_OPERATIONS)
    .execute()
  const schemas = await parts
    .select('pointer')
    .where('kind', '=', 'component')
    .where('pointer', 'like', '/components/schemas/%')
    .limit(MOST_SCHEMAS)
    .execute()
  const { id, lastVersion, versionAt } = spec
  const names = schemas.map(({ pointer }) => nameInPointer(pointer))
  const shown = operations.map(({ pointer, tag, title }) => ({
    pointer,
    tag: shownName(tag),
    title: shownName(title),
  }))
  return { id, slug, lastVersion, versionAt, operations: shown, schemas: names }
}

/** The name of a page or of a heading, which are the same for all readers: without what a condition would hide. */
const shownName = (name: string | null) => (name === null ? null : withoutHidden(name) || null)
