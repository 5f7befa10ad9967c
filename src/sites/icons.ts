import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { type Html, html, raw } from './html.ts'

const FOLDER = new URL('./', import.meta.resolve('@fortawesome/fontawesome-free/package.json'))
const STYLES = ['solid', 'regular', 'brands'] as const

const drawings = new Map<string, Html | undefined>()

/**
 * The drawing of an icon by its Font Awesome name, with or without `fa-`; the set carries its older names. Undefined for
 * names outside the free set: a page then simply has no icon.
 */
export function pageIcon(name: string): Html | undefined {
  const key = name.toLowerCase().replace(/^fa-/, '')
  if (!/^[a-z0-9-]{1,50}$/.test(key)) return undefined
  if (drawings.has(key)) return drawings.get(key)

  const drawing = draw(key)
  // What is asked for comes from content: only names that exist are worth remembering without bound.
  if (drawing || drawings.size < 10_000) drawings.set(key, drawing)
  return drawing
}

function draw(name: string): Html | undefined {
  for (const style of STYLES) {
    const source = readIfThere(new URL(`svgs/${style}/${name}.svg`, FOLDER))
    const viewBox = source && /viewBox="([\d .-]+)"/.exec(source)?.[1]
    const path = source && /<path[^>]*\bd="([^"]+)"/.exec(source)?.[1]
    if (viewBox && path) {
      return html`<svg class="icon" viewBox="${viewBox}" aria-hidden="true"><path d="${raw(path)}" /></svg>`
    }
  }
  return undefined
}

function readIfThere(file: URL): string | undefined {
  try {
    return readFileSync(fileURLToPath(file), 'utf8')
  } catch {
    return undefined
  }
}
