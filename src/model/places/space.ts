import { LANGUAGES } from '../../core/languages/content-languages.ts'
import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { spacePermissions } from '../../access/roles/roles.ts'
import { ANONYMOUS, conditionsFor } from '../../access/visitors/visitors.ts'
import { withoutHidden } from '../../core/document/markdown/hiding-tags.ts'
import { prepare } from '../../db/prepare.ts'
import type { Reader, Role, Row, SpaceVisibility, Tx } from '../../db/schema.ts'
import type { SiteVisibility } from '../../db/site-tables.ts'
import type { Urls } from '../../http/urls.ts'
import { DefaultLevelSchema, oneOf, omitNullish, Timestamp, titleSchema, Uri } from '../common.ts'
import {
  isDefaultSection,
  isDefaultSiteSpace,
  pathInSite,
  sectionShownIf,
  shownIf,
} from './default-site-space.ts'
import { GitSync, toGitSync } from './git-sync.ts'
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

export const SpaceTitle = titleSchema(50)
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
    language: Type.Optional(oneOf(LANGUAGES)),
    languageTag: Type.Optional(
      Type.String({
        description:
          'The language as a tag (BCP 47), such as `fa` or `zh-TW`, if `language` does not have this language or variety',
      }),
    ),
    mergeRules: SpaceMergeRules,
    organization: Type.String(),
    parent: Type.Optional(Type.String()),
    gitSync: Type.Optional(GitSync),
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
 * @param opened the site on which the caller reads the space
 */
export async function toSpace(
  urls: Urls,
  db: Reader,
  row: Row<'space'>,
  role: Role | null,
  opened?: OpenedSite,
): Promise<Space> {
  const places = await placesOfSpace(db, row.id)
  const counts = await countsOfSpace(db, row.id)
  const sources = [urls, role, places, counts, opened?.siteId, opened?.key]
  const before = made.get(row)
  if (before && sources.every((one, i) => one === before.sources[i])) return before.space

  const space = projectSpace(urls, row, role, publicationsOf(urls, places, opened), toFacts(counts))
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
  opened?: OpenedSite,
): Promise<Space[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const published = publicationsOf(
    urls,
    await publishedPlaces(db).where('siteSpace.spaceId', 'in', ids).execute(),
    opened,
  )
  const facts = toFacts(await countsOfSpaces(db).where('space.id', 'in', ids).execute())
  return rows.map((row) => projectSpace(urls, row, roleOf(row), published, facts))
}

function projectSpace(
  urls: Urls,
  row: Row<'space'>,
  role: Role | null,
  published: Map<string, Publication>,
  facts: Map<string, Facts>,
): Space {
  const publication = published.get(row.id)
  return {
    object: 'space',
    id: row.id,
    title: row.title,
    emoji: row.emoji ?? '',
    visibility: publication?.visibility ?? unpublishedVisibility(row),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    editMode: row.editMode,
    ...omitNullish({ deletedAt: row.deletedAt, language: row.language, languageTag: row.languageTag }),
    mergeRules: toMergeRules(row),
    organization: row.organizationId,
    ...omitNullish({ parent: row.parent }),
    revision: row.revisionId,
    defaultLevel: row.defaultLevel,
    ...(facts.get(row.id) ?? NONE),
    urls: {
      location: urls.api(`/spaces/${row.id}`),
      app: urls.app(`/s/${row.id}`),
      ...omitNullish({ published: publication?.address, icon: row.icon }),
    },
    permissions: spacePermissions(role),
  }
}

/** The visibility of a space that no site publishes: one that inherits the access of its collection is `in-collection`. */
function unpublishedVisibility({ parent, defaultLevel }: Row<'space'>): SpaceVisibility {
  return parent !== null && defaultLevel === 'inherit' ? 'in-collection' : 'private'
}

type Place = Awaited<ReturnType<typeof placesOfSpace>>[number]
type Counts = Awaited<ReturnType<typeof countsOfSpace>>[number]

/** Where a space is published, and who may read it there. */
interface Publication {
  /** Absent if the caller would find every address closed. */
  address: string | undefined
  visibility: SiteVisibility
}

/** A site that the caller reads, with the key of its share link if it has one. */
export interface OpenedSite {
  siteId: string
  key: string | undefined
}

/** From the most open to the most closed. */
const BY_OPENNESS: SiteVisibility[] = ['public', 'unlisted', 'share-link', 'visitor-auth']

/**
 * The publication of each space. If several sites publish it, its visibility is that of the most open one. Its address is
 * where the caller finds it open: on the site that they read, or else where most readers find it open, oldest first.
 */
function publicationsOf(
  urls: Urls,
  places: readonly Place[],
  opened: OpenedSite | undefined,
): Map<string, Publication> {
  const found = new Map<string, Publication>()
  const maySee = conditionsFor(ANONYMOUS)
  for (const [spaceId, own] of Map.groupBy(places, (place) => place.spaceId)) {
    const oldestFirst = own.toReversed()
    const [visible] = oldestFirst.toSorted((a, b) => openness(a) - openness(b))
    const [best] = oldestFirst
      .filter((place) => !isClosed(place, opened))
      .toSorted((a, b) => closedness(a, opened, maySee) - closedness(b, opened, maySee))
    if (visible)
      found.set(spaceId, {
        visibility: visible.visibility,
        address: best && addressAt(urls, best, opened),
      })
  }
  return found
}

const openness = ({ visibility }: Place) => BY_OPENNESS.indexOf(visibility)

/** A site with share links is closed to everyone who has no key of it. */
function isClosed({ siteId, visibility }: Place, opened: OpenedSite | undefined): boolean {
  return visibility === 'share-link' && !(opened?.siteId === siteId && opened.key !== undefined)
}

/** The fewer readers find a place open, the greater. A condition closes a place to strangers. */
function closedness(
  place: Place,
  opened: OpenedSite | undefined,
  maySee: ReturnType<typeof conditionsFor>,
): number {
  if (opened?.siteId === place.siteId) return -1
  const isGated = !maySee(place.condition) || !maySee(place.sectionCondition)
  return openness(place) + (isGated ? BY_OPENNESS.length : 0)
}

function addressAt(urls: Urls, place: Place, opened: OpenedSite | undefined): string {
  const isShared = place.visibility === 'share-link' && opened?.key !== undefined
  return urls.site(place, place.organizationHostname) + (isShared ? `${opened.key}/` : '') + pathInSite(place)
}

/** A space without the fields that only its members may read. */
export function asVisitor({ parent: _parent, gitSync: _gitSync, ...space }: Space): Space {
  return {
    ...space,
    title: withoutHidden(space.title),
    ...NONE,
    defaultLevel: null,
    mergeRules: { type: 'inherit' },
  }
}

const NONE = { comments: 0, changeRequests: 0, changeRequestsOpen: 0, changeRequestsDraft: 0 }

type Facts = typeof NONE & Pick<Space, 'gitSync'>

/** The numbers of open comments on each space itself and of its change requests, and the repository of its last sync. */
function toFacts(rows: readonly Counts[]): Map<string, Facts> {
  return new Map(
    rows.map(({ id, comments, last, open, draft, key, kind, syncedAt, ...source }) => [
      id,
      {
        comments: Number(comments),
        // Change requests are numbered without gaps and never deleted, so the last number is their count.
        changeRequests: last ?? 0,
        changeRequestsOpen: Number(open),
        changeRequestsDraft: Number(draft),
        ...(key !== null &&
          kind !== null &&
          syncedAt !== null &&
          omitNullish({ gitSync: toGitSync({ ...source, key, kind, syncedAt }) })),
      },
    ]),
  )
}

/** Each count scans an index, in time linear in the result. */
const countsOfSpaces = (db: Reader) =>
  db
    .selectFrom('space')
    .leftJoin('spaceSource', 'spaceSource.spaceId', 'space.id')
    .select(['spaceSource.kind', 'spaceSource.url', 'spaceSource.branch', 'spaceSource.path'])
    .select(['space.id', 'spaceSource.key', 'spaceSource.syncedAt'])
    .select([
      sql<number | string>`(select count(*) from "comment" where "comment"."spaceId" = "space"."id"
      and "comment"."changeRequestId" is null and "comment"."status" = 'open')`.as('comments'),
      sql<number | null>`(select max("number") from "changeRequest"
      where "changeRequest"."spaceId" = "space"."id")`.as('last'),
      sql<number | string>`(select count(*) from "changeRequest"
      where "changeRequest"."spaceId" = "space"."id" and "changeRequest"."status" = 'open')`.as('open'),
      sql<number | string>`(select count(*) from "changeRequest"
      where "changeRequest"."spaceId" = "space"."id" and "changeRequest"."status" = 'draft')`.as('draft'),
    ])

const countsOfSpace = prepare((db, argument) => countsOfSpaces(db).where('space.id', '=', argument(0)))

const publishedPlaces = (db: Reader) =>
  db
    .selectFrom('siteSpace')
    .innerJoin('site', 'site.id', 'siteSpace.siteId')
    .innerJoin('organization', 'organization.id', 'site.organizationId')
    .innerJoin('space', 'space.id', 'siteSpace.spaceId')
    .leftJoin('siteSection', 'siteSection.id', 'siteSpace.sectionId')
    .select(['siteSpace.spaceId', 'siteSpace.siteId', 'siteSpace.path', shownIf.as('condition')])
    .select(['site.hostname', 'site.basename', 'site.proxy', 'site.visibility'])
    .select(sectionShownIf.as('sectionCondition'))
    .select(['organization.hostname as organizationHostname', 'siteSection.path as sectionPath'])
    .select([isDefaultSiteSpace.as('isDefault'), isDefaultSection.as('sectionIsDefault')])
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
    language?: string | null | undefined
    languageTag?: string | null | undefined
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
    editMode: fields.editMode ?? 'locked',
    defaultLevel: 'inherit',
    language: fields.language ?? null,
    languageTag: fields.languageTag ?? null,
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
      burst: null,
      burstBy: null,
    })
    .execute()
  return space
}
