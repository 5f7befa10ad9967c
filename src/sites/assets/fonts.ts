/** The fonts that a site can choose, from the packages of Fontsource, under open licences. */
import { readFileSync } from 'node:fs'
import { type PackagedFile, packagedFile } from '../../core/runtime/packaged-files.ts'

/** The path under which the files of fonts are served; it contains the version of the package. */
export const FONT_BASE = '/_lectern/fonts/'

interface Font {
  package: string
  /** The family name in the package's style sheets. */
  family: string
  /** The style sheets of the package with the weights and styles that pages use. */
  sheets: readonly string[]
  /** The kind of font that a browser shows while this font loads, and for characters that this font lacks. */
  like: 'sans' | 'serif' | 'mono'
}

const variable = (name: string, family: string, like: Font['like'], italic = true): Font => ({
  package: `@fontsource-variable/${name}`,
  family: `${family} Variable`,
  sheets: italic ? ['wght.css', 'wght-italic.css'] : ['wght.css'],
  like,
})
const fixed = (name: string, family: string, like: Font['like'], weights: readonly string[]): Font => ({
  package: `@fontsource/${name}`,
  family,
  sheets: weights.map((weight) => `${weight}.css`),
  like,
})

const TEXT = ['400', '400-italic', '700']
const INTER = variable('inter', 'Inter', 'sans')

/** By the name in a site's settings. ABC Favorit is sold, so a free font that is like it takes its place. */
const FONTS: Record<string, Font> = {
  ABCFavorit: INTER,
  Inter: INTER,
  Roboto: variable('roboto', 'Roboto', 'sans'),
  RobotoSlab: variable('roboto-slab', 'Roboto Slab', 'serif', false),
  OpenSans: variable('open-sans', 'Open Sans', 'sans'),
  Lato: fixed('lato', 'Lato', 'sans', TEXT),
  Ubuntu: fixed('ubuntu', 'Ubuntu', 'sans', TEXT),
  Raleway: variable('raleway', 'Raleway', 'sans'),
  Merriweather: variable('merriweather', 'Merriweather', 'serif'),
  Overpass: variable('overpass', 'Overpass', 'sans'),
  NotoSans: variable('noto-sans', 'Noto Sans', 'sans'),
  IBMPlexSerif: fixed('ibm-plex-serif', 'IBM Plex Serif', 'serif', TEXT),
  Poppins: fixed('poppins', 'Poppins', 'sans', TEXT),
  FiraSans: fixed('fira-sans', 'Fira Sans', 'sans', TEXT),
  FiraCode: variable('fira-code', 'Fira Code', 'mono', false),
  IBMPlexMono: fixed('ibm-plex-mono', 'IBM Plex Mono', 'mono', TEXT),
  JetBrainsMono: variable('jetbrains-mono', 'JetBrains Mono', 'mono'),
  RobotoMono: variable('roboto-mono', 'Roboto Mono', 'mono'),
  SpaceMono: fixed('space-mono', 'Space Mono', 'mono', TEXT),
  DMMono: fixed('dm-mono', 'DM Mono', 'mono', ['400', '400-italic', '500']),
  Inconsolata: variable('inconsolata', 'Inconsolata', 'mono', false),
}
const FALLBACKS = {
  sans: "'Lectern Sans', system-ui, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans', sans-serif",
  serif: "Georgia, 'Songti SC', 'Noto Serif CJK SC', serif",
  mono: "'Lectern Mono', ui-monospace, Menlo, Consolas, monospace",
}

const versions = new Map<string, string>()

function fontVersion(font: Font): string {
  const known = versions.get(font.package)
  if (known) return known
  const { version } = JSON.parse(readFileSync(packagedFile([font.package, 'package.json']), 'utf8')) as {
    version: string
  }
  versions.set(font.package, version)
  return version
}

const fontFileAddress = (font: Font, file: string) =>
  `${FONT_BASE}${font.package.split('/')[1]!}@${fontVersion(font)}/${file}`

/** The families of a font and what is shown instead, for `font-family`; undefined if sites have it without a choice. */
export function fontStack(name: string): string | undefined {
  const font = Object.hasOwn(FONTS, name) ? FONTS[name]! : undefined
  return font && `'${font.family}', ${FALLBACKS[font.like]}`
}

/** The same for headings, whose font without a choice is another one. */
export const headingStack = (name: string): string => fontStack(name) ?? FALLBACKS.sans

/** All files of packages that the fonts of sites need. */
export function siteFontFiles(): PackagedFile[] {
  return Object.values(FONTS).flatMap((font) => {
    const css = font.sheets
      .map((sheet) => readFileSync(packagedFile([font.package, sheet]), 'utf8'))
      .join('\n')
    const files = [...css.matchAll(/files\/[\w-]+\.woff2/g)].map(([file]) => file)
    return ['package.json', ...font.sheets, ...files].map((path) => [font.package, path] as const)
  })
}

const faces = new Map<string, string>()

/**
 * The `@font-face` rules of a font; empty for a name without a font. Browsers load only the files that a page needs.
 * @param assets the path of all assets
 */
export function fontFaces(name: string, assets: string): string {
  const css = facesOf(name)
  return css.replaceAll(`url('${FONT_BASE}`, `url('${assets}fonts/`)
}

function facesOf(name: string): string {
  const known = faces.get(name)
  if (known !== undefined || !Object.hasOwn(FONTS, name)) return known ?? ''
  const font = FONTS[name]!
  const css = font.sheets
    .map((sheet) => readFileSync(packagedFile([font.package, sheet]), 'utf8'))
    .join('\n')
    .replace(/\/\*[^*]*\*\//g, '')
    .replace(/src: url\(\.\/files\/([\w-]+\.woff2)\) format\('[\w-]+'\)[^;]*;/g, (_, file: string) => {
      return `src: url('${fontFileAddress(font, file)}') format('woff2');`
    })
    .replace(/\s*\n\s*/g, '')
  faces.set(name, css)
  return css
}

/** A font whose files a site brings itself. */
interface DefinedFont {
  id: string
  fontFamily: string
  fontFaces: readonly {
    weight: number
    sources: readonly { url: string; format?: 'woff2' | 'woff' | undefined }[]
  }[]
}

/**
 * The families and the `@font-face` rules of a font that a site brings itself. It shows the font of all sites until the
 * own one is loaded.
 * @param pathOf the address of a file on the host of the site; undefined if the server does not have it
 */
export function definedFont(
  { fontFamily, fontFaces: weights }: DefinedFont,
  like: 'sans' | 'mono',
  pathOf: (url: string) => string | undefined,
): { stack: string; faces: string } {
  const family = `Own ${fontFamily.replace(/[^\p{L}\p{N} _-]/gu, '')}`
  const rules = weights.flatMap(({ weight, sources }) => {
    const listed = sources.flatMap(({ url, format }) => {
      const address = pathOf(url)
      const kind = format ?? (/\.woff$/i.test(address ?? '') ? 'woff' : 'woff2')
      return address === undefined ? [] : [`url('${address.replaceAll("'", '%27')}') format('${kind}')`]
    })
    if (listed.length === 0) return []
    return [
      `@font-face{font-family:'${family}';font-weight:${weight};font-display:swap;src:${listed.join(',')}}`,
    ]
  })
  return { stack: `'${family}', ${FALLBACKS[like]}`, faces: rules.join('') }
}

/** The file of a font at a path under `FONT_BASE`; undefined if no font has it. */
export function fontFile(path: string): Buffer | undefined {
  const [, name, version, file] =
    /^\/_lectern\/fonts\/([a-z0-9-]+)@([\d.]+)\/([\w-]+\.woff2)$/.exec(path) ?? []
  const font = Object.values(FONTS).find((one) => one.package.endsWith(`/${name}`))
  if (!font || file === undefined || version !== fontVersion(font)) return undefined
  try {
    return readFileSync(packagedFile([font.package, `files/${file}`]))
  } catch {
    return undefined
  }
}
