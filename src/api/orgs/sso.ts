import { Type } from 'typebox'
import { anyone } from '../../access/checks/on.ts'
import { route } from '../../http/route.ts'
import { InOrganization, Uri } from '../../model/common.ts'
import { isActive, providersOf, serviceOf } from '../../model/membership/identity-provider.ts'

const SsoLogin = Type.Object(
  {
    id: Type.String(),
    label: Type.String(),
    startURL: { ...Uri, description: 'Where a browser begins to sign in' },
  },
  { title: 'SsoLogin' },
)

export const listSSOProviderLoginsInOrganization = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sso',
  summary: 'List where the members of an organization sign in by single sign-on',
  description: 'Lists the active identity providers, oldest first.',
  access: anyone(),
  params: InOrganization,
  returns: Type.Object({ items: Type.Array(SsoLogin) }),
  async handler({ db, urls, params }) {
    const rows = await providersOf(db, params.organizationId).orderBy('id').execute()
    const items = rows
      .filter(isActive)
      .map((row) => ({ id: row.id, label: row.label, startURL: serviceOf(urls, row).startURL }))
    return { items }
  },
})
