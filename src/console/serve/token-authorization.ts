import { guardedOrganizations } from '../../model/membership/sign-in-options.ts'
import type { Row } from '../../db/schema.ts'
import { tokenAuthorizationPath } from '../../access/roles/reached.ts'
import { renderTokenAuthorization } from '../render/token-authorization.ts'
import { act, notHere, signedIn } from './account.ts'
import type { PageHandler, PageRequestContext } from './page.ts'

/** Where a user authorizes an API token for an organization that requires single sign-on. */
export const tokenAuthorizationPages: Record<string, PageHandler> = {
  'GET /app/tokens/:tokenId/authorize': signedIn(async (context) => {
    const { services, me, wording } = context
    const token = await tokenOf(context)
    if (!me || !token) return notHere(wording)
    const path = tokenAuthorizationPath(token.id)
    const guarded = await guardedOrganizations(services.db.read, me, path)
    const organizations = guarded.filter(({ id }) => (token.organizationId ?? id) === id)
    // A session of a provider reaches one organization, and can authorize the token for it.
    const here = me.session.providerId === null ? undefined : organizations[0]
    return { page: renderTokenAuthorization({ token, here, organizations }, wording) }
  }),

  'POST /app/tokens/:tokenId/authorize': signedIn(async (context) => {
    const { me, params } = context
    const { tokenId = '' } = params
    // Only a session of a provider can authorize the token. The page says where to sign in.
    if (me?.organizationId === undefined) return { location: tokenAuthorizationPath(tokenId) }
    const input = { params: { organizationId: me.organizationId }, body: { token: tokenId } }
    return act(context, 'createTokenAuthorization', input, 'token-authorized')
  }),
}

/**
 * An API token of the user. Its label is not loaded: the people who run a provider can sign in as anybody, and must not
 * learn what the user wrote.
 */
async function tokenOf({
  services,
  me,
  params,
}: PageRequestContext): Promise<
  Pick<Row<'token'>, 'id' | 'organizationId' | 'createdAt' | 'lastUsedAt'> | undefined
> {
  return services.db.read
    .selectFrom('token')
    .select(['id', 'organizationId', 'createdAt', 'lastUsedAt'])
    .where('id', '=', params.tokenId ?? '')
    .where('userId', '=', me?.userId ?? '')
    .where('session', '=', 0)
    .executeTakeFirst()
}
