import type { Reader, Row } from '../../db/schema.ts'
import { notFound } from '../../http/errors.ts'
import type { Access, Caller } from '../../http/route.ts'
import { demand, findOrganization, needOrganization, refuseHiddenOrganization } from './on.ts'
import { findOnSite } from './on-site.ts'

interface OnHostname {
  organization: Row<'organization'>
  customHostname: Row<'customHostname'>
}

/** The custom host name in the URL, for callers with at least the role `needed` on its site. */
export function onCustomHostname(needed: 'read' | 'create'): Access<OnHostname> {
  return {
    needs: `site: ${needed}`,
    async load({ db, me, params }) {
      const found = await findHostname(db, me, params.hostname ?? '', needed)
      if (!found) throw notFound('host name')
      return found
    },
  }
}

/** The same, or undefined if it does not exist or the caller cannot see it: deleting it then succeeds with 204. */
export function onCustomHostnameIfThere(
  needed: 'create',
): Access<{ found: OnHostname | undefined; organization: Row<'organization'> | undefined }> {
  return {
    needs: `site: ${needed}`,
    async load({ db, me, params }) {
      const found = await findHostname(db, me, params.hostname ?? '', needed)
      // The audit log reads the organization.
      return { found, organization: found?.organization }
    },
  }
}

/** The organization with the subdomain in the URL, for its members and guests. */
export function onSubdomain(): Access<{ organization: Row<'organization'> }> {
  return {
    needs: 'organization: member',
    async load({ db, me, params }) {
      const named = await db
        .selectFrom('organization')
        .select('id')
        .where('hostname', '=', params.subdomain ?? '')
        .executeTakeFirst()
      if (!named) throw notFound('organization')
      const { organization } = await needOrganization(db, me, named.id)
      return { organization }
    },
  }
}

async function findHostname(
  db: Reader,
  me: Caller,
  hostname: string,
  needed: 'read' | 'create',
): Promise<OnHostname | undefined> {
  const customHostname = await db
    .selectFrom('customHostname')
    .selectAll()
    .where('hostname', '=', hostname)
    .executeTakeFirst()
  const found = customHostname && (await findOrganization(db, me, customHostname.organizationId))
  if (customHostname && !found) await refuseHiddenOrganization(db, me, customHostname.organizationId)
  if (!found) return undefined
  const { siteId, organizationId } = customHostname
  // A host name without a site is that of the organization.
  const onIt = siteId === null ? found : await findOnSite(db, me, { organizationId, siteId })
  if (!onIt || onIt.role === null) return undefined
  demand(onIt.role, needed, siteId === null ? 'in-organization' : 'on-site')
  return { organization: found.organization, customHostname }
}
