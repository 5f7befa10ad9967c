import { type Static, Type } from 'typebox'
import { oneOf } from '../common.ts'
import { Site } from './site.ts'
import { SiteSpace } from './site-space.ts'

const Text = Type.String()
const Flag = Type.Boolean()
const Shades = Type.Object({ light: Text, dark: Text })

/** The appearance of a site. Sites cannot be customized yet, so these settings are the same for every site. */
export const Customization = Type.Object(
  {
    title: Text,
    styling: Type.Object({
      theme: Text,
      primaryColor: Shades,
      tint: Type.Object({ color: Shades }),
      infoColor: Shades,
      successColor: Shades,
      warningColor: Shades,
      dangerColor: Shades,
      corners: Text,
      depth: Text,
      links: Text,
      font: Text,
      monospaceFont: Text,
      background: Text,
      icons: Text,
      sidebar: Type.Object({ background: Text, list: Text }),
      codeTheme: Type.Object({ default: Shades, openapi: Shades }),
      search: Text,
    }),
    internationalization: Type.Object({ locale: Text }),
    favicon: Type.Object({}),
    header: Type.Object({ preset: Text, links: Type.Array(Type.Unknown()) }),
    footer: Type.Object({ groups: Type.Array(Type.Unknown()) }),
    themes: Type.Object({ default: Text, toggeable: Flag }),
    pdf: Type.Object({ enabled: Flag }),
    feedback: Type.Object({ enabled: Flag }),
    ai: Type.Object({ mode: Text }),
    advancedCustomization: Type.Object({ enabled: Flag }),
    git: Type.Object({ showEditLink: Flag }),
    pageActions: Type.Object({ externalAI: Flag, markdown: Flag, mcp: Flag, items: Type.Array(Text) }),
    externalLinks: Type.Object({ target: Text }),
    pagination: Type.Object({ enabled: Flag }),
    trademark: Type.Object({ enabled: Flag }),
    privacyPolicy: Type.Object({}),
    socialPreview: Type.Object({}),
    socialAccounts: Type.Array(Type.Unknown()),
    insights: Type.Object({ trackingCookie: Flag }),
  },
  { title: 'Customization' },
)
type Customization = Static<typeof Customization>

export const PublishedSite = Type.Object(
  {
    object: oneOf(['published-content-site']),
    site: Site,
    structure: Type.Object({ type: oneOf(['siteSpaces']), structure: Type.Array(SiteSpace) }),
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
  siteSpaces: Static<typeof SiteSpace>[],
): Static<typeof PublishedSite> {
  const customization = customizationOf(site.title)
  return {
    object: 'published-content-site',
    site,
    structure: { type: 'siteSpaces', structure: siteSpaces },
    customizations: {
      site: customization,
      siteSpaces: Object.fromEntries(siteSpaces.map(({ id }) => [id, customization])),
    },
    scripts: [],
  }
}

const shade = (light: string, dark: string) => ({ light, dark })

function customizationOf(title: string): Customization {
  const code = shade('default-light', 'default-dark')
  return {
    title,
    styling: {
      theme: 'clean',
      primaryColor: shade('#346ddb', '#7aa2f7'),
      tint: { color: shade('#787878', '#787878') },
      infoColor: shade('#787878', '#787878'),
      successColor: shade('#008847', '#2fbf71'),
      warningColor: shade('#b35c00', '#e8a23d'),
      dangerColor: shade('#c4314b', '#f26d7e'),
      corners: 'rounded',
      depth: 'subtle',
      links: 'default',
      font: 'Inter',
      monospaceFont: 'IBMPlexMono',
      background: 'plain',
      icons: 'regular',
      sidebar: { background: 'default', list: 'default' },
      codeTheme: { default: code, openapi: code },
      search: 'prominent',
    },
    internationalization: { locale: 'en' },
    favicon: {},
    header: { preset: 'default', links: [] },
    footer: { groups: [] },
    themes: { default: 'light', toggeable: true },
    pdf: { enabled: false },
    feedback: { enabled: false },
    ai: { mode: 'none' },
    advancedCustomization: { enabled: false },
    git: { showEditLink: false },
    pageActions: { externalAI: false, markdown: true, mcp: false, items: ['markdown'] },
    externalLinks: { target: 'self' },
    pagination: { enabled: true },
    trademark: { enabled: false },
    privacyPolicy: {},
    socialPreview: {},
    socialAccounts: [],
    insights: { trackingCookie: false },
  }
}
