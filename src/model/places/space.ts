import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { spacePermissions } from '../../access/roles.ts'
import { prepare } from '../../db/prepare.ts'
import type { Reader, Role, Row, SpaceVisibility, Tx } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { DefaultLevelSchema, oneOf, omitNullish, Timestamp, titleOf, Uri } from '../common.ts'
import { isDefaultSiteSpace } from './default-site-space.ts'
import { SpaceMergeRules, toMergeRules } from './merge-rules.ts'
import { endOf } from './place.ts'

const SPACE_VISIBILITIES = [
  'public',
  'unlisted',
  'share-link',
  'visitor-auth',
  'in-collection',
  'private',
] as const

/** The language codes of content. */
export const LANGUAGES =
  'en fr de es it pt pt-br ru ja zh yue ko ar hi nl pl tr sv no da fi el cs hu ro th vi id ms he uk sk bg hr lt lv et sl'.split(
    ' ',
  )

export const SpaceTitle = titleOf(50)
/** An emoji as hex code points, `1f3e0`, or as the character itself. */
export const SpaceEmoji = Type.String({ minLength: 1, maxLength: 50 })

export const Space = Type.Object(
  {
    object: oneOf(['space']),
    id: Type.String(),
    title: Type.String(),
    emoji: Type.String(),
    visibility: oneOf(SPACE_VISIBILITIES),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    deletedAt: Type.Optional(Timestamp),
    editMode: oneOf(['live', 'locked']),
    language: Type.Optional(Type.String()),
    mergeRules: SpaceMergeRules,
    organization: Type.String(),
    parent: Type.Optional(Type.String()),
    revision: Type.String(),
    defaultLevel: DefaultLevelSchema,
    comments: Type.Integer(),
    changeRequests: Type.Integer(),
    changeRequestsOpen: Type.Integer(),
    changeRequestsDraft: Type.Integer(),
    urls: Type.Object({
      location: Uri,
      app: Uri,
      published: Type.Optional(Uri),
      public: Type.Optional(Uri),
      icon: Type.Optional(Uri),
    }),
    permissions: Type.Object({
      view: Type.Boolean(),
      access: Type.Boolean(),
      admin: Type.Boolean(),
      viewInviteLinks: Type.Boolean(),
      edit: Type.Boolean(),
      triggerGitSync: Type.Boolean(),
      comment: Type.Boolean(),
      merge: Type.Boolean(),
      review: Type.Boolean(),
      installIntegration: Type.Boolean(),
    }),
  },
  { title: 'Space' },
)
export type Space = Static<typeof Space>

/**
 * A space as the API returns it. While nothing changed, `prepare` returns the same rows, and the space that was made of
 * them is returned again.
 * @param role the caller's effective role on the space
 */
export async function toSpace(urls: Urls, db: Reader, row: Row<'space'>, role: Role | null): Promise<Space> {
  const places = await placesOfSpace(db, row.id)
  const counts = await countsOfSpace(db, row.id)
  const sources = [urls, role, places, counts]
  const before = made.get(row)
  if (before && sources.every((one, i) => one === before.sources[i])) return before.space

  const space = projectSpace(urls, row, role, addressesOf(urls, places), toCounts(counts))
  if (Object.isFrozen(row)) made.set(row, { sources, space: Object.freeze(space) })
  return space
}

const made = new WeakMap<Row<'space'>, { sources: unknown[]; space: Space }>()

/** Spaces as the API returns them. Each related table is queried once for all spaces. */
export async function toSpaces(
  urls: Urls,
  db: Reader,
  rows: Row<'space'>[],
  roleOf: (row: Row<'space'>) => Role | null,
): Promise<Space[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const published = addressesOf(
    urls,
    await publishedPlaces(db).where('siteSpace.spaceId', 'in', ids).execute(),
  )
  const counts = toCounts(await countsOfSpaces(db).where('id', 'in', ids).execute())
  return rows.map((row) => projectSpace(urls, row, roleOf(row), published, counts))
}

function projectSpace(
  urls: Urls,
  row: Row<'space'>,
  role: Role | null,
  published: Map<string, string>,
  counts: Map<string, typeof NONE>,
): Space {
  return {
    object: 'space',
    id: row.id,
    title: row.title,
    emoji: row.emoji ?? '',
    visibility: visibilityOf(row),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    editMode: row.editMode,
    ...omitNullish({ deletedAt: row.deletedAt, language: row.language }),
    mergeRules: toMergeRules(row),
    organization: row.organizationId,
    ...omitNullish({ parent: row.parent }),
    revision: row.revisionId,
    defaultLevel: row.defaultLevel,
    ...(counts.get(row.id) ?? NONE),
    urls: {
      location: urls.api(`/spaces/${row.id}`),
      app: urls.app(`/s/${row.id}`),
      ...omitNullish({ published: published.get(row.id), icon: row.icon }),
    },
    permissions: spacePermissions(role),
  }
}

/** A private space that inherits the access of its collection is `in-collection`. */
function visibilityOf({ visibility, parent, defaultLevel }: Row<'space'>): SpaceVisibility {
  return visibility === 'private' && parent !== null && defaultLevel === 'inherit'
    ? 'in-collection'
    : visibility
}

type Place = Awaited<ReturnType<typeof placesOfSpace>>[number]
type Counts = Awaited<ReturnType<typeof countsOfSpace>>[number]

/** The address at which each space is published. */
function addressesOf(urls: Urls, places: readonly Place[]): Map<string, string> {
  return new Map(
    places.map((row) => [
      row.spaceId,
      urls.site(row, row.organizationHostname) + (row.isDefault ? '' : `${encodeURIComponent(row.path)}/`),
    ]),
  )
}

const NONE = { comments: 0, changeRequests: 0, changeRequestsOpen: 0, changeRequestsDraft: 0 }

/** The numbers of open comments on each space itself and of its change requests. */
function toCounts(rows: readonly Counts[]): Map<string, typeof NONE> {
  return new Map(
    rows.map(({ id, comments, last, open, draft }) => [
      id,
      {
        comments: Number(comments),
        // Change requests are numbered without gaps and never deleted, so the last number is their count.
        changeRequests: last ?? 0,
        changeRequestsOpen: Number(open),
        changeRequestsDraft: Number(draft),
      },
    ]),
  )
}

/** Each count scans an index, in time linear in the result. */
const countsOfSpaces = (db: Reader) =>
  db.selectFrom('space').select([
    'id',
    sql<number | string>`(select count(*) from "comment" where "comment"."spaceId" = "space"."id"
      and "comment"."changeRequestId" is null and "comment"."status" = 'open')`.as('comments'),
    sql<number | null>`(select max("number") from "changeRequest"
      where "changeRequest"."spaceId" = "space"."id")`.as('last'),
    sql<number | string>`(select count(*) from "changeRequest"
      where "changeRequest"."spaceId" = "space"."id" and "changeRequest"."status" = 'open')`.as('open'),
    sql<number | string>`(select count(*) from "changeRequest"
      where "changeRequest"."spaceId" = "space"."id" and "changeRequest"."status" = 'draft')`.as('draft'),
  ])

const countsOfSpace = prepare((db, argument) => countsOfSpaces(db).where('id', '=', argument(0)))

const publishedPlaces = (db: Reader) =>
  db
    .selectFrom('siteSpace')
    .innerJoin('site', 'site.id', 'siteSpace.siteId')
    .innerJoin('organization', 'organization.id', 'site.organizationId')
    .innerJoin('space', 'space.id', 'siteSpace.spaceId')
    .select(['siteSpace.spaceId', 'siteSpace.path', 'site.hostname', 'site.basename'])
    .select(['organization.hostname as organizationHostname', isDefaultSiteSpace.as('isDefault')])
    .where('site.published', '=', 1)
    .where('space.deletedAt', 'is', null)
    .orderBy('siteSpace.id', 'desc')

const placesOfSpace = prepare((db, argument) =>
  publishedPlaces(db).where('siteSpace.spaceId', '=', argument(0)),
)

/**
 * Creates a locked, private space with an empty first revision. It inherits its access, and its creator gets no grant:
 * they keep access to the space only while they have access to its place.
 */
export async function insertSpace(
  tx: Tx,
  fields: {
    organizationId: string
    userId: string
    parent?: string | null | undefined
    title?: string | undefined
    emoji?: string | undefined
    language?: string | undefined
    editMode?: 'live' | 'locked' | undefined
    now: Date
    newId: () => string
  },
): Promise<Row<'space'>> {
  const { organizationId, userId, now, parent = null } = fields
  const createdAt = now.toISOString()
  const space: Row<'space'> = {
    id: fields.newId(),
    organizationId,
    title: fields.title ?? 'Untitled',
    emoji: fields.emoji ?? null,
    icon: null,
    visibility: 'private',
    editMode: fields.editMode ?? 'locked',
    defaultLevel: 'inherit',
    language: fields.language ?? null,
    mergeRules: JSON.stringify({ type: 'inherit' }),
    revisionId: fields.newId(),
    parent,
    position: await endOf(tx, { organizationId, parent }),
    createdAt,
    updatedAt: createdAt,
    deletedAt: null,
  }
  await tx.insertInto('space').values(space).execute()
  await tx
    .insertInto('revision')
    .values({
      id: space.revisionId,
      spaceId: space.id,
      type: 'edits',
      parents: '[]',
      pages: null,
      files: null,
      reusables: null,
      variables: '{}',
      redirects: '{}',
      oldPlaces: null,
      changeRequestId: null,
      sequence: 1,
      mergedFrom: null,
      message: '',
      createdBy: userId,
      createdAt,
    })
    .execute()
  return space
}
