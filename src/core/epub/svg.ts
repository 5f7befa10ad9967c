/** Removes from a drawing what runs, or what loads something. */
import { need } from '../data/lists.ts'
import { escapeXml } from '../text/xml.ts'

/** Elements inside one another. */
const MOST_DEPTH = 500

/** Elements that run a program, embed a page, or show what is elsewhere. */
const REMOVED = new Set(
  'script foreignobject iframe object embed audio video handler listener image use feimage'.split(' '),
)
/** These are kept if what they refer to is inside the file. */
const REFERRING = new Set(['image', 'use', 'feimage'])
const LOCAL = /^(?:#|data:image\/(?:png|jpeg|gif|webp);base64,)/i

const TOKEN =
  /<!--[^]*?-->|<!\[CDATA\[([^]*?)\]\]>|<\?[^]*?\?>|<!DOCTYPE[^[>]*>|<(\/?)([A-Za-z_][\w:.-]*)((?:\s+[A-Za-z_][\w:.-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|[^<]+/y
const ATTRIBUTE = /([A-Za-z_][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi
const NAMED = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }))

/** The drawing without scripts and without references to anything outside of it; undefined if it is no well-formed SVG. */
export function cleanSvg(source: string): string | undefined {
  const open: string[] = []
  /** How many of the open elements are outside of the one that is removed. */
  let removedFrom = Infinity
  let out = ''
  let roots = 0
  TOKEN.lastIndex = 0
  for (let at = source.startsWith('\ufeff') ? 1 : 0; at < source.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(source)
    if (!match) return undefined
    const [token, data, end, name = '', attributes = '', empty] = match
    if (end === undefined) {
      const text = token.startsWith('<') ? data : unescaped(token)
      if (text === undefined) {
        if (token.startsWith('<')) continue
        return undefined
      }
      if (open.length === 0 && text.trim() !== '') return undefined
      if (open.length > 0 && removedFrom === Infinity)
        out += escapeXml(open.at(-1) === 'style' ? localStyle(text) : text)
      continue
    }
    if (end) {
      if (open.pop() !== name) return undefined
      if (open.length < removedFrom) out += `</${name}>`
      if (open.length <= removedFrom) removedFrom = Infinity
      continue
    }
    if (open.length === 0 && (name !== 'svg' || roots++ > 0)) return undefined
    if (open.length >= MOST_DEPTH) return undefined
    const given = attributesOf(attributes)
    if (!given) return undefined
    if (removedFrom === Infinity && isRemoved(name, given)) removedFrom = open.length
    if (removedFrom === Infinity) out += `<${name}${printed(given, open.length === 0)}${empty}>`
    if (!empty) open.push(name)
    else if (open.length === removedFrom) removedFrom = Infinity
  }
  return roots === 1 && open.length === 0 ? `<?xml version="1.0" encoding="utf-8"?>\n${out}\n` : undefined
}

/** Editors keep data of their own under other prefixes. */
function isRemoved(name: string, attributes: ReadonlyMap<string, string>): boolean {
  const local = name.toLowerCase()
  if (local.includes(':')) return true
  // An animation could give an element the address that it must not have.
  if (/href$/i.test(attributes.get('attributeName') ?? '')) return true
  if (!REMOVED.has(local)) return false
  const target = attributes.get('href') ?? attributes.get('xlink:href')
  return !(REFERRING.has(local) && target !== undefined && LOCAL.test(target.trim()))
}

/** The attributes that stay; undefined if one is not well-formed. */
function attributesOf(source: string): Map<string, string> | undefined {
  const found = new Map<string, string>()
  for (const [, name = '', double, single] of source.matchAll(ATTRIBUTE)) {
    const value = unescaped(double ?? single ?? '')
    if (value === undefined || found.has(name)) return undefined
    found.set(name, value)
  }
  return found
}

function printed(attributes: ReadonlyMap<string, string>, isRoot: boolean): string {
  let out = isRoot ? ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"' : ''
  for (const [name, value] of attributes) {
    if (/^(?:on|xmlns)/i.test(name) || (name.includes(':') && name !== 'xlink:href' && name !== 'xml:space'))
      continue
    if (/^(?:xlink:)?href$/i.test(name) && !LOCAL.test(value.trim())) continue
    out += ` ${name}="${escapeXml(localStyle(value))}"`
  }
  return out
}

/** A style, or an attribute that may name a place, without addresses outside of the file. Escapes could hide one. */
function localStyle(text: string): string {
  if (!/@import|url\s*\(|image-set|\\/i.test(text)) return text
  return text
    .replaceAll('\\', '')
    .replace(/@import[^;]*;?|(?:-webkit-)?image-set/gi, '')
    .replace(/url\s*\(\s*/gi, 'url(')
    .replace(/url\((?!["']?(?:#|data:image\/))[^)]*\)?/gi, 'none')
}

function unescaped(text: string): string | undefined {
  if (!text.includes('&')) return text
  if (text.replace(ENTITY, '').includes('&')) return undefined
  return text.replace(ENTITY, (_, decimal: string, hex: string, name: string) => {
    if (name) return need(NAMED, name.toLowerCase())
    const point = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return point <= 0x10_ffff ? String.fromCodePoint(point) : ''
  })
}
