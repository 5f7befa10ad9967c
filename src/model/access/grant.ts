import { findOnSite } from '../../access/checks/on-site.ts'
import { findCollection, findSpace } from '../../access/checks/on.ts'
import type { GrantTarget } from '../../access/roles/explain.ts'
import { atLeast } from '../../access/roles/roles.ts'
import type { Role, Row, Tx } from '../../db/schema.ts'
import type { Caller } from '../../http/route.ts'

/** Grants a role on a space, collection or site to a user or team. It replaces their earlier grant. */
export async function putGrant(
  tx: Tx,
  fields: {
    target: GrantTarget
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
  target: GrantTarget,
  fields: { organizationId: string; role: Role; now: Date },
): Promise<Role> {
  const found = await FINDERS[target.kind](tx, me, target.id, fields.organizationId)
  if (found && atLeast(found.role, 'create')) return found.role
  await putGrant(tx, { ...fields, target, grantee: { kind: 'user', id: me.userId } })
  return fields.role
}

type Find = (tx: Tx, me: Caller, id: string, organizationId: string) => Promise<{ role: Role } | undefined>

const FINDERS: Record<GrantTarget['kind'], Find> = {
  space: findSpace,
  collection: findCollection,
  site: (tx, me, siteId, organizationId) => findOnSite(tx, me, { organizationId, siteId }),
}
