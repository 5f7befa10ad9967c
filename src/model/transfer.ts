import { demand, needOrganization } from '../access/on.ts'
import type { Role, Row, Tx } from '../db/schema.ts'
import { conflict, preconditionFailed } from '../http/errors.ts'
import type { AuditNote, Caller } from '../http/route.ts'

const ROWS = 500

/**
 * The organization that something is transferred to.
 * @throws 403 unless the caller administers both; 404 if the caller is not in it; 409 if the thing is there already
 */
export async function needTarget(
  tx: Tx,
  me: Caller,
  from: { organizationId: string; organizationRole: Role | null },
  to: string,
): Promise<Row<'organization'>> {
  demand(from.organizationRole, 'admin', 'in this organization')
  if (from.organizationId === to) throw conflict('It is in this organization already')
  const { organization, role } = await needOrganization(tx, me, to)
  demand(role, 'admin', 'in the organization that it is transferred to')
  return organization
}

/**
 * Puts spaces and collections into another organization. Whatever belongs to the old one stays behind: grants, invite
 * links and values of its custom fields.
 * @returns how many grants were lost
 * @throws 412 while a space is part of a site
 */
export async function transferThings(
  tx: Tx,
  things: { collections: string[]; spaces: string[] },
  organizationId: string,
  now: Date,
): Promise<number> {
  const updatedAt = now.toISOString()
  let lost = 0
  for (const ids of chunks(things.spaces)) {
    await refuseOnSites(tx, ids)
    await tx.updateTable('space').set({ organizationId, updatedAt }).where('id', 'in', ids).execute()
    await tx.deleteFrom('customFieldValue').where('spaceId', 'in', ids).execute()
    lost += await forget(tx, 'space', ids)
  }
  for (const ids of chunks(things.collections)) {
    await tx.updateTable('collection').set({ organizationId, updatedAt }).where('id', 'in', ids).execute()
    lost += await forget(tx, 'collection', ids)
  }
  return lost
}

/** Removes the grants and invite links to these spaces or collections. @returns how many grants there were */
export async function forget(tx: Tx, kind: 'space' | 'collection', ids: string[]): Promise<number> {
  let lost = 0
  for (const some of chunks(ids)) {
    const { numDeletedRows } = await tx
      .deleteFrom('grant')
      .where('targetKind', '=', kind)
      .where('targetId', 'in', some)
      .executeTakeFirstOrThrow()
    lost += Number(numDeletedRows)
    await tx.deleteFrom('invite').where('kind', '=', kind).where('targetId', 'in', some).execute()
  }
  return lost
}

/** What the audit logs of both organizations are told of a transfer. */
export function transferTold(
  from: { organizationId: string; parent: string | null },
  to: string,
  lost: number,
): AuditNote {
  return {
    // In one order, so that two transfers in opposite directions do not wait for each other.
    organizations: [from.organizationId, to].toSorted(),
    before: { organizationId: from.organizationId, parent: from.parent, grants: lost },
    after: { organizationId: to, parent: null, grants: 0 },
  }
}

async function refuseOnSites(tx: Tx, ids: string[]): Promise<void> {
  const used = await tx
    .selectFrom('siteSpace')
    .innerJoin('site', 'site.id', 'siteSpace.siteId')
    .select('site.title')
    .where('siteSpace.spaceId', 'in', ids)
    .executeTakeFirst()
  if (used) throw preconditionFailed(`Take it out of the site "${used.title}" first`)
}

/** The ids in pieces that a statement can name. */
export function* chunks<Item>(items: Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += ROWS) yield items.slice(start, start + ROWS)
}
