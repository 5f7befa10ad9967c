/** The pages of a published space that one reader may see, without what links to them need. */
import { hiddenPages } from '../../../../access/visitors/visitors.ts'
import { given } from '../../../../core/content/fields/given.ts'
import type { PageRecord, Variables } from '../../../../core/content/revision.ts'
import type { PageTree } from '../../../../core/content/tree/tree.ts'
import { hidingTagIn, withoutHiddenIn } from '../../../../core/document/markdown/hiding-tags.ts'
import { heapSize } from '../../../../core/runtime/heap-size.ts'
import { lru } from '../../../../core/data/lru.ts'
import { eachInTurns } from '../../../../core/runtime/turns.ts'
import type { Reader, Row } from '../../../../db/schema.ts'
import { needRevision } from '../../../content/commit.ts'
import { expandedPagesOf } from '../../../openapi/computed-pages.ts'
import type { ServedSite, Variant } from '../open-site.ts'
import type { Visit } from '../visit.ts'

/** The page tree of a space, and which of its pages a reader may see. */
export interface SeenPages {
  revision: Row<'revision'>
  tree: PageTree
  variables: Variables
  /** Changes whenever the computed pages of the revision may have changed. */
  computed: string
  /** Whether the reader may see a page. */
  shown(page: PageRecord): boolean
}

const newCache = () => lru<ReadonlySet<string>>(8 * 1024 * 1024)
/** The pages that readers may not see, by revision and context. */
const hiddenFromEveryone = newCache()
/** Apart, because a client can make up any number of claims. They must not evict what everyone sees. */
const hiddenFromReaders = newCache()

/** Loads the page tree of a space, as a reader of the site sees it. */
export async function loadSeenPages(
  db: Reader,
  { site, visit }: Pick<ServedSite, 'site'> & { visit: Visit },
  { spaceId, revisionId }: Pick<Variant, 'spaceId' | 'revisionId'>,
): Promise<SeenPages> {
  const revision = await needRevision(db, spaceId, revisionId)
  const { tree: stored, version: computed } = await expandedPagesOf(db, site.organizationId, revision)
  const tree = await withoutHiddenTexts(stored)
  const variables = JSON.parse(revision.variables) as Variables
  const cache = isForEveryone(visit) ? hiddenFromEveryone : hiddenFromReaders
  const key = `${revision.id} ${computed} ${visit.context}`
  let hidden = cache.get(key)
  if (!hidden) {
    hidden = await hiddenPages(tree, visit.visitor, variables)
    cache.set(key, hidden, heapSize([...hidden]))
  }
  const unseen = hidden
  return { revision, tree, variables, computed, shown: ({ id }) => !unseen.has(id) }
}

const cutTrees = new WeakMap<PageTree, PageTree>()

/**
 * The tree without what conditions in texts of its pages would hide. Such texts are refused, or cut when they are read from
 * Markdown, but pages may have been stored before.
 */
async function withoutHiddenTexts(tree: PageTree): Promise<PageTree> {
  const known = cutTrees.get(tree)
  if (known) return known
  const changed = new Map<string, PageRecord>()
  await eachInTurns(tree.pages(), (page) => {
    const { title, linkTitle, description, tags, variables } = page
    const texts = { title, linkTitle, description, tags, variables }
    if (hidingTagIn(texts) === undefined) return
    const shown = withoutHiddenIn(texts)
    const others = given(shown, ['linkTitle', 'description', 'tags', 'variables'])
    changed.set(page.id, { ...page, ...others, title: shown.title || 'Untitled' })
  })
  const cut = changed.size === 0 ? tree : tree.apply(changed)
  cutTrees.set(tree, cut)
  return cut
}

/** Whether a reader sees what all readers without claims see. */
export function isForEveryone({ context, preview }: Visit): boolean {
  return context === '' && !preview
}
