import { demand, findOrganization } from '../../access/checks/on.ts'
import { chunks } from '../../db/chunks.ts'
import type { Role, Tx } from '../../db/schema.ts'
import { conflict, preconditionFailed, unknownId } from '../../http/errors.ts'
import type { AuditNote, Caller } from '../../http/route.ts'
import { endOf, type Place } from '../places/place.ts'
import { because } from '../../core/languages/reasons.ts'

/**
 * The place that a space or collection is transferred to: the end of the top level of an organization.
 * @throws 403 unless the caller administers both organizations; 400 if the caller is not a member of the target; 409 if
 * both are the same
 */
export async function needTargetPlace(
  tx: Tx,
  me: Caller,
  from: { organizationId: string; organizationRole: Role | null },
  to: string,
): Promise<Place & { position: string }> {
  demand(from.organizationRole, 'admin', 'in-organization')
  if (from.organizationId === to) throw conflict(because('already-in-organization', { id: to }))
  const found = await findOrganization(tx, me, to)
  if (!found) throw unknownId('body.organization', to, 'an organization that you are a member of')
  demand(found.role, 'admin', 'to-transfer')
  const place = { organizationId: to, parent: null }
  return { ...place, position: await endOf(tx, place) }
}

/**
 * Moves spaces and collections to another organization. Grants, invite links and custom-field values of the old
 * organization are deleted, and so are review requests to users who are not members of the new one.
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
    await forgetReviewers(tx, ids, organizationId)
    lost += await forget(tx, 'space', ids)
  }
  for (const ids of chunks(things.collections)) {
    await tx.updateTable('collection').set({ organizationId, updatedAt }).where('id', 'in', ids).execute()
    lost += await forget(tx, 'collection', ids)
  }
  return lost
}

/** Deletes the review requests to users who are not members of the organization of these spaces, and their drafts. */
async function forgetReviewers(tx: Tx, spaceIds: string[], organizationId: string): Promise<void> {
  const members = tx.selectFrom('member').select('userId').where('organizationId', '=', organizationId)
  for (const table of ['requestedReviewer', 'reviewDraft'] as const)
    await tx.deleteFrom(table).where('spaceId', 'in', spaceIds).where('userId', 'not in', members).execute()
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

/** The note of a transfer for the audit logs of both organizations. */
export function transferAuditNote(
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
  if (used) throw preconditionFailed(because('site-contains-it', { title: used.title }))
}
