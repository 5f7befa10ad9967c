import { type Static, Type } from 'typebox'
import { LANGUAGES } from '../../core/languages/content-languages.ts'
import type { Reader, Role, Row, Tx } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { oneOf, omitNullish } from '../common.ts'

/** A user, as other resources embed it. */
export const User = Type.Object(
  {
    object: oneOf(['user']),
    id: Type.String(),
    displayName: Type.String(),
    email: Type.Optional(Type.String()),
    photoURL: Type.Optional(Type.String()),
    urls: Type.Object({ location: Type.String({ format: 'uri' }) }),
  },
  { title: 'User' },
)
export type User = Static<typeof User>

/** The state of the list of first steps that a user sets. */
export const FIRST_STEPS = ['closed'] as const

/** A user as only the user sees it, with settings. */
export const OwnUser = Type.Object(
  {
    ...User.properties,
    language: Type.Optional(oneOf(LANGUAGES)),
    timeZone: Type.Optional(Type.String({ description: 'The name of a time zone of the IANA database' })),
    firstSteps: Type.Optional(
      oneOf(FIRST_STEPS, {
        description: 'Present if the user has closed the list of first steps in the console',
      }),
    ),
  },
  { title: 'OwnUser' },
)

/** The user with the settings that only the user sees. */
export async function toOwnUser(urls: Urls, db: Reader, row: Row<'user'>): Promise<Static<typeof OwnUser>> {
  const settings = await db
    .selectFrom('userSettings')
    .select(['language', 'timeZone', 'firstSteps'])
    .where('userId', '=', row.id)
    .executeTakeFirst()
  const { language = null, timeZone = null, firstSteps = null } = settings ?? {}
  return { ...toUser(urls, row), ...omitNullish({ language, timeZone, firstSteps }) }
}

/** The language that a user chose for the interface. */
export async function languageOfUser(db: Reader, userId: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('userSettings')
    .select('language')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return found?.language ?? undefined
}

/** Changes settings that only the user sees. Fields that are undefined keep their values. */
export async function changeUserSettings(
  tx: Tx,
  userId: string,
  changes: Partial<Pick<Row<'userSettings'>, 'language' | 'timeZone' | 'firstSteps'>>,
): Promise<void> {
  const set = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  if (Object.keys(set).length === 0) return
  await tx
    .insertInto('userSettings')
    .values({ userId, language: null, timeZone: null, firstSteps: null, ...set })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(set))
    .execute()
}

const KEPT = 'photo:'

/** The value of `photoUrl` for a picture that this server keeps. */
export function keptPhoto(hash: string): string {
  return KEPT + hash
}

/** The hash of a picture that this server keeps; undefined for the URL of another picture. */
export function hashOfPhoto(photoUrl: string): string | undefined {
  return photoUrl.startsWith(KEPT) ? photoUrl.slice(KEPT.length) : undefined
}

/** The name that the signature in the address of a picture is for. */
export function signedPhoto(userId: string, hash: string): string {
  return `photo:${userId}:${hash}`
}

function photoAddress(urls: Urls, { id, photoUrl }: Pick<Row<'user'>, 'id' | 'photoUrl'>): string | null {
  const hash = photoUrl === null ? undefined : hashOfPhoto(photoUrl)
  if (hash === undefined) return photoUrl
  return urls.api(`/users/${id}/photo/${hash}?signature=${urls.signatureOf(signedPhoto(id, hash))}`)
}

/** @param addressShown false if the viewer is a guest, because guests see no e-mail addresses */
export function toUser(
  urls: Urls,
  row: Pick<Row<'user'>, 'id' | 'displayName' | 'email' | 'photoUrl'>,
  addressShown = true,
): User {
  return {
    object: 'user',
    id: row.id,
    displayName: row.displayName,
    ...omitNullish({ email: addressShown ? row.email : null, photoURL: photoAddress(urls, row) }),
    urls: { location: urls.api(`/users/${row.id}`) },
  }
}

/** Users by their ids. @param addressShown false if the viewer is a guest */
export async function usersById(
  urls: Urls,
  db: Reader,
  ids: string[],
  addressShown: boolean,
): Promise<Map<string, User>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('user')
    .selectAll()
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, toUser(urls, row, addressShown)]))
}

/**
 * Users by their ids, as a member of the organization sees them. Guests see no e-mail addresses. Nobody sees the address
 * of a user who left the organization.
 */
export async function usersIn(
  urls: Urls,
  db: Reader,
  { space, organizationRole }: { space: Row<'space'>; organizationRole: Role | null },
  ids: string[],
): Promise<Map<string, User>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('user')
    .leftJoin('member', (join) =>
      join.onRef('member.userId', '=', 'user.id').on('member.organizationId', '=', space.organizationId),
    )
    .select(['user.id', 'user.displayName', 'user.email', 'user.photoUrl', 'member.userId as memberId'])
    .where('user.id', 'in', [...new Set(ids)])
    .execute()
  return new Map(
    rows.map((row) => [row.id, toUser(urls, row, organizationRole !== null && row.memberId !== null)]),
  )
}
