/** What a page tree must satisfy to be written as a revision (CONTENT.md, "Limits" and merge law 6). */
import { hasPath, LIMITS } from './revision.ts'
import type { PageRecord } from './revision.ts'
import type { PageTree } from './tree.ts'

/** Slugs are cut to this many characters (api-facts 4.2). */
const LONGEST_SLUG = 100

/** What a site answers itself at its top level; a page of that name would not be reached. */
export const GENERATED: readonly string[] = ['sitemap.xml', 'robots.txt', 'llms.txt']

export type TreeFault =
  | 'too-many-pages'
  | 'too-deep'
  | 'no-parent'
  | 'cycle'
  | 'childless-parent'
  | 'nested-group'
  | 'slug'
  | 'duplicate-slug'

/** Something that is wrong with a tree; `page` is absent if it is the tree as a whole. */
export interface TreeProblem {
  fault: TreeFault
  page?: string
  message: string
}

/**
 * What is wrong with a tree. With `changed`, the ids of the pages that were set or removed, only these and those below
 * them are looked at: enough if the tree was right before.
 */
export function checkTree(tree: PageTree, changed?: Iterable<string>): TreeProblem[] {
  const problems: TreeProblem[] = []
  if (tree.size > LIMITS.pages) {
    const message = `The tree has ${tree.size} pages; at most ${LIMITS.pages} are allowed`
    problems.push({ fault: 'too-many-pages', message })
  }
  const pages = changed && tree.regular ? withAllBelow(tree, changed) : tree.pages()
  const slugs = slugCounts(tree, pages)
  for (const page of pages) {
    for (const [fault, what] of faults(tree, page, slugs)) {
      problems.push({ fault, page: page.id, message: `The page "${page.title}" (${page.id}) ${what}` })
    }
  }
  return problems
}

/** The slug, or the first of `slug-1`, `slug-2` … that no sibling has. `taken` holds slugs in lower case. */
export function uniqueSlug(slug: string, taken: ReadonlySet<string>): string {
  const whole = slug.slice(0, LONGEST_SLUG)
  if (!taken.has(whole.toLowerCase())) return whole
  for (let n = 1; ; n++) {
    const suffix = `-${n}`
    const next = whole.slice(0, LONGEST_SLUG - suffix.length) + suffix
    if (!taken.has(next.toLowerCase())) return next
  }
}

function* faults(tree: PageTree, page: PageRecord, slugs: SlugCounts): Generator<[TreeFault, string]> {
  const depth = tree.ancestors(page.id).length + 1
  if (depth > LIMITS.treeDepth)
    yield ['too-deep', `is on level ${depth}; at most ${LIMITS.treeDepth} are allowed`]

  const parent = page.parent === null ? undefined : tree.get(page.parent)
  if (page.parent !== null && !parent)
    yield ['no-parent', `is below the page ${page.parent}, which is not there`]
  if (parent && tree.parent(page.id) === null) yield ['cycle', 'is below itself']
  if (parent && !hasPath(parent)) {
    yield ['childless-parent', `is below a ${parent.type} page, which cannot have pages`]
  }
  if (parent && page.type === 'group')
    yield ['nested-group', 'is a group, which can only be at the top level']

  if (!hasPath(page)) return
  if (!isSlug(page.slug))
    yield ['slug', `has the slug ${JSON.stringify(page.slug)}, which cannot be part of a path`]
  else if (slugs.get(tree.parent(page.id))!.get(page.slug.toLowerCase())! > 1) {
    yield ['duplicate-slug', `has the slug ${JSON.stringify(page.slug)}, as has another page beside it`]
  }
}

/** What a slug must be for the path to lead back to the page. */
function isSlug(slug: string): boolean {
  return slug !== '' && slug !== '.' && slug !== '..' && !/[/\p{Cc}]/u.test(slug)
}

/** By parent and lower-cased slug, how many siblings have it. */
type SlugCounts = Map<string | null, Map<string, number>>

function slugCounts(tree: PageTree, pages: readonly PageRecord[]): SlugCounts {
  const counts: SlugCounts = new Map()
  for (const parent of new Set(pages.map((page) => tree.parent(page.id)))) {
    const here = new Map<string, number>()
    for (const page of tree.children(parent)) {
      const slug = page.slug.toLowerCase()
      if (hasPath(page)) here.set(slug, (here.get(slug) ?? 0) + 1)
    }
    counts.set(parent, here)
  }
  return counts
}

function withAllBelow(tree: PageTree, ids: Iterable<string>): PageRecord[] {
  const found = new Map<string, PageRecord>()
  const waiting = [...ids].flatMap((id) => tree.get(id) ?? [])
  for (let page = waiting.pop(); page; page = waiting.pop()) {
    if (found.has(page.id)) continue
    found.set(page.id, page)
    waiting.push(...tree.children(page.id))
  }
  return [...found.values()]
}
