/** What the head of a web page says about it, for a card that links to it. */
import { decodeEntities } from '../../document/markdown/entities.ts'

/** The data of a card. Texts are plain text, and the icon is an address with http or https. */
export interface PageCard {
  title?: string
  site?: string
  icon?: string
}

/** No more of a page is read, in UTF-16 units. */
const MOST_READ = 256 * 1024
/** Longer tags and titles are left out or cut. */
const [LONGEST_TAG, LONGEST_TITLE] = [4_000, 300]
/** How many tags are read. */
const MOST_TAGS = 500
const LONGEST_ADDRESS = 2_000

/**
 * Reads the card of a page from its HTML, up to the end of its head. Takes linear time.
 * @param url the address of the page, from which that of its icon is resolved
 */
export function readPageCard(source: string, url: string): PageCard {
  const html = source.slice(0, MOST_READ)
  const meta = new Map<string, string>()
  let [title, icon]: (string | undefined)[] = []
  let left = MOST_TAGS
  for (let start = html.indexOf('<'); start !== -1; start = html.indexOf('<', start + 1)) {
    const name = NAME.exec(html.slice(start + 1, start + 12))?.[0].toLowerCase()
    if (name === undefined) continue
    left -= 1
    if (left < 0) break
    const tag = TAG.exec(html.slice(start, start + LONGEST_TAG))?.[0] ?? ''
    const end = start + Math.max(1, tag.length) - 1
    if (name === 'body' || name === '/head') break
    if (name === 'title' && title === undefined) {
      const closing = html.indexOf('<', end)
      title = html.slice(end + 1, closing === -1 ? end + LONGEST_TITLE : closing)
    } else if (name === 'meta') {
      const attributes = attributesIn(tag)
      const key = attributes.get('property') ?? attributes.get('name')
      const content = attributes.get('content')
      if (key && content && !meta.has(key.toLowerCase())) meta.set(key.toLowerCase(), content)
    } else if (name === 'link') {
      const attributes = attributesIn(tag)
      if (/(?:^|\s)icon(?:\s|$)/i.test(attributes.get('rel') ?? '')) icon ??= attributes.get('href')
    }
    start = end
  }
  const found = {
    title: oneLine(meta.get('og:title') ?? meta.get('twitter:title') ?? title),
    site: oneLine(meta.get('og:site_name') ?? meta.get('application-name')),
    icon: webAddressIn(icon, url),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

/** The tags that matter. */
const NAME = /^(?:body|\/head|title|meta|link)\b/i
const TAG = /^<(?:[^"'>]|"[^"]*"|'[^']*')*>/
const ATTRIBUTE = /[\s/]*([^\s=/>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/y

function attributesIn(tag: string): Map<string, string> {
  const found = new Map<string, string>()
  ATTRIBUTE.lastIndex = /^<[a-z]+/i.exec(tag)?.[0].length ?? 0
  for (let match = ATTRIBUTE.exec(tag); match; match = ATTRIBUTE.exec(tag)) {
    const [, name = '', double, single, bare] = match
    const value = double ?? single ?? bare
    if (value !== undefined && !found.has(name.toLowerCase()))
      found.set(name.toLowerCase(), decodeEntities(value))
  }
  return found
}

/** A text of a page or of a response of its server as one line; undefined if it is empty. */
export function oneLine(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  const line = decodeEntities(text.slice(0, LONGEST_TAG))
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return line.slice(0, LONGEST_TITLE) || undefined
}

function webAddressIn(address: string | undefined, base: string): string | undefined {
  const url = address === undefined ? null : URL.parse(address, base)
  const isWeb = url && /^https?:$/.test(url.protocol) && url.href.length <= LONGEST_ADDRESS
  return isWeb ? url.href : undefined
}
