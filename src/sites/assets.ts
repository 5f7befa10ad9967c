import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** Where the site's own assets are served from; what is under it never changes. */
export const ASSET_BASE = '/_lectern/'

/** For everything under `ASSET_BASE`: the name changes with the content. */
export const ASSET_CACHE_CONTROL = 'public, max-age=31536000, immutable'

/** Bytes to be served as they are. */
export interface Asset {
  bytes: Buffer
  contentType: string
}

const SCRIPTS = 'text/javascript; charset=utf-8'
const FONT = 'font/woff2'

// Fonts come before the style sheet, which names them by their hashed addresses.
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
  'site.css': 'text/css; charset=utf-8',
  'theme.js': SCRIPTS,
  'site.js': SCRIPTS,
  'icon.svg': 'image/svg+xml',
} as const

/** The assets that pages refer to. */
export type AssetName = keyof typeof FILES

const ASSETS = new URL('assets/', import.meta.url)
const FONTS = new URL('fonts/', ASSETS)
const STYLES = new URL('css/', ASSETS)

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

/** All paths under `ASSET_BASE` that are served. */
export function assetPaths(): string[] {
  return [...load().byPath.keys()]
}

function load(): Loaded {
  if (loaded) return loaded

  const urls = new Map<string, string>()
  const byPath = new Map<string, Asset>()
  for (const [name, contentType] of Object.entries(FILES)) {
    const folder = contentType === FONT ? FONTS : ASSETS
    const bytes = name === 'site.css' ? styleSheet(urls) : readFileSync(new URL(name, folder))
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
    const dot = name.lastIndexOf('.')
    const path = `${ASSET_BASE}${name.slice(0, dot)}.${hash}${name.slice(dot)}`
    urls.set(name, path)
    byPath.set(path, { bytes, contentType })
  }
  loaded = { urls, byPath }
  return loaded
}

// The sheet is kept in parts, by what they are about; the numbers in their names are the order of the cascade.
function styleSheet(urls: Map<string, string>): Buffer {
  const parts = readdirSync(STYLES)
    .filter((name) => name.endsWith('.css'))
    .toSorted()
    .map((name) => readFileSync(new URL(name, STYLES), 'utf8'))
  return Buffer.from(lean(withHashedUrls(parts.join('\n'), urls)))
}

function withHashedUrls(css: string, urls: Map<string, string>): string {
  return css.replace(/url\('?(?:fonts\/)([^')]+)'?\)/g, (_, name: string) => {
    const url = urls.get(name)
    if (url === undefined) throw new Error(`site.css names ${name}, which is not in the table of assets`)
    return `url(${url})`
  })
}

// Comments and white space are for those who work on the sheet; licence notices (`/*!`) stay.
function lean(css: string): string {
  return css
    .replace(/\/\*(?!!)[^*]*\*+(?:[^/*][^*]*\*+)*\//g, '')
    .replace(/\s*\n\s*/g, '\n')
    .replace(/ ?([{};]) ?/g, '$1')
    .trim()
}
