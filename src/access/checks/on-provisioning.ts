import type { Row } from '../../db/schema.ts'
import { unauthorized } from '../../http/errors.ts'
import type { Access } from '../../http/route.ts'

/** The organization of the SCIM token that the caller sends, and the creator of the token. @throws 401 if the token was deleted meanwhile */
export function onProvisioning(): Access<{ organization: Row<'organization'>; tokenCreator: string }> {
  return {
    needs: 'SCIM token',
    async load({ db, me }) {
      const found = await db
        .selectFrom('organization')
        .innerJoin('scimToken', 'scimToken.organizationId', 'organization.id')
        .selectAll('organization')
        .select('scimToken.createdBy as tokenCreator')
        .where('scimToken.id', '=', me.tokenId)
        .executeTakeFirst()
      if (!found) throw unauthorized()
      const { tokenCreator, ...organization } = found
      return { organization, tokenCreator }
    },
  }
}
