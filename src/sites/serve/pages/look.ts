/** The effect of the settings of a site on its pages: colours, links, announcement. */
import { createHash } from 'node:crypto'
import { PREVIEW_PARAMETER } from '../../../access/visitors/preview.ts'
import { listedLinks } from '../../../core/content/tree/entries.ts'
import type { ContentRef } from '../../../core/document/model.ts'
import { emojiCharacter } from '../../../core/document/html/inline.ts'
import { safeUrl } from '../../../core/document/sanitize.ts'
import type { Urls } from '../../../http/urls.ts'
import {
  type Customization,
  DEFAULT_CUSTOMIZATION,
} from '../../../model/sites/customization/customization-settings.ts'
import { definedFont, fontFaces, fontStack, headingStack } from '../../assets/fonts.ts'
import { codeColorsOf } from '../../../highlight/code-theme.ts'
import { emojiIcon } from '../../render/page-head.ts'
import type { Chosen } from '../../render/palette.ts'
import { themeSheet } from '../../render/theme.ts'
import type { NamedLink, Picture, SiteView } from '../../render/view.ts'
import type { SiteContent } from '../../../model/sites/published/content/site-content.ts'
import type { OpenSite } from '../../../model/sites/published/open-site.ts'
import { headerFilter } from '../../../model/sites/published/content/header-filter.ts'
import { settingTarget } from '../../../model/sites/published/content/visible-settings.ts'
import { THEME_PATH } from '../admit.ts'
import { fontAddress, lookImageAddress } from '../files/look-files.ts'

const HEADER_BUTTONS = {
  link: undefined,
  'button-primary': 'primary',
  'button-secondary': 'secondary',
} as const

/** The parts of the frame that the settings decide. */
export function lookOf(urls: Urls, content: SiteContent): Partial<SiteView> {
  const { customization: settings, hasMode } = content
  const { header, footer, announcement, themes, favicon, trademark } = settings
  const { url: policy } = settings.privacyPolicy
  const link = announcement?.link && linkOf(content, announcement.link)
  const logo = pictureOfSetting(urls, content, header.logo)
  const footerLogo = pictureOfSetting(urls, content, footer.logo)
  const theme = themeOf(urls, content)
  const icon = faviconOf(urls, favicon, content)
  return {
    ...(logo ? { logo } : {}),
    ...(icon ? { favicon: icon } : {}),
    links: headerLinks(content),
    ...(announcement?.enabled
      ? {
          announcement: {
            message: announcement.message,
            style: announcement.style,
            ...(link ? { link } : {}),
          },
        }
      : {}),
    footer: {
      ...(footerLogo ? { logo: footerLogo } : {}),
      groups: listedLinks(
        footer.groups.map(({ title, links }) => ({
          title,
          links: links.flatMap((one) => linkOf(content, one) ?? []),
        })),
      ),
      ...(footer.copyright ? { copyright: footer.copyright } : {}),
      ...(policy === undefined || content.hiddenUrls.has(policy) ? {} : { privacyPolicy: policy }),
      trademark: trademark.enabled,
    },
    themeDefault: hasMode ? themes.default : 'system',
    themeToggle: themes.toggeable,
    styles: stylesOf(settings),
    ...(theme ? { theme: theme.href + proofInAddress(content.open) } : {}),
  }
}

function headerLinks(content: SiteContent): NonNullable<SiteView['links']> {
  const items = content.customization.header.links.filter(headerFilter(content)).map((item) => ({
    ...item,
    to: item.to ? linkOf(content, { title: item.title, to: item.to }) : undefined,
    links: item.links.flatMap((one) => linkOf(content, one) ?? []),
  }))
  return listedLinks(items).map(({ title, to, links, style = 'link' }) => {
    const button = HEADER_BUTTONS[style]
    return { ...(to ?? { title }), links, ...(button ? { button } : {}) }
  })
}

/** A link of the settings; undefined if its target does not exist or visitors cannot see it. */
function linkOf(
  content: SiteContent,
  { title, to }: { title: string; to: ContentRef },
): NamedLink | undefined {
  const target = settingTarget(content, to)
  const href = target?.href === undefined ? undefined : safeUrl(target.href)
  if (href === undefined) return undefined
  const external = to.kind === 'url'
  const newWindow = external && content.customization.externalLinks.target === 'blank'
  return { title: title || target?.title || href, href, external, ...(newWindow ? { newWindow } : {}) }
}

/** An image of the settings. The security policy of pages allows images of other hosts only over https. */
function pictureOfSetting(
  urls: Urls,
  { open }: SiteContent,
  images: { light: string; dark: string } | undefined,
): Picture | undefined {
  const [src, dark] = [images?.light, images?.dark].map((url = '') => {
    return lookImageAddress(urls, open, url) ?? (/^https:/i.test(url) ? url : undefined)
  })
  if (src === undefined) return dark === undefined ? undefined : { src: dark }
  return { src, ...(dark === undefined || dark === src ? {} : { dark }) }
}

function faviconOf(
  urls: Urls,
  { icon, emoji }: Customization['favicon'],
  content: SiteContent,
): Picture | undefined {
  const { open } = content
  const own = pictureOfSetting(urls, content, icon)
  if (own) return own
  const chosen =
    emoji ?? (open.site.icon ? (JSON.parse(open.site.icon) as { emoji?: string }).emoji : undefined)
  const character = chosen === undefined ? undefined : emojiCharacter(chosen)
  // The text of an icon that is no emoji would be markup.
  return character === undefined || /[<&\s]/.test(character) ? undefined : { src: emojiIcon(character) }
}

function stylesOf({ styling, header }: Customization): string[] {
  const { theme, corners, depth, links, sidebar, search } = styling
  return [
    theme !== 'clean' && `theme-${theme}`,
    corners !== 'rounded' && `corners-${corners}`,
    depth === 'flat' && 'depth-flat',
    links === 'accent' && 'links-accent',
    sidebar.background === 'filled' && 'sidebar-filled',
    sidebar.list !== 'default' && `list-${sidebar.list}`,
    header.preset === 'none' && 'header-none',
    !['default', 'none'].includes(header.preset) && 'header-filled',
    search === 'subtle' && 'search-subtle',
  ].filter((name) => name !== false)
}

/** The name of an icon, with the style of the site. */
export function styledIcon({ customization }: SiteContent, icon: string): string {
  return customization.styling.icons === 'solid' ? icon : `fa-${customization.styling.icons} ${icon}`
}

/** Browsers send no cookies with the style sheet of a page in an opaque origin. */
const proofInAddress = ({ sandboxed, visit: { preview } }: OpenSite) =>
  sandboxed && preview?.token ? `?${PREVIEW_PARAMETER}=${encodeURIComponent(preview.token)}` : ''

const sheets = new WeakMap<SiteContent, { href: string; sheet: string } | 'none'>()

/** The style sheet of the site with its address, which changes with its content; undefined for the look of all sites. */
export function themeOf(urls: Urls, content: SiteContent): { href: string; sheet: string } | undefined {
  let theme = sheets.get(content)
  if (theme === undefined) sheets.set(content, (theme = makeTheme(urls, content) ?? 'none'))
  return theme === 'none' ? undefined : theme
}

function makeTheme(
  urls: Urls,
  { base, open, customization }: SiteContent,
): { href: string; sheet: string } | undefined {
  const { styling, header } = customization
  const looks = ({ styling: all, header: bar }: Pick<Customization, 'styling' | 'header'>) => {
    const { theme, tint, font, headingFont, monospaceFont, background, codeTheme } = all
    const { primaryColor, infoColor, successColor, warningColor, dangerColor } = all
    const colors = [primaryColor, infoColor, successColor, warningColor, dangerColor, tint]
    const bars = [bar.preset, bar.backgroundColor, bar.linkColor]
    return [theme, ...colors, font, headingFont, monospaceFont, background, codeTheme.default, bars]
  }
  if (JSON.stringify(looks(customization)) === JSON.stringify(looks(DEFAULT_CUSTOMIZATION))) return undefined

  const chosen = (mode: 'light' | 'dark'): Chosen => {
    const color = (one: { light: string; dark: string } | undefined) => one?.[mode]
    const isCustom = header.preset === 'custom'
    const bars = {
      default: undefined,
      none: undefined,
      bold: styling.primaryColor[mode],
      contrast: mode === 'light' ? '#1a1917' : '#f4f2ec',
      custom: color(header.backgroundColor),
    }
    return {
      primary: styling.primaryColor[mode],
      tint: color(styling.tint?.color),
      matching: styling.background === 'match',
      info: styling.infoColor[mode],
      success: styling.successColor[mode],
      warning: styling.warningColor[mode],
      danger: styling.dangerColor[mode],
      header: bars[header.preset],
      headerLink: isCustom ? color(header.linkColor) : undefined,
    }
  }
  const font = (
    name: Customization['styling']['font' | 'monospaceFont'],
    like: 'sans' | 'mono',
    stackOf: (name: string) => string | undefined = fontStack,
  ) =>
    typeof name === 'string'
      ? { stack: stackOf(name), faces: fontFaces(name, open.assets) }
      : definedFont(name, like, (url) => fontAddress(urls, open, url))
  const [sans, mono] = [font(styling.font, 'sans'), font(styling.monospaceFont, 'mono')]
  const headings = styling.headingFont && font(styling.headingFont, 'sans', headingStack)
  const rules = themeSheet({
    theme: styling.theme,
    light: chosen('light'),
    dark: chosen('dark'),
    sans: sans.stack,
    headings: headings?.stack,
    mono: mono.stack,
    codeLight: codeColorsOf(styling.codeTheme.default.light),
    codeDark: codeColorsOf(styling.codeTheme.default.dark),
  })
  const faces = new Set([sans.faces, headings?.faces ?? '', mono.faces])
  const sheet = `${[...faces].join('')}${rules}`
  const hash = createHash('sha256').update(sheet).digest('hex').slice(0, 12)
  return { href: `${base}${THEME_PATH}${hash}.css`, sheet }
}
