import { Type } from 'typebox'
import { sectionShownIf, shownIf } from '../../../../model/places/default-site-space.ts'
import { onSite } from '../../../../access/checks/on-site.ts'
import { loadReach } from '../../../../access/roles/reach.ts'
import { notFound } from '../../../../http/errors.ts'
import { ABSENT, type Caller, route } from '../../../../http/route.ts'
import type { Reader, Role, Row } from '../../../../db/schema.ts'
import { Id, InSite } from '../../../../model/common.ts'
import { checkCustomization, namedIn } from '../../../../model/sites/customization/check-customization.ts'
import {
  Customization,
  CustomizationChanges,
} from '../../../../model/sites/customization/customization-settings.ts'
import {
  deleteOverrides,
  loadCustomizations,
  storeOverrides,
} from '../../../../model/sites/customization/customization.ts'
import { touchSite } from '../../../../model/sites/site.ts'
import { ownRight, shownSiteSpaces, visibleSiteSpaces } from '../../../../model/sites/structure/structure.ts'

const InSiteSpace = Type.Object({ ...InSite.properties, siteSpaceId: Id })

export const getSiteSpaceCustomizationById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/customization',
  summary: 'Get the appearance of a space of a site',
  description: 'Returns the settings of the site, with the values that the space overrides.',
  access: onSite('read'),
  params: InSiteSpace,
  query: Type.Object({ unmasked: Type.Optional(Type.Boolean({ description: 'Has no effect' })) }),
  returns: Customization,
  async handler({ db, me, params, site, organizationRole }) {
    const id = await needSiteSpace(db, me, site, organizationRole, params.siteSpaceId)
    return (await loadCustomizations(db, site.id)).ofSpace(id)
  },
})

export const overrideSiteSpaceCustomizationById = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/customization',
  summary: 'Override the appearance of a site in one of its spaces',
  description:
    'Settings that are not sent, or that already have the value, stay as they are. Null removes an override, so that the setting of the site applies again.',
  access: onSite('create'),
  params: InSiteSpace,
  body: CustomizationChanges,
  returns: Customization,
  audit: 'site.site-space.customization.override',
  async handler({ tx, me, urls, params, body, organization, organizationRole, site, now, audit }) {
    const siteSpaceId = await needSiteSpace(tx, me, site, organizationRole, params.siteSpaceId)
    const before = (await loadCustomizations(tx, site.id)).ofSpace(siteSpaceId)
    await checkCustomization(body, before, { urls, ...namedIn(tx, me, organization.id) })
    const after = await storeOverrides(tx, { siteId: site.id, siteSpaceId }, body, now)
    await touchSite(tx, site, now)
    audit({ before, after })
    return after
  },
})

export const deleteSiteSpaceCustomizationById = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/customization',
  summary: 'Remove all that a space of a site overrides',
  access: onSite('create'),
  params: InSiteSpace,
  status: 205,
  audit: 'site.site-space.customization.delete',
  async handler({ tx, me, params, organizationRole, site, now }) {
    const siteSpaceId = await needSiteSpace(tx, me, site, organizationRole, params.siteSpaceId)
    if (!(await deleteOverrides(tx, { siteId: site.id, siteSpaceId }))) return ABSENT
    await touchSite(tx, site, now)
    return undefined
  },
})

/** The id of a space of the site that the caller can see. @throws 404 */
async function needSiteSpace(
  db: Reader,
  { userId }: Caller,
  site: Row<'site'>,
  role: Role | null,
  id: string,
): Promise<string> {
  const reach = await loadReach(db, { userId, organizationId: site.organizationId, role })
  const found = await visibleSiteSpaces(db, reach)
    .select(['siteSpace.id', shownIf.as('shownIf'), sectionShownIf.as('sectionShownIf')])
    .select(ownRight(reach))
    .where('siteSpace.id', '=', id)
    .where('siteSpace.siteId', '=', site.id)
    .execute()
  const [shown] = shownSiteSpaces(found)
  if (!shown) throw notFound('site space')
  return shown.id
}
