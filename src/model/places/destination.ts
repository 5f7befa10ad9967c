/** Where a space or collection goes when a request moves it. */
import { needParent, needPlace } from '../../access/checks/on.ts'
import type { Role, Tx } from '../../db/schema.ts'
import { conflict } from '../../http/errors.ts'
import type { Caller } from '../../http/route.ts'
import { refuseNesting } from './collection.ts'
import { moveTo, type Place, type Position, type Thing } from './place.ts'
import { because } from '../../core/languages/reasons.ts'

/** The body of a request to move a space or collection. Without `parent`, it keeps its parent. */
interface MoveBody {
  parent?: string | null
  position?: Position
}

/**
 * The parent and the order key that a space or collection has after a move.
 * @throws 400 for a parent or neighbour that the caller cannot see; 403 without the permission "create" there; 409 if it
 * is there already, or would be inside itself
 */
export async function moveDestination(
  tx: Tx,
  me: Caller & { organizationRole: Role | null },
  thing: Thing & Place,
  body: MoveBody,
): Promise<{ parent: string | null; position: string }> {
  const { kind, id, organizationId } = thing
  const parent = body.parent === undefined ? thing.parent : body.parent
  const checkParent = body.parent === undefined ? needPlace : needParent
  await checkParent(tx, me, { organizationId, organizationRole: me.organizationRole }, parent)
  if (kind === 'collection') await refuseNesting(tx, organizationId, id, parent)
  const position = await moveTo(tx, me, { kind, id }, { organizationId, parent }, body.position)
  if (position === undefined) throw conflict(because('already-in-position', { kind }))
  return { parent, position }
}
