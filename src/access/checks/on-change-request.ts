import { sql } from 'kysely'
import { prepare } from '../../db/prepare.ts'
import type { Reader, Role, Row } from '../../db/schema.ts'
import { notFound } from '../../http/errors.ts'
import type { Access } from '../../http/route.ts'
import { demand, needSpace, type OnSpace } from './on.ts'

/** A change request with its space and the caller's role on the space. */
export interface OnChangeRequest extends OnSpace {
  changeRequest: Row<'changeRequest'>
}

/** The change request with the id or number in the URL, for callers with at least the role `needed` on its space. */
export function onChangeRequest(needed: Role): Access<OnChangeRequest> {
  return {
    needs: `space: ${needed}`,
    async load({ db, me, params }) {
      const found = await needSpace(db, me, params.spaceId ?? '')
      const changeRequest = await needChangeRequest(db, found.space.id, params.changeRequestId ?? '')
      demand(found.role, needed, 'on-space')
      return { ...found, changeRequest }
    },
  }
}

/** The change request of a space with this id or number. @throws 404 */
export async function needChangeRequest(
  db: Reader,
  spaceId: string,
  name: string,
): Promise<Row<'changeRequest'>> {
  const [changeRequest] = await (isNumber(name) ? byNumber : byId)(db, spaceId, name)
  if (!changeRequest) throw notFound('change request')
  return changeRequest
}

/** Ids have at least 20 characters, so a short text of digits is a number. */
function isNumber(name: string): boolean {
  return /^[1-9][0-9]{0,8}$/.test(name)
}

const byId = prepare((db, argument) =>
  db.selectFrom('changeRequest').selectAll().where('spaceId', '=', argument(0)).where('id', '=', argument(1)),
)

const byNumber = prepare((db, argument) =>
  db
    .selectFrom('changeRequest')
    .selectAll()
    .where('spaceId', '=', argument(0))
    .where('number', '=', sql<number>`${argument(1)}`),
)
