import { SITE_FONTS } from '../../../core/web/site-fonts.ts'
import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { LONGEST_EXPRESSION } from '../../../core/expression/expression.ts'
import { nullable, oneOf, UNCONDITIONAL, WebUri } from '../../common.ts'
import { CODE_THEMES } from './code-themes.ts'
import { SiteTitle } from '../site-title.ts'

// An object with a title is one value, which is replaced as a whole. An object without a title is a group of settings.

const Color = Type.String({
  pattern: '^#(?:[0-9a-fA-F]{3}){1,2}$',
  'x-pattern': 'be a colour such as "#0b6657"',
})
const ThemedColor = Type.Object({ light: Color, dark: Color }, { title: 'ThemedColor' })
const ThemedUrl = Type.Object({ light: WebUri, dark: WebUri }, { title: 'ThemedUrl' })
const Tint = Type.Object({ color: ThemedColor }, { title: 'Tint' })

/** The name of a font in CSS. */
export const FontFamily = Type.String({ minLength: 1, maxLength: 50, pattern: '\\S', 'x-reason': 'blank' })
export const FontWeight = Type.Integer({ minimum: 1, maximum: 1000 })
/** How many weights a font can have. */
export const FACES_MAX = 20

/** A font whose files the site brings itself. */
export const FontDefinition = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 100 }),
    custom: Type.Boolean(),
    fontFamily: FontFamily,
    fontFaces: Type.Array(
      Type.Object({
        weight: FontWeight,
        sources: Type.Array(Type.Object({ url: WebUri, format: Type.Optional(oneOf(['woff2', 'woff'])) }), {
          minItems: 1,
          maxItems: 4,
        }),
      }),
      { minItems: 1, maxItems: FACES_MAX },
    ),
  },
  { title: 'FontDefinition' },
)
export type FontDefinition = Static<typeof FontDefinition>
const fontOf = <const T extends readonly string[]>(names: T, options: { description?: string } = {}) =>
  Type.Union([oneOf(names), FontDefinition], options)

/** The fonts for code that a site can name. */
const MONOSPACE_FONTS = [
  'FiraCode',
  'IBMPlexMono',
  'JetBrainsMono',
  'SourceCodePro',
  'RobotoMono',
  'SpaceMono',
  'DMMono',
  'Inconsolata',
] as const
const LOCALES = ['en', 'fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br', 'ru'] as const
const PAGE_ACTIONS = ['assistant', 'external-ai', 'markdown', 'mcp', 'git', 'pdf'] as const

const Reference = Type.String({ minLength: 1, maxLength: 100 })
const refOf = <K extends string, F extends TProperties>(kind: K, fields: F) =>
  Type.Object({ kind: oneOf([kind]), ...fields })
/** The target of a link in the header, the footer or the announcement. */
const LinkTarget = Type.Union(
  [
    refOf('url', {
      url: Type.String({
        maxLength: 2048,
        pattern: '^(?:[Hh][Tt][Tt][Pp][Ss]?://|mailto:|tel:)',
        'x-pattern': 'begin with "https://", "http://", "mailto:" or "tel:"',
        ...UNCONDITIONAL,
      }),
    }),
    refOf('file', { file: Reference, space: Type.Optional(Reference) }),
    refOf('page', { page: Reference, space: Type.Optional(Reference) }),
    refOf('anchor', {
      anchor: Type.String({ minLength: 1, maxLength: 256 }),
      page: Type.Optional(Reference),
      space: Type.Optional(Reference),
    }),
    refOf('space', { space: Reference }),
    refOf('user', { user: Reference }),
    refOf('collection', { collection: Reference }),
    refOf('reusable-content', { reusableContent: Reference, space: Type.Optional(Reference) }),
    refOf('openapi', { spec: Reference }),
    refOf('tag', { tag: Reference, space: Type.Optional(Reference) }),
  ],
  { title: 'SiteLinkTarget' },
)

const LINKS_MAX = 50
const LinkTitle = Type.String({ maxLength: 64, ...UNCONDITIONAL })
const ContentLink = Type.Object({ title: LinkTitle, to: LinkTarget }, { title: 'SiteLink' })
const HeaderLink = Type.Object(
  {
    title: LinkTitle,
    style: Type.Optional(oneOf(['link', 'button-primary', 'button-secondary'])),
    to: Type.Union([LinkTarget, Type.Null()], { description: 'Null for an item that only opens its menu' }),
    links: Type.Array(ContentLink, { maxItems: LINKS_MAX, description: 'The menu of the item' }),
    condition: Type.Optional(
      Type.String({
        maxLength: LONGEST_EXPRESSION,
        description: 'A condition that must be true for a visitor to see the item',
      }),
    ),
  },
  { title: 'SiteHeaderLink' },
)
const FooterGroup = Type.Object(
  { title: LinkTitle, links: Type.Array(ContentLink, { maxItems: LINKS_MAX }) },
  { title: 'SiteFooterGroup' },
)
const Announcement = Type.Object(
  {
    enabled: Type.Boolean(),
    message: Type.String({ minLength: 2, maxLength: 128, ...UNCONDITIONAL }),
    style: oneOf(['info', 'warning', 'danger', 'success']),
    link: Type.Optional(ContentLink),
  },
  { title: 'Announcement' },
)
const Favicon = Type.Object(
  {
    icon: Type.Optional(ThemedUrl),
    emoji: Type.Optional(
      Type.String({
        maxLength: 64,
        pattern: '^[0-9a-fA-F]{2,6}(-[0-9a-fA-F]{2,6})*$',
        'x-pattern': 'be the code points of an emoji in hexadecimal, joined by dashes, such as "1f44d"',
      }),
    ),
  },
  { title: 'Favicon', description: 'An image, an emoji, or neither' },
)
const CodeThemeName = Type.String({
  maxLength: 64,
  pattern: `^(?:${CODE_THEMES.join('|')})$`,
  'x-pattern': 'be "default-light", "default-dark" or a theme of Shiki such as "nord"',
})
const CodeTheme = Type.Object(
  { light: CodeThemeName, dark: CodeThemeName },
  {
    title: 'CodeTheme',
    description: 'Themes of Shiki, or those of all sites: `default-light` and `default-dark`',
  },
)
const Switch = Type.Object({ enabled: Type.Boolean() })

/** The settings of the appearance of a site. */
export const Customization = Type.Object(
  {
    title: Type.Optional(SiteTitle),
    styling: Type.Object({
      theme: oneOf(['clean', 'muted', 'bold', 'gradient']),
      primaryColor: ThemedColor,
      tint: Type.Optional(Tint),
      infoColor: ThemedColor,
      successColor: ThemedColor,
      warningColor: ThemedColor,
      dangerColor: ThemedColor,
      corners: oneOf(['straight', 'rounded', 'circular']),
      depth: oneOf(['subtle', 'flat']),
      links: oneOf(['default', 'accent']),
      font: fontOf(SITE_FONTS),
      headingFont: Type.Optional(
        fontOf(SITE_FONTS, {
          description: 'The font of headings. By default, that of the text, if one was chosen',
        }),
      ),
      monospaceFont: fontOf(MONOSPACE_FONTS),
      background: oneOf(['plain', 'match']),
      icons: oneOf(['regular', 'solid', 'duotone', 'light', 'thin']),
      sidebar: Type.Object({
        background: oneOf(['default', 'filled']),
        list: oneOf(['default', 'pill', 'line']),
      }),
      codeTheme: Type.Object({ default: CodeTheme, openapi: CodeTheme }),
      search: oneOf(['prominent', 'subtle']),
    }),
    internationalization: Type.Object({ locale: oneOf(LOCALES) }),
    favicon: Favicon,
    header: Type.Object({
      preset: oneOf(['default', 'bold', 'contrast', 'custom', 'none']),
      logo: Type.Optional(ThemedUrl),
      backgroundColor: Type.Optional(ThemedColor),
      linkColor: Type.Optional(ThemedColor),
      links: Type.Array(HeaderLink, { maxItems: LINKS_MAX }),
    }),
    footer: Type.Object({
      logo: Type.Optional(ThemedUrl),
      groups: Type.Array(FooterGroup, { maxItems: LINKS_MAX }),
      copyright: Type.Optional(Type.String({ maxLength: 300, ...UNCONDITIONAL })),
    }),
    announcement: Type.Optional(Announcement),
    themes: Type.Object({ default: oneOf(['light', 'dark', 'system']), toggeable: Type.Boolean() }),
    pdf: Type.Object({
      enabled: Type.Boolean(),
      pageSize: Type.Optional(oneOf(['a4', 'letter'], { default: 'a4' })),
    }),
    feedback: Switch,
    ai: Type.Object({ mode: oneOf(['none', 'search', 'assistant']) }),
    advancedCustomization: Switch,
    git: Type.Object({ showEditLink: Type.Boolean() }),
    pageActions: Type.Object({
      externalAI: Type.Boolean(),
      markdown: Type.Boolean(),
      mcp: Type.Boolean(),
      items: Type.Array(oneOf(PAGE_ACTIONS), {
        maxItems: PAGE_ACTIONS.length,
        description:
          'The page actions, in the order of the menu. They decide on `externalAI`, `markdown`, `mcp`, `git.showEditLink` and `pdf.enabled`; a request that sends back the list of the response can change these instead.',
      }),
    }),
    externalLinks: Type.Object({ target: oneOf(['self', 'blank']) }),
    pagination: Switch,
    trademark: Switch,
    privacyPolicy: Type.Object({ url: Type.Optional(WebUri) }),
    socialPreview: Type.Object({ url: Type.Optional(WebUri) }),
    socialAccounts: Type.Array(Type.Object({}), { maxItems: 0, description: 'Always empty' }),
    insights: Type.Object({ trackingCookie: Type.Boolean() }),
  },
  { title: 'Customization' },
)
export type Customization = Static<typeof Customization>

/** The URLs that the links of the settings have. */
export function urlsOfSettings({ header, footer, announcement, privacyPolicy }: Customization): string[] {
  const links = [
    ...header.links.flatMap(({ to, links: inside }) => [to, ...inside.map((link) => link.to)]),
    ...footer.groups.flatMap(({ links: inside }) => inside.map(({ to }) => to)),
    announcement?.link?.to,
  ]
  return [
    ...links.flatMap((to) => (to?.kind === 'url' ? to.url : [])),
    ...(privacyPolicy.url === undefined ? [] : [privacyPolicy.url]),
  ]
}

/** Whether a schema is a group of settings, and not one value. */
export function isGroup(schema: TSchema): schema is TSchema & { properties: Record<string, TSchema> } {
  const { type, title, properties } = schema as { type?: unknown; title?: string; properties?: object }
  return type === 'object' && title === undefined && properties !== undefined
}

/** Some settings: those that are absent or null are not set. */
export type CustomizationChanges = ChangesOf<Customization>
type ChangesOf<T> = T extends object ? { [K in keyof T]?: ChangesOf<T[K]> | null } : T

/** The schema of some settings, each of which is optional and can be null. */
export const CustomizationChanges = Type.Unsafe<CustomizationChanges>(changesOf(Customization))

function changesOf({ properties }: { properties: Record<string, TSchema> }): TSchema {
  return Type.Object(
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [
        name,
        Type.Optional(nullable(isGroup(schema) ? changesOf(schema) : schema)),
      ]),
    ),
  )
}

const shade = (light: string, dark: string) => ({ light, dark })
const CODE_THEME = shade('default-light', 'default-dark')

/** The settings of a site that was never customized. The style sheet of all sites has the same colours. */
export const DEFAULT_CUSTOMIZATION: Customization = {
  styling: {
    theme: 'clean',
    primaryColor: shade('#0b6657', '#69cdb9'),
    infoColor: shade('#1f5f99', '#86bdf0'),
    successColor: shade('#21692f', '#86cc8f'),
    warningColor: shade('#865000', '#e6b566'),
    dangerColor: shade('#a62b20', '#f29a8e'),
    corners: 'rounded',
    depth: 'subtle',
    links: 'default',
    font: 'SourceSansPro',
    monospaceFont: 'SourceCodePro',
    background: 'plain',
    icons: 'solid',
    sidebar: { background: 'default', list: 'default' },
    codeTheme: { default: CODE_THEME, openapi: CODE_THEME },
    search: 'prominent',
  },
  internationalization: { locale: 'en' },
  favicon: {},
  header: { preset: 'default', links: [] },
  footer: { groups: [] },
  themes: { default: 'light', toggeable: true },
  pdf: { enabled: false, pageSize: 'a4' },
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
