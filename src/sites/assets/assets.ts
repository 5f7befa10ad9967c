import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { IS_BUILT, type PackagedFile, packagedFile } from '../../core/runtime/packaged-files.ts'
import { ASSET_BASE } from '../../core/web/site-paths.ts'
import { buildScripts } from './build-scripts.ts'
import { FONT_BASE, fontFile } from './fonts.ts'

/** The `Cache-Control` header of every asset: an asset that changes gets another address. */
export const ASSET_CACHE_CONTROL = 'public, max-age=31536000, immutable'

/** The content of a file and the headers that it is served with. */
interface Asset {
  bytes: Buffer
  contentType: string
  /** Additional headers, such as the content security policy of the frame that draws diagrams. */
  headers?: Record<string, string>
}

const FONT = 'font/woff2'
const HTML = 'text/html; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'
const STYLES = 'text/css; charset=utf-8'

// A file comes before the files that refer to it, because they name it by its hashed address.
const FILES = {
  'sans-basic.woff2': FONT,
  'sans-latin.woff2': FONT,
  'sans-latin-ext.woff2': FONT,
  'sans-cyrillic.woff2': FONT,
  'sans-greek.woff2': FONT,
  'sans-vietnamese.woff2': FONT,
  'sans-italic-basic.woff2': FONT,
  'sans-italic-latin.woff2': FONT,
  'serif-basic.woff2': FONT,
  'serif-latin.woff2': FONT,
  'serif-latin-ext.woff2': FONT,
  'serif-cyrillic.woff2': FONT,
  'serif-greek.woff2': FONT,
  'mono-basic.woff2': FONT,
  'mono-latin.woff2': FONT,
  'mono-latin-ext.woff2': FONT,
  'math-basic.woff2': FONT,
  'math-more.woff2': FONT,
  'site.css': STYLES,
  'console.css': STYLES,
  'math.css': STYLES,
  'diagrams.css': STYLES,
  'search.css': STYLES,
  'try-it.css': STYLES,
  'theme.js': SCRIPT,
  'console.js': SCRIPT,
  'search.js': SCRIPT,
  'site.js': SCRIPT,
  'mermaid.js': SCRIPT,
  'diagram-frame.js': SCRIPT,
  'diagram-frame.html': HTML,
  'diagrams.js': SCRIPT,
  'try-it.js': SCRIPT,
  'icon.svg': 'image/svg+xml',
} as const

/** The name of an asset. */
export type AssetName = keyof typeof FILES

const FOLDER = new URL('./', import.meta.url)
const STYLE_PARTS = new URL('css/', FOLDER)
/** The pages of the server itself share the fonts and colours of sites. */
const CONSOLE_STYLES = new URL('../../console/assets/console.css', FOLDER)
const SHARED_PARTS = ['1-base.css', '5-code-colors.css']
export const MERMAID: PackagedFile = ['@mermaid-js/tiny', 'dist/mermaid.tiny.js']

/**
 * The content security policy of the frame that draws diagrams. An author can write any text into a diagram, so Mermaid
 * runs in an opaque origin, without access to the network, to storage or to the page. The browser applies the `sandbox`
 * directive even if a user opens the frame's URL directly. Any page may embed the frame, because a site on the API's host
 * has an opaque origin, which no other value of `frame-ancestors` permits; all that the frame does is draw text.
 */
const FRAME_POLICY = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

interface Loaded {
  /** The names of the assets with the hashes of their content. */
  names: Map<string, string>
  byPath: Map<string, Asset>
}

let loaded: Loaded | undefined

/** The address of an asset, with the hash of its content in its name. @param base the path of all assets */
export function assetUrl(name: AssetName, base = ASSET_BASE): string {
  return base + load().names.get(name)!
}

/** The asset at a path under `ASSET_BASE`, or undefined. */
export function asset(path: string): Asset | undefined {
  if (!path.startsWith(FONT_BASE)) return load().byPath.get(path)
  const bytes = fontFile(path)
  return bytes && { bytes, contentType: FONT }
}

function load(): Loaded {
  if (loaded) return loaded

  const names = new Map<string, string>()
  const byPath = new Map<string, Asset>()
  const scripts = builtScripts()
  for (const [name, contentType] of Object.entries(FILES)) {
    const bytes = assetContent(name, contentType, { names, scripts })
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
    const dot = name.lastIndexOf('.')
    const hashed = `${name.slice(0, dot)}.${hash}${name.slice(dot)}`
    const headers = contentType === HTML ? { 'content-security-policy': FRAME_POLICY } : undefined
    names.set(name, hashed)
    byPath.set(ASSET_BASE + hashed, { bytes, contentType, ...(headers ? { headers } : {}) })
  }
  loaded = { names, byPath }
  return loaded
}

/** The folder of the built scripts in an installed package. */
const SCRIPTS = new URL('scripts/', FOLDER)

/** The scripts by name, built before in an installed package. Pages are complete without them, so sites are served even if the bundler cannot run. */
function builtScripts(): ReadonlyMap<string, string> {
  if (IS_BUILT)
    return new Map(readdirSync(SCRIPTS).map((name) => [name, readFileSync(new URL(name, SCRIPTS), 'utf8')]))
  try {
    return buildScripts()
  } catch (error) {
    process.emitWarning(
      `The scripts of pages cannot be built, so pages have none: ${(error as Error).message}`,
    )
    return new Map()
  }
}

interface AssetContext {
  /** The names of the assets that a file may refer to, with their hashes. */
  names: ReadonlyMap<string, string>
  scripts: ReadonlyMap<string, string>
}

function assetContent(name: string, contentType: string, { names, scripts }: AssetContext): Buffer {
  if (name === 'mermaid.js') return readFileSync(packagedFile(MERMAID))
  if (contentType === FONT) return readFileSync(new URL(`fonts/${name}`, FOLDER))
  const source = contentType === SCRIPT ? (scripts.get(name) ?? '') : fileText(name)
  const text = withHashedNames(name, source, names)
  return Buffer.from(contentType === STYLES ? lean(text) : text)
}

function fileText(name: string): string {
  if (name === 'site.css') return siteStyles()
  if (name === 'console.css') return consoleStyles()
  return readFileSync(new URL(name, FOLDER), 'utf8')
}

// The sheet is kept in parts by subject; the numbers in their names are the order of the cascade.
function siteStyles(): string {
  return readdirSync(STYLE_PARTS)
    .filter((name) => name.endsWith('.css'))
    .toSorted()
    .map((name) => readFileSync(new URL(name, STYLE_PARTS), 'utf8'))
    .join('\n')
}

function consoleStyles(): string {
  const shared = SHARED_PARTS.map((part) => readFileSync(new URL(part, STYLE_PARTS), 'utf8'))
  return [...shared, readFileSync(CONSOLE_STYLES, 'utf8')].join('\n')
}

/**
 * Replaces the relative addresses of other assets, written `'./name'` or `'fonts/name'`, by their hashed ones. They stay
 * relative, because a proxy can serve the assets below another path.
 */
function withHashedNames(file: string, text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(/(['"])(?:\.\/|fonts\/)([\w-]+\.\w+)\1/g, (_, quote: string, name: string) => {
    const hashed = names.get(name)
    if (hashed === undefined)
      throw new Error(`${file} refers to ${name}, which the table of assets does not list before it`)
    return `${quote}./${hashed}${quote}`
  })
}

// Readers need neither comments nor white space; licence notices (`/*!`) stay.
function lean(css: string): string {
  return css
    .replace(/\/\*(?!!)[^*]*\*+(?:[^/*][^*]*\*+)*\//g, '')
    .replace(/\s*\n\s*/g, '\n')
    .replace(/ ?([{};]) ?/g, '$1')
    .replace(/([\w-]): /g, '$1:')
    .trim()
}
