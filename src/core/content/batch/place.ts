/** The place of a page: its parent, its order among siblings, its slug, and its permanent repository path. */
import { greatest, need, needItem } from '../../data/lists.ts'
import { findPage, type Progress } from './progress.ts'
import { refuseBatch } from './refused.ts'
import { insertAt } from '../tree/order.ts'
import { isFolderPage, slugOfTitle } from '../../text/page-slug.ts'
import { folderOf, lastSegment } from '../../text/file-paths.ts'
import { freePath, isPathTaken, type PathContent } from '../repository-paths.ts'
import { sourceProblem } from '../limits.ts'
import { hasPath, type PageRecord } from '../revision.ts'
import type { PageTree } from '../tree/tree.ts'
import { checkTree, takenSlugs, uniqueSlug } from '../tree/rules.ts'
import { because } from '../../languages/reasons.ts'
import { reasonFields } from '../../languages/reasoned.ts'

interface Placing {
  into?: string | null
  at?: number
}

/** A place among siblings, and the siblings that make room for it. */
export interface PagePlace {
  parent: string | null
  order: string
  moved: PageRecord[]
}

/** The place of a new page; by default the end of the top level. */
export function newPlace(progress: Progress, { into = null, at }: Placing, index: number): PagePlace {
  const parent = parentFor(progress, into, index)
  return placeAmongSiblings(progress.tree, parent, at)
}

/** The place of a page after a change: the present one, the end of another parent's pages, or an index. */
export function nextPlace(
  progress: Progress,
  page: PageRecord,
  { into, at }: Placing,
  index: number,
): PagePlace {
  const here = progress.tree.parent(page.id)
  const parent = into === undefined ? here : parentFor(progress, into, index, page)
  if (parent === here && at === undefined) return { parent: page.parent, order: page.order, moved: [] }
  return placeAmongSiblings(progress.tree, parent, at, page.id)
}

function parentFor(progress: Progress, into: string | null, index: number, page?: PageRecord): string | null {
  if (into === null) return null
  const parent = findPage(progress, into, index, 'into')
  if (!hasPath(parent)) refuseBatch(index, 'into', because('no-pages-below', { id: into, type: parent.type }))
  if (page?.type === 'group') refuseBatch(index, 'into', because('group-not-at-top'))
  const line = [parent, ...progress.tree.ancestors(parent.id)]
  if (page && line.some(({ id }) => id === page.id)) refuseBatch(index, 'into', because('page-below-itself'))
  return parent.id
}

/**
 * The place at an index among the children of a parent, not counting `self`. Without an index, the place is at the end.
 */
export function placeAmongSiblings(
  tree: PageTree,
  parent: string | null,
  at?: number,
  self?: string,
): PagePlace {
  const siblings = tree.children(parent).filter(({ id }) => id !== self)
  const orders = siblings.map(({ order }) => order)
  const { order, moved } = insertAt(orders, at ?? orders.length)
  return { parent, order, moved: [...moved].map(([i, key]) => ({ ...needItem(siblings, i), order: key })) }
}

/** The slug that a change sets, or else a slug made from the title. @throws BatchRefused */
export function newSlug(
  progress: Progress,
  parent: string | null,
  { slug, title, self }: { slug: string | undefined; title: string; self?: string },
  index: number,
): string {
  const taken = takenSlugs(progress.tree, parent, self)
  if (!slug) return uniqueSlug(slugOfTitle(title), taken)
  if (!taken.has(slug.toLowerCase())) return slug
  return refuseBatch(index, 'slug', because('slug-taken', { slug }))
}

/** The repository path of a new page. Its relative links are resolved from this path, even after the page moves. */
export function newFile(
  content: PathContent & { pages: PageTree },
  parent: string | null,
  slug: string,
): string {
  const path = `${folderFor(content.pages, parent)}${slug}.md`
  // Folder pages and the table of contents use reserved file names.
  const isSpecial = (file: string) => isFolderPage(file) || lastSegment(file) === 'summary.md'
  return freePath(path, (file) => isSpecial(file) || isPathTaken(content, file))
}

function folderFor(tree: PageTree, parent: string | null): string {
  const page = parent === null ? undefined : tree.get(parent)
  if (!page) return ''
  if (page.file === undefined) return `${folderFor(tree, tree.parent(page.id))}${page.slug}/`
  if (!isFolderPage(page.file)) return `${page.file.replace(/\.(?:md|markdown)$/i, '')}/`
  const folder = folderOf(page.file)
  return folder === '' ? '' : `${folder}/`
}

/** The ids of a page and of all pages below it, parents first. */
export function withAllBelow(tree: PageTree, id: string): string[] {
  const found = [id]
  // The loop also visits the ids that it appends.
  for (const one of found) for (const child of tree.children(one)) found.push(child.id)
  return found
}

/** Refuses a tree that breaks a rule, and names the last change that touched the page. @throws BatchRefused */
export function checkBatch({ tree, pages, touched, documents }: Progress): void {
  const last = greatest(touched.values())
  for (const [id, page] of pages) {
    const document = page?.document ?? ''
    // The parts of sources were checked when they were read, reverted, or stored.
    const problem = sourceProblem(page?.title ?? '', documents.get(document) ?? '')
    if (problem !== undefined) refuseBatch(touched.get(id) ?? last, 'document', problem)
  }
  const [problem] = checkTree(tree, pages.keys())
  if (!problem) return
  const { page, fault } = problem
  const line = page === undefined ? [] : [page, ...tree.ancestors(page).map(({ id }) => id)]
  const nearest = line.find((id) => touched.has(id))
  const index = nearest === undefined ? last : need(touched, nearest)
  const field = fault === 'slug' || fault === 'duplicate-slug' ? 'slug' : 'into'
  refuseBatch(index, page === undefined ? 'operation' : field, reasonFields(problem))
}
