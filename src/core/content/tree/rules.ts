/** The rules that a page tree must satisfy before it is written as a revision. */
import { append, need } from '../../data/lists.ts'
import { freeName, LONGEST_SLUG } from '../../text/slug.ts'
import { LIMITS, mostPages } from '../limits.ts'
import { hasPath } from '../revision.ts'
import type { PageRecord } from '../revision.ts'
import type { PageTree } from './tree.ts'

/** Files that a site serves at its top level. They hide a page with the same slug. */
const GENERATED: readonly string[] = [
  'sitemap.xml',
  'sitemap-pages.xml',
  'robots.txt',
  'llms.txt',
  'llms-full.txt',
  'rss.xml',
]

export type TreeFault =
  | 'too-many-pages'
  | 'too-deep'
  | 'no-parent'
  | 'cycle'
  | 'childless-parent'
  | 'nested-group'
  | 'slug'
  | 'duplicate-slug'

/** A broken rule; `page` is absent if the tree as a whole breaks it. */
export interface TreeProblem {
  fault: TreeFault
  page?: string
  message: string
}

/**
 * Checks the rules of a tree. With `changed`, the ids of the pages that were set or removed, only these pages and those
 * below them are checked, which is enough if the tree followed the rules before.
 */
export function checkTree(tree: PageTree, changed?: Iterable<string>): TreeProblem[] {
  const problems: TreeProblem[] = []
  if (tree.size > mostPages()) {
    const message = `The tree has ${tree.size} pages; at most ${mostPages()} are allowed (LECTERN_MAX_PAGES)`
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

/** Returns the slug, or the first of `slug-1`, `slug-2` … that no sibling has. `taken` holds slugs in lower case. */
export function uniqueSlug(slug: string, taken: ReadonlySet<string>): string {
  return freeName(slug, (one) => taken.has(one.toLowerCase()), { longest: LONGEST_SLUG })
}

function* faults(tree: PageTree, page: PageRecord, slugs: SlugCounts): Generator<[TreeFault, string]> {
  const depth = tree.ancestors(page.id).length + 1
  if (depth > LIMITS.treeDepth)
    yield ['too-deep', `is on level ${depth}; at most ${LIMITS.treeDepth} are allowed`]

  const parent = page.parent === null ? undefined : tree.get(page.parent)
  if (page.parent !== null && !parent)
    yield ['no-parent', `is below the page ${page.parent}, which does not exist`]
  if (parent && tree.parent(page.id) === null) yield ['cycle', 'is below itself']
  if (parent && !hasPath(parent)) {
    yield ['childless-parent', `is below a ${parent.type} page, which cannot have pages`]
  }
  if (parent && page.type === 'group')
    yield ['nested-group', 'is a group, which can only be at the top level']

  if (!hasPath(page)) return
  if (!isSlug(page.slug))
    yield ['slug', `has the slug ${JSON.stringify(page.slug)}, which cannot be part of a path`]
  else if (need(need(slugs, tree.parent(page.id)), page.slug.toLowerCase()) > 1) {
    yield ['duplicate-slug', `has the slug ${JSON.stringify(page.slug)}, as has another page beside it`]
  }
}

/** Whether the path of a page with this slug resolves to that page. */
function isSlug(slug: string): boolean {
  return slug !== '' && slug !== '.' && slug !== '..' && !/[/\p{Cc}]/u.test(slug)
}

/** The number of siblings with each slug, by parent and lower-cased slug. */
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
    append(waiting, tree.children(page.id))
  }
  return [...found.values()]
}

/**
 * The slugs that a page below this parent cannot have, in lower case. At the top level they include the files that a
 * site generates.
 */
export function takenSlugs(tree: PageTree, parent: string | null, self?: string): Set<string> {
  const siblings = tree.children(parent).filter((page) => page.id !== self && hasPath(page))
  return new Set([...siblings.map(({ slug }) => slug.toLowerCase()), ...(parent === null ? GENERATED : [])])
}
