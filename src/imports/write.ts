import { resolveReference } from '../core/content/links.ts'
import { displacedRecords, pathTargets } from '../core/content/repository-paths.ts'
import { LONGEST_SLUG, uniquifier } from '../core/text/slug.ts'
import type { ContentRef } from '../core/document/model.ts'
import { spread } from '../core/content/tree/order.ts'
import type { PageRecord } from '../core/content/revision.ts'
import type { PageTree } from '../core/content/tree/tree.ts'
import { checkTree, takenSlugs } from '../core/content/tree/rules.ts'
import { giveTurn, isTurnOver } from '../core/runtime/turns.ts'
import type { Reader, Row, Tx } from '../db/schema.ts'
import { invalid } from '../http/errors.ts'
import { filesOf, pagesOf, reusablesOf } from '../model/content/content.ts'
import { type Changes, commitRevision, makeMaps } from '../model/content/commit.ts'
import { endStoring, type StoringImport } from '../model/content/documents/imported-document.ts'
import { useBlobs } from '../model/content/files/stored-file.ts'
import { moveBelow } from './below.ts'
import type { ImportOutline, OutlinedPage, StoredFile } from './plan-outline.ts'
import { lineKey, recordFiles, recordReusables } from './records.ts'
import { because } from '../core/languages/reasons.ts'
import { faultParameters } from '../core/languages/reasoned.ts'

interface WrittenImport {
  outline: ImportOutline
  files: readonly StoredFile[]
  /** The page below which the pages are added; without it, they are added at the top level. */
  below: string | undefined
  storing: StoringImport | undefined
  planned: PlannedImport
}

interface WriteContext extends PlanContext {
  userId: string
  /** The change request to write to. If absent, the import writes to the primary content. */
  changeRequest?: Row<'changeRequest'>
}

/** An import as the changes of a revision, which are made before the transaction that writes them. */
export interface PlannedImport {
  /** The revision that is changed. */
  parent: string
  changes: Changes
}

interface PlanContext {
  now: Date
  newId: () => string
}

/**
 * Plans an import as changes of a revision. Pages that an earlier import created from the same file are updated and keep
 * their id and position. New pages are added. Nothing is deleted.
 * @throws 400 if the pages would exceed a limit of a space, 404 if the page below which they belong does not exist
 */
export async function planChanges(
  db: Reader,
  parent: Row<'revision'>,
  prepared: Pick<WrittenImport, 'outline' | 'files' | 'below'>,
  { now, newId }: PlanContext,
): Promise<PlannedImport> {
  const at = now.toISOString()
  const tree = await pagesOf(db, parent)
  const { below } = prepared
  const { outline, files } = below === undefined ? prepared : moveBelow(prepared, tree, below)

  const before = { pages: tree, files: await filesOf(db, parent), reusables: await reusablesOf(db, parent) }
  const newFiles = recordFiles(files, [before.files], { at, newId })
  const reusables = recordReusables(outline, [before.reusables], { at, newId })
  const pages = await recordPages(outline.pages, tree, below ?? null, { at, newId })
  const planned = tree.apply(pages)
  await giveTurn()
  const [fault] = checkTree(planned)
  if (fault) throw invalid(because('import-refused', faultParameters(fault)))

  await giveTurn()
  const displaced = displacedRecords(before, { pages, files: newFiles, reusables })
  const records = {
    pages: new Map([...pages, ...displaced.pages]),
    files: new Map([...newFiles, ...displaced.files]),
    reusables,
  }
  await giveTurn()
  const changes: Changes = {
    ...records,
    pages: resolvePages(records.pages, {
      pages: displaced.pages.size === 0 ? planned : tree.apply(records.pages),
      files: new Map([...before.files, ...records.files]),
      reusables: new Map([...before.reusables, ...reusables]),
    }),
    variables: mergedVariables(parent, outline, below),
    redirects: { ...(JSON.parse(parent.redirects) as Record<string, string>), ...outline.redirects },
  }
  return { parent: parent.id, changes: { ...changes, made: await makeMaps(db, parent, changes) } }
}

/** An import below a page adds variables, but does not change those that the other pages of the space use. */
function mergedVariables(parent: Row<'revision'>, { variables }: ImportOutline, below: string | undefined) {
  const known = JSON.parse(parent.variables) as object
  return below === undefined ? { ...known, ...variables } : { ...variables, ...known }
}

/**
 * Writes an import, whose documents and files are stored already, as the revision after `parent`. If the content has changed
 * since the import was planned, it is planned again.
 */
export async function writeImport(
  tx: Tx,
  parent: Row<'revision'>,
  prepared: WrittenImport,
  { userId, now, newId, changeRequest }: WriteContext,
): Promise<Row<'revision'>> {
  const { storing, files } = prepared
  if (storing) await endStoring(tx, storing.id)
  const isCurrent = prepared.planned.parent === parent.id
  const { changes } = isCurrent ? prepared.planned : await planChanges(tx, parent, prepared, { now, newId })
  await useBlobs(tx, parent.spaceId, files)
  const reason = { id: newId(), type: 'edits', message: 'Import', userId, now, changeRequest } as const
  return commitRevision(tx, parent, changes, reason)
}

/** Gives a space without a language that of the import. */
export async function takeLanguage(
  tx: Tx,
  spaceId: string,
  { outline: { language } }: Pick<WrittenImport, 'outline'>,
): Promise<void> {
  if (language === undefined) return
  await tx
    .updateTable('space')
    .set({ language })
    .where('id', '=', spaceId)
    .where('language', 'is', null)
    .where('languageTag', 'is', null)
    .execute()
}

async function recordPages(
  outlined: OutlinedPage[],
  tree: PageTree,
  top: string | null,
  { at, newId }: { at: string; newId: () => string },
): Promise<Map<string, PageRecord>> {
  const records = new Map<string, PageRecord>()

  const place = async (planned: OutlinedPage[], parent: string | null) => {
    if (planned.length === 0) return
    const siblings = parent === null || tree.get(parent) ? tree.children(parent) : []
    const find = finder(tree, siblings)
    const known = planned.map(find)
    const fresh = known.filter((record) => !record).length
    const orders = spread(fresh, siblings.at(-1)?.order ?? null).values()
    const freeSlug = uniquifier(takenSlugs(tree, parent), { caseless: true, longest: LONGEST_SLUG })

    for (const [i, { slug, fields, dates, children }] of planned.entries()) {
      const before = known[i]
      const stay = before ?? {
        id: newId(),
        parent,
        order: orders.next().value ?? '',
        slug: slug === '' ? '' : freeSlug(slug),
        createdAt: dates?.createdAt ?? at,
      }
      records.set(stay.id, {
        ...fields,
        id: stay.id,
        parent: stay.parent,
        order: stay.order,
        slug: stay.slug,
        ...(before?.file === undefined ? {} : { file: before.file }),
        createdAt: stay.createdAt,
        updatedAt: dates?.updatedAt ?? at,
      })
      if (isTurnOver()) await giveTurn()
      await place(children, stay.id)
    }
  }
  await place(outlined, top)
  return records
}

/** Finds the page that an earlier import created from the same file or the same line of the table of contents. */
function finder(tree: PageTree, siblings: readonly PageRecord[]) {
  const byKey = new Map<string, PageRecord>()
  for (const page of siblings.toReversed()) byKey.set(lineKey(page.type, page.slug, page.title), page)

  return ({ slug, fields: { type, title, file } }: OutlinedPage): PageRecord | undefined =>
    file === undefined ? byKey.get(lineKey(type, slug, title)) : tree.byFile(file)
}

/** Covers and link pages store the ids of their targets. Bodies keep their source and are resolved when read. */
export function resolvePages(
  pages: ReadonlyMap<string, PageRecord>,
  after: Parameters<typeof pathTargets>[0],
): Map<string, PageRecord> {
  const targets = pathTargets(after)
  const resolved = (ref: ContentRef | undefined, from?: string) => ref && resolveReference(ref, from, targets)

  return new Map(
    [...pages].map(([id, page]) => {
      const { cover, target, file } = page
      if (target) return [id, { ...page, target: resolved(target) ?? target }]
      if (!cover) return [id, page]
      const refs = { ref: resolved(cover.ref, file), refDark: resolved(cover.refDark, file) }
      return [id, { ...page, cover: { ...cover, ...refs } }]
    }),
  )
}
