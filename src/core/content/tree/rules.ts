/** The rules that a page tree must satisfy before it is written as a revision. */
import { append, need } from '../../data/lists.ts'
import { because } from '../../languages/reasons.ts'
import { type Reasoned } from '../../languages/reasoned.ts'
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
export interface TreeProblem extends Reasoned {
  fault: TreeFault
  page?: string
}

/**
 * Checks the rules of a tree. With `changed`, the ids of the pages that were set or removed, only these pages and those
 * below them are checked, which is enough if the tree followed the rules before.
 */
export function checkTree(tree: PageTree, changed?: Iterable<string>): TreeProblem[] {
  const problems: TreeProblem[] = []
  if (tree.size > mostPages()) {
    const why = because('tree-too-large', { count: tree.size, limit: mostPages() })
    problems.push({ fault: 'too-many-pages', ...why })
  }
  const pages = changed && tree.regular ? withAllBelow(tree, changed) : tree.pages()
  const slugs = slugCounts(tree, pages)
  for (const page of pages) {
    for (const [fault, why] of faults(tree, page, slugs)) problems.push({ fault, page: page.id, ...why })
  }
  return problems
}

/** Returns the slug, or the first of `slug-1`, `slug-2` … that no sibling has. `taken` holds slugs in lower case. */
export function uniqueSlug(slug: string, taken: ReadonlySet<string>): string {
  return freeName(slug, (one) => taken.has(one.toLowerCase()), { longest: LONGEST_SLUG })
}

function* faults(tree: PageTree, page: PageRecord, slugs: SlugCounts): Generator<[TreeFault, Reasoned]> {
  const named = { title: page.title, id: page.id }
  const level = tree.ancestors(page.id).length + 1
  const limit = LIMITS.treeDepth
  if (level > limit) yield ['too-deep', because('tree-too-deep', { ...named, level, limit })]

  const parent = page.parent === null ? undefined : tree.get(page.parent)
  if (page.parent !== null && !parent)
    yield ['no-parent', because('tree-parent-missing', { ...named, parent: page.parent })]
  if (parent && tree.parent(page.id) === null) yield ['cycle', because('tree-cycle', named)]
  if (parent && !hasPath(parent))
    yield ['childless-parent', because('tree-parent-childless', { ...named, type: parent.type })]
  if (parent && page.type === 'group') yield ['nested-group', because('tree-group-nested', named)]

  if (!hasPath(page)) return
  const slug = JSON.stringify(page.slug)
  if (!isSlug(page.slug)) yield ['slug', because('tree-slug-invalid', { ...named, slug })]
  else if (need(need(slugs, tree.parent(page.id)), page.slug.toLowerCase()) > 1)
    yield ['duplicate-slug', because('tree-slug-twice', { ...named, slug })]
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
