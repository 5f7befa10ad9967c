import { type Static, Type } from 'typebox'
import { oneOf } from '../common.ts'
import type { SiteCustomizations } from './customization/customization.ts'
import { Customization } from './customization/customization-settings.ts'
import { Site } from './site.ts'
import { Structure } from './structure/structure-resource.ts'

export const PublishedSite = Type.Object(
  {
    object: oneOf(['published-content-site']),
    site: Site,
    structure: Structure,
    customizations: Type.Object({
      site: Customization,
      siteSpaces: Type.Record(Type.String(), Customization),
    }),
    scripts: Type.Array(Type.Unknown()),
  },
  { title: 'PublishedSite' },
)

/** A site with its structure and appearance, for clients that render it. */
export function toPublishedSite(
  site: Static<typeof Site>,
  structure: Static<typeof Structure>,
  siteSpaces: string[],
  customizations: SiteCustomizations,
): Static<typeof PublishedSite> {
  const titled = (settings: Customization) => ({ ...settings, title: settings.title ?? site.title })
  return {
    object: 'published-content-site',
    site,
    structure,
    customizations: {
      site: titled(customizations.site),
      siteSpaces: Object.fromEntries(siteSpaces.map((id) => [id, titled(customizations.ofSpace(id))])),
    },
    scripts: [],
  }
}
