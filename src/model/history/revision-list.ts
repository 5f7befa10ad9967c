/** The history of a space or change request. */
import type { Reader, Row } from '../../db/schema.ts'
import { type ListOf, listRows, type PageRequest } from '../../http/pagination.ts'
import type { Summarized } from './revision.ts'

/** A line of revisions: the primary content of a space, or a change request. */
export interface RevisionLine {
  space: Row<'space'>
  changeRequest?: Row<'changeRequest'> | undefined
}

/** A query for the revisions of a line. They are numbered by `sequence` without gaps, and are never removed. */
export function revisionsIn(db: Reader, { space, changeRequest }: RevisionLine) {
  const revisions = db.selectFrom('revision').where('spaceId', '=', space.id)
  return changeRequest
    ? revisions.where('changeRequestId', '=', changeRequest.id)
    : revisions.where('changeRequestId', 'is', null)
}

/** The columns of a summary, and the number of the revision in its line. */
export const SUMMARY_COLUMNS = [
  'id',
  'spaceId',
  'type',
  'parents',
  'message',
  'mergedFrom',
  'createdBy',
  'coAuthorId',
  'createdAt',
  'sequence',
] as const

/** A page of the revisions of a line, newest first. */
export async function listRevisionsIn(
  db: Reader,
  line: RevisionLine,
  page: PageRequest,
): Promise<ListOf<Summarized>> {
  const all = revisionsIn(db, line)
  const last = all.select((eb) => eb.fn.max('sequence').as('count'))
  return listRows(all.select(SUMMARY_COLUMNS), page, {
    by: ['sequence'],
    order: 'desc',
    numeric: true,
    large: ['mergedFrom'],
    // Counting the rows would be slow.
    count: async () => (await last.executeTakeFirst())?.count ?? 0,
  })
}
