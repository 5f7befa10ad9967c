import { findCollection, findSpace } from '../../access/checks/on.ts'
import { atLeast } from '../../access/roles/roles.ts'
import type { Role, Row, Tx } from '../../db/schema.ts'
import type { Caller } from '../../http/route.ts'
import type { Thing } from '../places/place.ts'

/** Grants a role on a space or collection to a user or team. It replaces their earlier grant. */
export async function putGrant(
  tx: Tx,
  fields: {
    target: Thing
    grantee: { kind: 'user' | 'team'; id: string }
    organizationId: string
    role: Role | null
    now: Date
  },
): Promise<void> {
  const { target, grantee, organizationId, role } = fields
  const grant: Row<'grant'> = {
    targetKind: target.kind,
    targetId: target.id,
    granteeKind: grantee.kind,
    granteeId: grantee.id,
    organizationId,
    role,
    createdAt: fields.now.toISOString(),
  }
  await tx
    .insertInto('grant')
    .values(grant)
    .onConflict((conflict) =>
      conflict.columns(['targetKind', 'targetId', 'granteeKind', 'granteeId']).doUpdateSet({ role }),
    )
    .execute()
}

/** Grants the caller their previous role, if a change of the default level took `create` from them. */
export async function keepAccess(
  tx: Tx,
  me: Caller,
  target: Thing,
  fields: { organizationId: string; role: Role; now: Date },
): Promise<Role> {
  const found =
    target.kind === 'space' ? await findSpace(tx, me, target.id) : await findCollection(tx, me, target.id)
  if (found && atLeast(found.role, 'create')) return found.role
  await putGrant(tx, { ...fields, target, grantee: { kind: 'user', id: me.userId } })
  return fields.role
}
