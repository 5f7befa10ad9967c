import { type Static, Type } from 'typebox'
import { identifyBlocks } from '../../core/document/identify.ts'
import type { Document } from '../../core/document/model.ts'
import type { Reader, Row, Tx } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { conflict } from '../../http/errors.ts'
import { Id, oneOf, omitNullish, Timestamp, Uri } from '../common.ts'
import { toDocument } from '../../core/document/to-document.ts'
import { DocumentSchema, needDocument } from '../content/documents/document.ts'
import { usersById, User } from '../people/user.ts'
import { because } from '../../core/languages/reasons.ts'

export const InChangeRequest = Type.Object({ spaceId: Id, changeRequestId: Id })

export const SUBJECT_MAX = 100

/** The subject line of a change request. */
export const Subject = Type.String({ maxLength: SUBJECT_MAX })

export const STATUSES = ['draft', 'open', 'archived', 'merged'] as const

/** A proposed change of a space. */
export const ChangeRequest = Type.Object(
  {
    object: oneOf(['change-request']),
    id: Type.String(),
    number: Type.Integer(),
    status: oneOf(STATUSES),
    subject: Type.String(),
    description: Type.Optional(DocumentSchema),
    createdBy: User,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    space: Type.String(),
    revision: Type.String(),
    revisionInitial: Type.String(),
    revisionMergedAncestor: Type.Optional(Type.String()),
    revisionMerged: Type.Optional(Type.String()),
    comments: Type.Integer(),
    outdated: Type.Boolean(),
    urls: Type.Object({ app: Uri, location: Uri }),
  },
  { title: 'ChangeRequest' },
)
export type ChangeRequest = Static<typeof ChangeRequest>

/** The base of a change request: the last primary revision that it includes. */
export function ancestorOf(row: Pick<Row<'changeRequest'>, 'revisionInitial' | 'revisionMergedAncestor'>) {
  return row.revisionMergedAncestor ?? row.revisionInitial
}

/** Serializes a description for its column. @throws 400 with the path in `description` that is invalid */
export function descriptionText(description: unknown): string {
  const read = needDocument(description, 'body.description')
  identifyBlocks(read)
  return JSON.stringify(toDocument(read))
}

/** Whether a change request is archived or merged: nobody can change its content. */
export function isClosed({ status }: Pick<Row<'changeRequest'>, 'status'>): boolean {
  return status === 'archived' || status === 'merged'
}

/** Refuses to change an archived or merged change request. @throws 409 */
export function refuseClosed({ status }: Pick<Row<'changeRequest'>, 'status'>): void {
  if (status === 'archived') throw conflict(because('change-request-archived'))
  if (status === 'merged') throw conflict(because('change-request-merged'))
}

/** @param addressShown false if the viewer is a guest */
export async function toChangeRequest(
  urls: Urls,
  db: Reader,
  row: Row<'changeRequest'>,
  addressShown: boolean,
): Promise<ChangeRequest> {
  const [shown] = await toChangeRequests(urls, db, [row], addressShown)
  if (!shown) throw new Error('one row makes one change request')
  return shown
}

/** Change requests as the API returns them. Each related table is queried once for all of them. */
export async function toChangeRequests(
  urls: Urls,
  db: Reader,
  rows: Row<'changeRequest'>[],
  addressShown: boolean,
): Promise<ChangeRequest[]> {
  if (rows.length === 0) return []
  const authors = await usersById(
    urls,
    db,
    rows.map(({ createdBy }) => createdBy),
    addressShown,
  )
  const spaces = await db
    .selectFrom('space')
    .select(['id', 'revisionId'])
    .where('id', 'in', [...new Set(rows.map(({ spaceId }) => spaceId))])
    .execute()
  const discussed = await db
    .selectFrom('comment')
    .select('changeRequestId')
    .select((eb) => eb.fn.countAll().as('comments'))
    .where('status', '=', 'open')
    .where(
      'changeRequestId',
      'in',
      rows.map(({ id }) => id),
    )
    .groupBy('changeRequestId')
    .execute()
  const revisionOf = new Map(spaces.map(({ id, revisionId }) => [id, revisionId]))
  const commentsOf = new Map(
    discussed.map(({ changeRequestId, comments }) => [changeRequestId, Number(comments)]),
  )

  return rows.map((row) => ({
    object: 'change-request',
    id: row.id,
    number: row.number,
    status: row.status,
    subject: row.subject,
    ...(row.description === null ? {} : { description: JSON.parse(row.description) as Document }),
    createdBy: authors.get(row.createdBy)!,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    space: row.spaceId,
    revision: row.revisionId,
    revisionInitial: row.revisionInitial,
    ...omitNullish({
      revisionMergedAncestor: row.revisionMergedAncestor,
      revisionMerged: row.revisionMerged,
    }),
    comments: commentsOf.get(row.id) ?? 0,
    outdated: row.status !== 'merged' && ancestorOf(row) !== revisionOf.get(row.spaceId),
    urls: {
      app: urls.app(`/s/${row.spaceId}/~/changes/${row.number}`),
      location: urls.api(`/spaces/${row.spaceId}/change-requests/${row.id}`),
    },
  }))
}

/** Creates a draft from the current content of a space, with the next number in the space. */
export async function insertChangeRequest(
  tx: Tx,
  space: Row<'space'>,
  fields: { id: string; subject: string; userId: string; now: Date },
): Promise<Row<'changeRequest'>> {
  const { last } = await tx
    .selectFrom('changeRequest')
    .select((eb) => eb.fn.max('number').as('last'))
    .where('spaceId', '=', space.id)
    .executeTakeFirstOrThrow()
  const createdAt = fields.now.toISOString()
  const row: Row<'changeRequest'> = {
    id: fields.id,
    spaceId: space.id,
    number: (last ?? 0) + 1,
    status: 'draft',
    subject: fields.subject,
    description: null,
    revisionId: space.revisionId,
    revisionInitial: space.revisionId,
    revisionMergedAncestor: null,
    revisionMerged: null,
    createdBy: fields.userId,
    createdAt,
    updatedAt: createdAt,
  }
  await tx.insertInto('changeRequest').values(row).execute()
  return row
}
