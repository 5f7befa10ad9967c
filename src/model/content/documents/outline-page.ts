import { Type } from 'typebox'
import { hasPath, type PageRecord } from '../../../core/content/revision.ts'
import { type PageTree, trimmedPath } from '../../../core/content/tree/tree.ts'
import { nullable, oneOf, omitNullish } from '../../common.ts'
import { ContentReference } from './document.ts'
import type { PageContext } from './page.ts'

/** A page as a page tree shows it, without the pages below it. */
export const OutlinePage = Type.Object(
  {
    id: Type.String(),
    type: oneOf(['document', 'group', 'link', 'computed']),
    title: Type.String(),
    linkTitle: Type.Optional(Type.String()),
    emoji: Type.Optional(Type.String()),
    icon: Type.Optional(Type.String()),
    slug: Type.Optional(Type.String()),
    path: Type.Optional(Type.String()),
    hidden: Type.Optional(Type.Boolean()),
    condition: Type.Optional(Type.String()),
    target: Type.Optional(ContentReference),
    parent: nullable(Type.String(), { description: 'The page above; null at the top level' }),
    children: Type.Integer({ description: 'The number of pages directly below the page' }),
  },
  { title: 'OutlinePage' },
)

/** The query for an outline: levels, the path to a page, pages with a text in their titles or paths, or some pages. */
interface OutlineRequest {
  parent?: string | undefined
  parents?: string | undefined
  path?: string | undefined
  query?: string | undefined
  ids?: string | undefined
}

/** The pages that a request for an outline names; undefined if the page that it names does not exist. */
export function outlinePages(
  tree: PageTree,
  { parent, parents, path, query, ids }: OutlineRequest,
): readonly PageRecord[] | undefined {
  if (parent !== undefined) return tree.get(parent) && tree.children(parent)
  if (parents !== undefined) return pagesWithIds(tree, parents).flatMap(({ id }) => tree.children(id))
  if (path !== undefined) {
    const page = tree.byPath(path)
    if (!page && trimmedPath(path) === '') return []
    return page && [page, ...tree.ancestors(page.id)].toReversed()
  }
  if (query !== undefined) return pagesWith(tree, query.trim().toLowerCase())
  if (ids !== undefined) return pagesWithIds(tree, ids)
  return tree.roots()
}

/** The pages with these ids, which commas separate. Unknown ids are left out. */
function pagesWithIds(tree: PageTree, ids: string): readonly PageRecord[] {
  return [...new Set(ids.split(','))].flatMap((id) => tree.get(id) ?? [])
}

/** The pages whose title or path has a text, which is in lower case. */
function pagesWith(tree: PageTree, text: string): readonly PageRecord[] {
  if (text === '') return tree.pages()
  return tree
    .pages()
    .filter(
      (page) =>
        page.title.toLowerCase().includes(text) ||
        (hasPath(page) && tree.path(page.id).toLowerCase().includes(text)),
    )
}

/** A page of an outline. Readers of a site do not see its condition. */
export function toOutlinePage({ tree, reader }: PageContext, record: PageRecord) {
  const { id, type, title, linkTitle, emoji, icon, slug, hidden, condition, target } = record
  return {
    id,
    type,
    title,
    ...omitNullish({ linkTitle, emoji, icon }),
    ...(hasPath(record) ? { slug, path: tree.path(id) } : {}),
    ...omitNullish({
      hidden: hidden || undefined,
      condition: reader === undefined ? condition : undefined,
      target,
    }),
    parent: tree.parent(id),
    children: tree.children(id).length,
  }
}
