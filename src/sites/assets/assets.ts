import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** The path under which a site serves its assets. The content at an address never changes. */
export const ASSET_BASE = '/_lectern/'

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
  'math.css': STYLES,
  'diagrams.css': STYLES,
  'theme.js': SCRIPT,
  'site.js': SCRIPT,
  'mermaid.js': SCRIPT,
  'diagram-frame.js': SCRIPT,
  'diagram-frame.html': HTML,
  'diagrams.js': SCRIPT,
  'icon.svg': 'image/svg+xml',
} as const

/** The name of an asset. */
export type AssetName = keyof typeof FILES

const FOLDER = new URL('./', import.meta.url)
const STYLE_PARTS = new URL('css/', FOLDER)
const MERMAID = new URL('./dist/mermaid.tiny.js', import.meta.resolve('@mermaid-js/tiny/package.json'))

/**
 * The content security policy of the frame that draws diagrams. An author can write any text into a diagram, so Mermaid
 * runs in an opaque origin, without access to the network, to storage or to the page. The browser applies the `sandbox`
 * directive even if a user opens the frame's URL directly.
 */
const FRAME_POLICY = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

interface Loaded {
  urls: Map<string, string>
  byPath: Map<string, Asset>
}

let loaded: Loaded | undefined

/** The address of an asset, with the hash of its content in its name. */
export function assetUrl(name: AssetName): string {
  return load().urls.get(name)!
}

/** The asset at a path under `ASSET_BASE`, or undefined. */
export function asset(path: string): Asset | undefined {
  return load().byPath.get(path)
}

function load(): Loaded {
  if (loaded) return loaded

  const urls = new Map<string, string>()
  const byPath = new Map<string, Asset>()
  for (const [name, contentType] of Object.entries(FILES)) {
    const bytes = contentOf(name, contentType, urls)
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
    const dot = name.lastIndexOf('.')
    const path = `${ASSET_BASE}${name.slice(0, dot)}.${hash}${name.slice(dot)}`
    const headers = contentType === HTML ? { 'content-security-policy': FRAME_POLICY } : undefined
    urls.set(name, path)
    byPath.set(path, { bytes, contentType, ...(headers ? { headers } : {}) })
  }
  loaded = { urls, byPath }
  return loaded
}

function contentOf(name: string, contentType: string, urls: ReadonlyMap<string, string>): Buffer {
  if (name === 'mermaid.js') return readFileSync(MERMAID)
  if (contentType === FONT) return readFileSync(new URL(`fonts/${name}`, FOLDER))
  const source = name === 'site.css' ? siteStyles() : readFileSync(new URL(name, FOLDER), 'utf8')
  const text = withHashedUrls(name, source, urls)
  return Buffer.from(contentType === STYLES ? lean(text) : text)
}

// The sheet is kept in parts by subject; the numbers in their names are the order of the cascade.
function siteStyles(): string {
  return readdirSync(STYLE_PARTS)
    .filter((name) => name.endsWith('.css'))
    .toSorted()
    .map((name) => readFileSync(new URL(name, STYLE_PARTS), 'utf8'))
    .join('\n')
}

/** Replaces the relative addresses of other assets, written `'./name'` or `'fonts/name'`, by their hashed addresses. */
function withHashedUrls(file: string, text: string, urls: ReadonlyMap<string, string>): string {
  return text.replace(/(['"])(?:\.\/|fonts\/)([\w-]+\.\w+)\1/g, (_, quote: string, name: string) => {
    const url = urls.get(name)
    if (url === undefined) throw new Error(`${file} refers to ${name}, which the table of assets does not list before it`)
    return quote + url + quote
  })
}

// Readers need neither comments nor white space; licence notices (`/*!`) stay.
function lean(css: string): string {
  return css
    .replace(/\/\*(?!!)[^*]*\*+(?:[^/*][^*]*\*+)*\//g, '')
    .replace(/\s*\n\s*/g, '\n')
    .replace(/ ?([{};]) ?/g, '$1')
    .trim()
}
