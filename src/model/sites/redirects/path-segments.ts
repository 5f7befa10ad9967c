import { chunks } from '../../../db/chunks.ts'
import type { Tx } from '../../../db/schema.ts'
import { conflict, invalidField } from '../../../http/errors.ts'
import { isShareKey } from '../../../http/request/secret-paths.ts'
import { because } from '../../../core/languages/reasons.ts'

/** A section, or a space of a site, with its siblings: whose paths differ. */
interface PathOwner {
  kind: 'site-section' | 'site-space'
  id: string
  siteId: string
  /** The section of a space; null for a section, and in a site without sections. */
  sectionId: string | null
  path: string
}

/** A path segment of a site that a client chose. @throws 400 for text that cannot be one */
export function checkSegment(field: string, path: string): void {
  if (/[/?#%\s\p{Cc}]|^~|^\.{1,2}$/u.test(path)) throw invalidField(field, because('not-path-segment'))
  if (isShareKey(path)) throw invalidField(field, because('like-share-key'))
}

/**
 * Changes the path of a section or of a space of a site. The old path redirects from then on.
 * @throws 409 if a sibling has the path
 */
export async function changePath(tx: Tx, owner: PathOwner, path: string): Promise<void> {
  if (owner.path === path) return
  const { kind, id, siteId, sectionId } = owner
  const level = sectionId ?? ''
  const table = kind === 'site-section' ? 'siteSection' : 'siteSpace'
  const others = await tx
    .selectFrom(table)
    .select('path')
    .where('siteId', '=', siteId)
    .where('id', '!=', id)
    .$if(kind === 'site-space', (rows) =>
      rows.where('sectionId' as never, (sectionId === null ? 'is' : '=') as never, sectionId as never),
    )
    .execute()
  if (others.some((other) => other.path.toLowerCase() === path.toLowerCase())) {
    const what = kind === 'site-section' ? 'section of the site' : 'space beside it'
    throw conflict(because('path-taken', { kind: what, path }))
  }

  const former = tx.deleteFrom('siteOldPath').where('siteId', '=', siteId).where('sectionId', '=', level)
  await former.where('path', 'in', [path.toLowerCase(), owner.path.toLowerCase()]).execute()
  await tx
    .insertInto('siteOldPath')
    .values({ siteId, sectionId: level, path: owner.path.toLowerCase(), kind, targetId: id })
    .execute()
  await tx.updateTable(table).set({ path }).where('id', '=', id).execute()
}

/** The `path` of a former default begins with this, which no segment of a URL has, and ends with its id. */
export const FORMER_DEFAULT = '/'

/**
 * Makes a section the default of its site, or a space the default of its section or of a site without sections. The
 * addresses of the former default had no segment for it: they redirect from now on, wherever the new one has no such page.
 */
export async function chooseDefault(
  tx: Tx,
  { kind, id, siteId, sectionId }: Omit<PathOwner, 'path'>,
): Promise<void> {
  const table = kind === 'site-section' ? 'siteSection' : 'siteSpace'
  const level = await tx
    .selectFrom(table)
    .select(['id', 'isDefault'])
    .where('siteId', '=', siteId)
    .$if(kind === 'site-space', (rows) =>
      rows.where('sectionId' as never, (sectionId === null ? 'is' : '=') as never, sectionId as never),
    )
    .execute()
  const former = level.filter((one) => one.isDefault === 1 && one.id !== id)

  const place = { siteId, sectionId: sectionId ?? '' }
  const paths = [id, ...former.map((one) => one.id)].map((one) => FORMER_DEFAULT + one)
  const known = tx.deleteFrom('siteOldPath').where('siteId', '=', siteId)
  await known.where('sectionId', '=', place.sectionId).where('path', 'in', paths).execute()
  const rows = former.map((one) => ({ ...place, path: FORMER_DEFAULT + one.id, kind, targetId: one.id }))
  if (rows.length > 0) await tx.insertInto('siteOldPath').values(rows).execute()
  for (const one of former)
    await tx.updateTable(table).set({ isDefault: 0 }).where('id', '=', one.id).execute()
  await tx.updateTable(table).set({ isDefault: 1 }).where('id', '=', id).execute()
}

/** Forgets what was said of spaces that left a site, and of their sections: former paths and appearance. */
export async function forgetSiteSpaces(
  tx: Tx,
  siteId: string,
  ids: string[],
  sectionId?: string,
): Promise<void> {
  for (const some of chunks(ids)) {
    await tx.deleteFrom('siteCustomization').where('siteSpaceId', 'in', some).execute()
    await tx.deleteFrom('siteOldPath').where('siteId', '=', siteId).where('targetId', 'in', some).execute()
  }
  if (sectionId === undefined) return
  await tx
    .deleteFrom('siteOldPath')
    .where('siteId', '=', siteId)
    .where((eb) => eb.or([eb('targetId', '=', sectionId), eb('sectionId', '=', sectionId)]))
    .execute()
}
