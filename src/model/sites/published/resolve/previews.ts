import type { Reader } from '../../../../db/schema.ts'
import type { OpenSite } from '../open-site.ts'
import type { PathMatch } from './resolve.ts'
import type { Previewing } from '../visit.ts'

/** The change request or revision that an address previews, by its id. */
export type Previewed = { changeRequest: string } | { revision: string }

/**
 * The content that an address below `~/changes/<number>/` or `~/revisions/<id>/` of a space previews: the space as a
 * change request or a revision has it. Only for readers who preview the site; for others, and for other addresses, the
 * match as it is.
 */
export async function previewIn(
  db: Reader,
  open: OpenSite,
  match: PathMatch,
): Promise<PathMatch & { open: OpenSite; previewed?: Previewed }> {
  const { variant, base, rest } = match
  const { preview } = open.visit
  const [, kind, id = '', path = ''] = /^~\/(changes|revisions)\/([\w-]{1,64})(?:\/(.*))?$/s.exec(rest) ?? []
  if (!preview || kind === undefined) return { ...match, open }
  const found =
    kind === 'changes'
      ? await changeRequestAt(db, variant.spaceId, id)
      : await revisionAt(db, variant.spaceId, id)
  if (!found) return { ...match, open }
  const previewed = { ...variant, revisionId: found.revisionId }
  return {
    open: {
      ...open,
      variants: open.variants.map((one) => (one.siteSpaceId === variant.siteSpaceId ? previewed : one)),
      version: `${open.version} ${found.revisionId} ${JSON.stringify(found.of)}`,
      visit: { ...open.visit, preview: { ...preview, of: found.of } },
    },
    variant: previewed,
    base: `${base}~/${kind}/${id}/`,
    rest: path,
    moved: false,
    previewed: found.previewed,
  }
}

/** A revision that is not the published one, and what it is. */
interface Found {
  revisionId: string
  of: Previewing
  previewed: Previewed
}

async function changeRequestAt(db: Reader, spaceId: string, number: string): Promise<Found | undefined> {
  if (!/^[1-9]\d{0,8}$/.test(number)) return undefined
  const found = await db
    .selectFrom('changeRequest')
    .select(['id', 'revisionId', 'subject'])
    .where('spaceId', '=', spaceId)
    .where('number', '=', Number(number))
    .executeTakeFirst()
  if (!found) return undefined
  return {
    revisionId: found.revisionId,
    of: { kind: 'change-request', number: Number(number), subject: found.subject },
    previewed: { changeRequest: found.id },
  }
}

async function revisionAt(db: Reader, spaceId: string, id: string): Promise<Found | undefined> {
  const found = await db
    .selectFrom('revision')
    .select(['id', 'createdAt'])
    .where('spaceId', '=', spaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) return undefined
  return {
    revisionId: found.id,
    of: { kind: 'revision', createdAt: found.createdAt },
    previewed: { revision: found.id },
  }
}
