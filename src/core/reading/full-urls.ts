/** The full URLs that a page shows besides the references of its sources. */
import { parseDescription } from '../document/description.ts'
import { attributeReadings } from '../document/markdown/entities.ts'
import { isFullUrl } from '../document/sanitize.ts'
import type { SpecSourceParts } from '../openapi/described.ts'
import type { OwnPlace } from './own-places.ts'

/**
 * The values in raw HTML and in tags such as `embed` that may be full URLs: they are no references. A value ends at its
 * quotation mark, so those with the same mark do not overlap.
 */
const VALUES = [/"(?<==\s*")([^"]*)/g, /'(?<==\s*')([^']*)/g, /=\s*([^\s"'<>=][^\s>]*)/g]

/** What may be full URLs in the attributes of raw HTML and of tags such as `embed`. Takes linear time. */
export function attributeUrls(source: string): string[] {
  const written = VALUES.flatMap((pattern) => [...source.matchAll(pattern)].map(([, value = '']) => value))
  return written.filter((value) => /^[h/\\&]/i.test(value)).flatMap(attributeReadings)
}

/** What a host name may be behind: characters that a browser, HTML or Markdown reads as others, in the host of an address. */
const ENCODED_HOST = /(?:[/\\]{2}|https?:)[^\s/?#]{0,500}?(?:[%&\\]|[^\0-\x7f])/i
/** The most characters of descriptions that are read. A site shows the URLs of itself in further descriptions as text. */
const MOST_READ = 1_000_000

/**
 * The descriptions in some parts of specifications that may have a full URL of a site: most have none, and need not be
 * read. Takes linear time.
 * @param places where the site is
 */
export function descriptionsNaming(
  specs: ReadonlyMap<string, SpecSourceParts>,
  places: readonly OwnPlace[],
): string[] {
  const hosts = [...new Set(places.map(({ hostname }) => hostname))]
  const mayName = (text: string) => {
    const lower = text.toLowerCase()
    return hosts.some((host) => lower.includes(host)) || ENCODED_HOST.test(text)
  }
  const found: string[] = []
  let left = MOST_READ
  const waiting: object[] = [...specs.values()]
  for (let value = waiting.pop(); value; value = waiting.pop())
    for (const [name, one] of Object.entries(value)) {
      if (typeof one === 'object' && one !== null) waiting.push(one)
      if (name !== 'description' || typeof one !== 'string' || one.length > left || !mayName(one)) continue
      found.push(one)
      left -= one.length
    }
  return found
}

/** The full URLs in descriptions; a task for a thread. */
export function urlsOfDescriptions(texts: readonly string[]): string[] {
  const urls = new Set<string>()
  for (const text of texts)
    JSON.stringify(parseDescription(text), (name, value: unknown) => {
      if (typeof value !== 'string' || name === 'text') return value
      if (name === 'html') for (const url of attributeUrls(value)) urls.add(url)
      else if (isFullUrl(value)) urls.add(value)
      return undefined
    })
  return [...urls]
}
