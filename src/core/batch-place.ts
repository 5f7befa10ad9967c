/** Where pages stand: their parent, their order among siblings, their slug, and the repository path they keep for life. */
import { needPage, type Progress } from './batch-progress.ts'
import { refuse } from './batch-refused.ts'
import { insertAt } from './order.ts'
import { isFolderPage, slugOfTitle } from './repository/page-slug.ts'
import { folderOf, nameOf } from './repository/paths.ts'
import { hasPath, type PageRecord } from './revision.ts'
import type { PageTree } from './tree.ts'
import { checkTree, GENERATED, uniqueSlug } from './tree-rules.ts'

interface Placing {
  into?: string | null
  at?: number
}

/** A place among siblings, and the siblings that make room for it. */
export interface Place {
  parent: string | null
  order: string
  moved: PageRecord[]
}

/** Where a new page goes: to the end of the top level unless the change says. */
export function newPlace(progress: Progress, { into = null, at }: Placing, index: number): Place {
  const parent = parentFor(progress, into, index)
  return placeAt(progress.tree, parent, at)
}

/** Where a page goes: where it is, to the end of another parent's pages, or to an index. */
export function nextPlace(progress: Progress, page: PageRecord, { into, at }: Placing, index: number): Place {
  const here = progress.tree.parent(page.id)
  const parent = into === undefined ? here : parentFor(progress, into, index, page)
  if (parent === here && at === undefined) return { parent: page.parent, order: page.order, moved: [] }
  return placeAt(progress.tree, parent, at, page.id)
}

function parentFor(progress: Progress, into: string | null, index: number, page?: PageRecord): string | null {
  if (into === null) return null
  const parent = needPage(progress, into, index, 'into')
  if (!hasPath(parent))
    refuse(index, 'into', `"${into}" is a ${parent.type} page, which has no pages below it`)
  if (page?.type === 'group') refuse(index, 'into', 'a group stands only at the top level; use null')
  const line = [parent, ...progress.tree.ancestors(parent.id)]
  if (page && line.some(({ id }) => id === page.id)) refuse(index, 'into', 'a page cannot be below itself')
  return parent.id
}

/** The place at an index among the pages below a parent, but for `self`; at the end if there is none. */
export function placeAt(tree: PageTree, parent: string | null, at?: number, self?: string): Place {
  const siblings = tree.children(parent).filter(({ id }) => id !== self)
  const orders = siblings.map(({ order }) => order)
  const { order, moved } = insertAt(orders, at ?? orders.length)
  return { parent, order, moved: [...moved].map(([i, key]) => ({ ...siblings[i]!, order: key })) }
}

/** The slugs below a parent that a page cannot have, in lower case; at the top level what a site makes itself too. */
export function takenSlugs(tree: PageTree, parent: string | null, self?: string): Set<string> {
  const siblings = tree.children(parent).filter((page) => page.id !== self && hasPath(page))
  return new Set([...siblings.map(({ slug }) => slug.toLowerCase()), ...(parent === null ? GENERATED : [])])
}

/** The slug that a change gives, or else the one that the title of the page gives. @throws BatchRefused */
export function newSlug(
  progress: Progress,
  parent: string | null,
  { slug, title, self }: { slug: string | undefined; title: string; self?: string },
  index: number,
): string {
  const taken = takenSlugs(progress.tree, parent, self)
  if (!slug) return uniqueSlug(slugOfTitle(title), taken)
  if (!taken.has(slug.toLowerCase())) return slug
  return refuse(index, 'slug', `"${slug}" is taken by another page there, or by what a site makes itself`)
}

/** The repository path of a new page: relative links in it are resolved from there, wherever it moves. */
export function newFile(tree: PageTree, parent: string | null, slug: string): string {
  const folder = folderFor(tree, parent)
  for (let n = 0; ; n++) {
    const file = `${folder}${slug}${n === 0 ? '' : `-${n}`}.md`
    // What stands for its folder, and the table of contents, have these names.
    const special = isFolderPage(file) || nameOf(file) === 'summary.md'
    if (!special && !tree.byFile(file)) return file
  }
}

function folderFor(tree: PageTree, parent: string | null): string {
  const page = parent === null ? undefined : tree.get(parent)
  if (!page) return ''
  if (page.file === undefined) return `${folderFor(tree, tree.parent(page.id))}${page.slug}/`
  if (!isFolderPage(page.file)) return `${page.file.replace(/\.(?:md|markdown)$/i, '')}/`
  const folder = folderOf(page.file)
  return folder === '' ? '' : `${folder}/`
}

/** A page with all that is below it, each after what it is below. */
export function withAllBelow(tree: PageTree, id: string): string[] {
  const found = [id]
  // Grows while it is walked.
  for (const one of found) for (const child of tree.children(one)) found.push(child.id)
  return found
}

/** Refuses a tree that breaks a rule, in the name of the change that came to the page last. @throws BatchRefused */
export function checkBatch({ tree, pages, touched }: Progress): void {
  const [problem] = checkTree(tree, pages.keys())
  if (!problem) return
  const { page, fault, message } = problem
  const line = page === undefined ? [] : [page, ...tree.ancestors(page).map(({ id }) => id)]
  const nearest = line.find((id) => touched.has(id))
  const index = nearest === undefined ? Math.max(...touched.values()) : touched.get(nearest)!
  const field = fault === 'slug' || fault === 'duplicate-slug' ? 'slug' : 'into'
  refuse(index, page === undefined ? 'operation' : field, message)
}
