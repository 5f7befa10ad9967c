import { findSpace } from '../../../access/checks/on.ts'
import { atLeast } from '../../../access/roles/roles.ts'
import type { Row, Tx } from '../../../db/schema.ts'
import { forbidden, unknownId } from '../../../http/errors.ts'
import type { Caller } from '../../../http/route.ts'
import { because } from '../../../core/languages/reasons.ts'

/** The space that a body names, to be published on a site. The caller must have the role `create` on it. @throws 400, 403 */
export async function chooseSpace(
  tx: Tx,
  me: Caller,
  organization: Row<'organization'>,
  { field, id }: { field: string; id: string },
): Promise<Row<'space'>> {
  const found = await findSpace(tx, me, id)
  if (!found || found.space.deletedAt !== null || found.space.organizationId !== organization.id)
    throw unknownId(field, id, 'a space of this organization')
  if (!atLeast(found.role, 'create')) throw forbidden(because('create-required-to-add-space', { id }))
  return found.space
}

/** The spaces with these ids, as `chooseSpace` finds them. */
export async function chooseSpaces(
  tx: Tx,
  me: Caller,
  organization: Row<'organization'>,
  ids: string[],
): Promise<Row<'space'>[]> {
  const chosen: Row<'space'>[] = []
  for (const [i, id] of ids.entries())
    chosen.push(await chooseSpace(tx, me, organization, { field: `body.spaces.${i}`, id }))
  return chosen
}
