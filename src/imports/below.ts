/** An import below a page of a space: the paths of the archive are paths in a folder of that page. */
import type { PageRecord } from '../core/content/revision.ts'
import type { PageTree } from '../core/content/tree/tree.ts'
import { isBelow } from '../core/text/file-paths.ts'
import { freeName } from '../core/text/slug.ts'
import type { Reader, Row } from '../db/schema.ts'
import { invalid, notFound } from '../http/errors.ts'
import { pagesOf } from '../model/content/content.ts'
import type { ImportOutline, OutlinedPage } from './plan-outline.ts'
import { because } from '../core/languages/reasons.ts'

/** Returns a page that can have pages below it. @throws 404 if it does not exist, 400 if it cannot have any */
function parentPage(tree: PageTree, id: string): PageRecord {
  const page = tree.get(id)
  if (!page) throw notFound('page')
  if (page.type === 'document' || page.type === 'group') return page
  throw invalid(because('not-below-type', { type: page.type }))
}

/** Checks the page of an import before anything is fetched. @throws as `parentPage` */
export async function checkParentPage(db: Reader, revision: Row<'revision'>, id: string): Promise<void> {
  parentPage(await pagesOf(db, revision), id)
}

/**
 * Moves an outline and its files to the folder of a page: `guides/setup/` for `guides/setup.md`. If other pages have
 * paths in that folder, the folder gets a number. Redirects are left out, because they belong to the whole space.
 */
export function moveBelow<F extends { path: string }>(
  { outline, files }: { outline: ImportOutline; files: readonly F[] },
  tree: PageTree,
  id: string,
): { outline: ImportOutline; files: F[] } {
  const folder = folderOfPage(tree, parentPage(tree, id))
  const move = (path: string) => `${folder}/${path}`
  const moved = {
    ...outline,
    pages: outline.pages.map((page) => movedPage(page, move)),
    reusables: outline.reusables.map((reusable) => ({ ...reusable, path: move(reusable.path) })),
    redirects: {},
  }
  return { outline: moved, files: files.map((file) => ({ ...file, path: move(file.path) })) }
}

function movedPage(
  { slug, fields, dates, children }: OutlinedPage,
  move: (path: string) => string,
): OutlinedPage {
  const { file, target } = fields
  const isInside = target?.kind === 'url' && target.url.startsWith('/') && !target.url.startsWith('//')
  return {
    slug,
    fields: {
      ...fields,
      // Groups are only at the top level. Elsewhere, an empty page holds the others.
      type: fields.type === 'group' ? 'document' : fields.type,
      ...(file === undefined ? {} : { file: move(file) }),
      ...(isInside ? { target: { ...target, url: `/${move(target.url.slice(1))}` } } : {}),
    },
    ...(dates ? { dates } : {}),
    children: children.map((child) => movedPage(child, move)),
  }
}

function folderOfPage(tree: PageTree, page: PageRecord): string {
  const stem = page.file?.replace(/\.(?:md|markdown)$/i, '') ?? tree.path(page.id)
  const others = tree.pages().flatMap(({ id, file }) => {
    if (file === undefined || !file.startsWith(stem)) return []
    return tree.ancestors(id).some((ancestor) => ancestor.id === page.id) ? [] : [file]
  })
  return freeName(stem, (folder) => others.some((file) => isBelow(file, folder)))
}
