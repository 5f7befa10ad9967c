import type { TokenKind } from '../../core/document/html/renderer.ts'
import { TOKEN_CLASS } from '../../core/document/html/token-class.ts'
import { readableOn } from './colors.ts'
import { type Chosen, type Palette, paletteOf, SHADES, type Theme } from './palette.ts'

/** The content of the style sheet of a site. */
export interface SiteTheme {
  theme: Theme
  light: Chosen
  dark: Chosen
  /** Families of CSS, the first of which the site chose; absent for those of all sites. */
  sans?: string | undefined
  /** Those of headings; absent for `sans`. */
  headings?: string | undefined
  mono?: string | undefined
  /** The colours of code in light and in dark mode; absent for those of all sites. */
  codeLight?: CodeShades | undefined
  codeDark?: CodeShades | undefined
}

/** The colours of code, as `#rrggbb`. */
interface CodeShades {
  background: string
  text: string
  tokens: Partial<Record<TokenKind, string>>
}

/** The style sheet with the colours and fonts of a site, which overrides the variables of `site.css`. */
export function themeSheet(site: SiteTheme): string {
  const { theme, light, dark, sans, headings = sans, mono, codeLight, codeDark } = site
  const [day, night] = [paletteOf('light', theme, light), paletteOf('dark', theme, dark)]
  const colors = SHADES.map((name) => `--${name}:light-dark(${day[name]},${night[name]});`)
  const fonts = [
    sans && `--sans:${sans};`,
    headings && `--serif:${headings};`,
    mono && `--mono:${mono};`,
  ].filter(Boolean)
  const code = codeRules([day, codeLight], [night, codeDark])
  return `:root{\n${[...colors, ...fonts].join('\n')}\n}\n${code}`
}

/** The names of the colours that blocks of code use besides those of tokens. */
const CODE_SURFACES = [
  'raised',
  'sunken',
  'line',
  'ink',
  'ink-soft',
  'ink-faint',
  'accent',
  'success',
] as const
type Mode = [palette: Palette, code: CodeShades | undefined]

/** The colours of code, as dark or as light as its background needs. */
function codeRules(day: Mode, night: Mode): string {
  if (!day[1] && !night[1]) return ''
  const [light, dark] = [surfacesOf(day), surfacesOf(night)]
  const surfaces = CODE_SURFACES.map((name) => `--${name}:light-dark(${light[name]},${dark[name]});`)
  return `.code{\n${[...surfaces, ...codeTokens(day[1], ''), ...codeTokens(night[1], '-dark')].join('\n')}\ncolor:var(--ink)}\n`
}

function surfacesOf([palette, code]: Mode): Pick<Palette, (typeof CODE_SURFACES)[number]> {
  if (!code) return palette
  const { background, text } = code
  const ink = readableOn(text, [background])
  return {
    raised: background,
    sunken: background,
    line: palette.line,
    ink,
    'ink-soft': ink,
    'ink-faint': ink,
    accent: readableOn(palette.accent, [background]),
    success: readableOn(palette.success, [background]),
  }
}

/** Variables for every kind of token. A theme without a colour for one shows it as text. */
function codeTokens(code: CodeShades | undefined, suffix: '' | '-dark'): string[] {
  if (!code) return []
  return Object.entries(TOKEN_CLASS).map(([kind, name]) => {
    const color = code.tokens[kind as TokenKind] ?? code.text
    return `--${name}${suffix}:${readableOn(color, [code.background])};`
  })
}
