import type { Row } from '../db/schema.ts'
import { unauthorized } from '../http/errors.ts'
import type { Access } from '../http/route.ts'

/** The organization of the SCIM token that the caller sends. @throws 401 if the token was deleted meanwhile */
export function onProvisioning(): Access<{ organization: Row<'organization'> }> {
  return {
    needs: 'SCIM token',
    async load({ db, me }) {
      const organization = await db
        .selectFrom('organization')
        .innerJoin('scimToken', 'scimToken.organizationId', 'organization.id')
        .selectAll('organization')
        .where('scimToken.id', '=', me.tokenId)
        .executeTakeFirst()
      if (!organization) throw unauthorized()
      return { organization }
    },
  }
}
