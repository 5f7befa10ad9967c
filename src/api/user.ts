import { Type } from 'typebox'
import { isInstallationAdmin } from '../access/checks/on-installation.ts'
import { onSelf } from '../access/checks/on.ts'
import { route } from '../http/route.ts'
import { organizationsLeft } from '../model/places/created-organizations.ts'
import { OwnUser, toOwnUser } from '../model/people/user.ts'

const Caller = Type.Object(
  {
    ...OwnUser.properties,
    permissions: Type.Object({
      createOrganization: Type.Boolean(),
      administerInstallation: Type.Boolean({
        description: 'Whether `/v1/installation` is open to the caller',
      }),
    }),
    organizationLimit: Type.Optional(
      Type.Integer({
        description: 'The number of organizations that the caller may create, if the server limits it',
      }),
    ),
  },
  { title: 'AuthenticatedUser' },
)

export const getAuthenticatedUser = route({
  method: 'GET',
  path: '/v1/user',
  summary: 'Get the caller',
  description: 'Only the user sees `language` and `timeZone`. `PATCH /v1/users/{userId}` changes them.',
  access: onSelf(),
  returns: Caller,
  async handler({ db, me, urls, limits }) {
    const row = await db.selectFrom('user').selectAll().where('id', '=', me.userId).executeTakeFirstOrThrow()
    const { organizations: most } = limits
    const left = most === 'one' ? 0 : await organizationsLeft(db, me.userId, most)
    return {
      ...(await toOwnUser(urls, db, row)),
      permissions: {
        // A session of an identity provider is limited to its organization.
        createOrganization: left > 0 && !me.readOnly && me.organizationId === undefined,
        administerInstallation: await isInstallationAdmin(db, me),
      },
      ...(most !== 'one' && Number.isFinite(left) ? { organizationLimit: most } : {}),
    }
  },
})
