import { Type } from 'typebox'
import { onSite } from '../../../access/checks/on-site.ts'
import { route } from '../../../http/route.ts'
import { InSite } from '../../../model/common.ts'
import { checkCustomization, namedIn } from '../../../model/sites/customization/check-customization.ts'
import {
  Customization,
  CustomizationChanges,
} from '../../../model/sites/customization/customization-settings.ts'
import { loadCustomizations, storeCustomization } from '../../../model/sites/customization/customization.ts'
import { touchSite } from '../../../model/sites/site.ts'

export const getSiteCustomizationById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/customization',
  summary: 'Get the appearance of a site',
  access: onSite('read'),
  params: InSite,
  query: Type.Object({ unmasked: Type.Optional(Type.Boolean({ description: 'Has no effect' })) }),
  returns: Customization,
  async handler({ db, site }) {
    return (await loadCustomizations(db, site.id)).site
  },
})

export const updateSiteCustomizationById = route({
  method: 'PUT',
  path: '/v1/orgs/:organizationId/sites/:siteId/customization',
  summary: 'Replace the appearance of a site',
  description:
    'Settings that are absent or null get their defaults. Until a client chooses `themes.default`, the mode follows the device, and the response has `light`. Published pages have the new appearance with the next request.',
  access: onSite('create'),
  params: InSite,
  body: CustomizationChanges,
  returns: Customization,
  audit: 'site.customization.update',
  async handler({ tx, me, urls, organization, site, body, now, audit }) {
    const before = (await loadCustomizations(tx, site.id)).site
    await checkCustomization(body, before, { urls, ...namedIn(tx, me, organization.id) })
    const after = await storeCustomization(tx, site.id, body, now)
    await touchSite(tx, site, now)
    audit({ before, after })
    return after
  },
})
