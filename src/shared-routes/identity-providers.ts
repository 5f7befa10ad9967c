import { type Static, type TSchema, Type } from 'typebox'
import { onOrg } from '../access/checks/on.ts'
import type { Reader } from '../db/schema.ts'
import { notFound } from '../http/errors.ts'
import { listOf, ListQuery, listRows } from '../http/pagination.ts'
import { ABSENT, route } from '../http/route.ts'
import type { Urls } from '../http/urls.ts'
import { Id, InOrganization } from '../model/common.ts'
import {
  findProvider,
  type IdentityProvider,
  keepProvider,
  type ProviderViewer,
  providersOf,
} from '../model/membership/identity-provider.ts'
import { removeProvider } from '../model/membership/provider-changes.ts'

/** A kind of identity providers. */
interface ProvidersBase<P extends TSchema> {
  kind: IdentityProvider['kind']
  /** A provider of this kind, and several, in the API reference. */
  a: string
  several: string
  /** The parameter of the path that names one. */
  param: string
  resource: P
  show(urls: Urls, db: Reader, rows: IdentityProvider[], viewer: ProviderViewer): Promise<Static<P>[]>
}

/** The routes that list, get and delete the identity providers of an organization, shared by both kinds. */
export function providerRoutes<const P extends TSchema>(base: ProvidersBase<P>) {
  const { kind, a, several, param, resource, show } = base
  const path = `/v1/orgs/:organizationId/${kind}` as const
  // The compiler cannot see what a schema that is a type parameter describes.
  const one: TSchema = resource
  const params = Type.Object({ organizationId: Id, [param]: Id })
  const idIn = (given: Record<string, string>) => given[param] ?? ''

  return {
    list: route({
      method: 'GET',
      path,
      summary: `List the ${several} of an organization, oldest first`,
      access: onOrg('admin'),
      params: InOrganization,
      query: ListQuery,
      returns: listOf(one),
      async handler({ db, me, urls, organization, organizationRole: role, page }) {
        const list = await listRows(providersOf(db, organization.id).where('kind', '=', kind), page, {
          by: ['id'],
        })
        return { ...list, items: await show(urls, db, list.items, { userId: me.userId, role }) }
      },
    }),

    get: route({
      method: 'GET',
      path: `${path}/:${param}`,
      summary: `Get ${a}`,
      access: onOrg('admin'),
      params,
      returns: one,
      async handler({ db, me, urls, organization, organizationRole: role, params: given }) {
        const row = await findProvider(db, organization, kind, idIn(given))
        if (!row) throw notFound('identity provider')
        const [provider] = await show(urls, db, [row], { userId: me.userId, role })
        return provider
      },
    }),

    remove: route({
      method: 'DELETE',
      path: `${path}/:${param}`,
      summary: `Delete ${a}`,
      description:
        'Ends the sessions of everyone who signed in with it. They stay members. The response is 204 even if the provider does not exist.',
      access: onOrg('admin'),
      params,
      async handler({ tx, organization, params: given, audit }) {
        const before = await findProvider(tx, organization, kind, idIn(given))
        if (!before) return ABSENT
        await removeProvider(tx, before)
        await keepProvider(tx, organization)
        audit({ before, target: { type: `${kind}-provider`, id: before.id, label: before.label } })
        return undefined
      },
    }),
  }
}
