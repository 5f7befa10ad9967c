/** The full URLs that a page shows besides the references of its sources. */
import type { ContentRef, Document } from '../document/model.ts'
import { printDocument } from '../document/print.ts'
import { visibleDocument, type VisibleContext } from '../document/shown/visible.ts'
import { targetOfUrl } from './body.ts'
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
export const MOST_READ = 1_000_000

/**
 * The descriptions in some parts of specifications that may have a full URL of a site: most have none, and need not be
 * read. Takes linear time.
 * @param places where the site is
 */
export function descriptionsNaming(
  specs: ReadonlyMap<string, SpecSourceParts>,
  places: readonly OwnPlace[],
): string[] {
  const found: string[] = []
  let left = MOST_READ
  for (const { text } of describedIn(specs.values(), places)) {
    if (text.length > left) continue
    found.push(text)
    left -= text.length
  }
  return found
}

/** A description that may have a full URL of a site, and the object that has it as its `description`. */
export interface NamingDescription {
  holder: { description?: unknown }
  text: string
}

/** The descriptions in some parts of specifications that may have a full URL of a site. Takes linear time. */
export function* describedIn(
  parts: Iterable<object>,
  places: readonly OwnPlace[],
): Generator<NamingDescription> {
  const hosts = [...new Set(places.map(({ hostname }) => hostname))]
  const mayName = (text: string) => {
    const lower = text.toLowerCase()
    return hosts.some((host) => lower.includes(host)) || ENCODED_HOST.test(text)
  }
  const waiting: object[] = [...parts]
  for (let holder = waiting.pop(); holder; holder = waiting.pop())
    for (const [name, one] of Object.entries(holder)) {
      if (typeof one === 'object' && one !== null) waiting.push(one)
      if (name === 'description' && typeof one === 'string' && mayName(one)) yield { holder, text: one }
    }
}

/** Descriptions, and the URLs that their reader may not follow. */
export interface UnlinkTask {
  texts: readonly string[]
  hidden: ReadonlySet<string>
}

/** The descriptions with the text of links to hidden URLs instead of the links, as pages have it; a task for a thread. */
export function unlinked({ texts, hidden }: UnlinkTask): string[] {
  const target = (ref: ContentRef) => (ref.kind === 'url' && hidden.has(ref.url) ? {} : targetOfUrl(ref))
  const context: VisibleContext = {
    href: (ref) => target(ref).href,
    image: (ref) => target(ref).image,
    file: (ref) => target(ref).file,
    reusable: () => undefined,
    evaluate: () => undefined,
  }
  return texts.map((text) => {
    if (!urlsOfDescriptions([text]).some((url) => hidden.has(url))) return text
    return printDocument(visibleDocument(described(text), context, (path) => path)).trim()
  })
}

const described = (text: string): Document => ({
  object: 'document',
  data: {},
  nodes: parseDescription(text),
})

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
