/** What pages show of the content at a web address: a frame of a site that is known, or a card. */
import { type Static, Type } from 'typebox'
import { lru } from '../../core/data/lru.ts'
import { sharing } from '../../core/data/sharing.ts'
import { isRecord } from '../../core/data/is-record.ts'
import { heapSize } from '../../core/runtime/heap-size.ts'
import { oneLine, type PageCard, readPageCard } from '../../core/sources/html/page-card.ts'
import { attributes, html } from '../../core/text/html.ts'
import { bareHost } from '../../core/web/embed-sites.ts'
import { knownEmbed, type KnownEmbed } from '../../core/web/embeds.ts'
import { ApiError } from '../../http/errors.ts'
import type { Fetched } from '../../http/outgoing/guarded-fetch.ts'
import type { Services } from '../../http/route.ts'
import { fairShare, ShareFull } from '../../threads/shares.ts'
import { oneOf } from '../common.ts'

/** What is shown for a web address. Texts from other servers are plain text, and `html` is never theirs. */
export const Embed = Type.Object(
  {
    type: oneOf(['link', 'rich'], { description: '`rich`: `html` shows the content itself' }),
    title: Type.String(),
    site: Type.String({ description: 'The name of the site, or its host name' }),
    icon: Type.Optional(Type.String({ format: 'uri' })),
    html: Type.Optional(Type.String({ description: 'With `rich`, a frame with the content' })),
  },
  { title: 'Embed' },
)
export type Embed = Static<typeof Embed>

/** No more of a response is read, in bytes. A page whose head is longer has a card without the rest. */
const MOST_READ = 256 * 1024
const BOUNDS = { maxBytes: 20 * 1024 * 1024, timeoutMs: 6_000, maxRedirects: 3 }
/** How long the result is kept, and that of a server that failed. */
const [KEPT_MS, KEPT_FAILED_MS] = [24 * 3_600_000, 10 * 60_000]

const known = lru<{ embed: Embed; until: number }>(8 * 1024 * 1024, 'embeds')
const asking = sharing<Embed>()
/** Slow servers keep only so many requests waiting, and those of one organization not all of them. */
const inTurns = fairShare({
  atOnce: 32,
  atOnceOfParty: 3,
  atOnceOfOrganization: 24,
  queue: 128,
  queueOfParty: 20,
})

/** The result for an address that is stored already; undefined if another server has to be asked. */
function storedEmbed(url: string, now: Date): Embed | undefined {
  const stored = known.get(url)
  return stored && stored.until > now.getTime() ? stored.embed : undefined
}

/**
 * Finds out what to show for an address. It asks the site for the title, and keeps the result for a day. If the site does
 * not answer, the result has only what the address says.
 */
export async function findEmbed(
  { fetch, now }: Pick<Services, 'fetch'> & { now: Date },
  url: string,
  organizationId: string,
): Promise<Embed> {
  const stored = storedEmbed(url, now)
  if (stored) return stored
  return asking(url, async () => {
    const provider = knownEmbed(url)
    try {
      const card = await inTurns({ user: organizationId }, () => cardAt(fetch, url, provider))
      return keep(url, embedFrom(url, provider, card), now.getTime() + KEPT_MS)
    } catch (error) {
      const embed = embedFrom(url, provider, {})
      if (error instanceof ShareFull) return embed
      if (!(error instanceof ApiError)) throw error
      return keep(url, embed, now.getTime() + KEPT_FAILED_MS)
    }
  })
}

function keep(url: string, embed: Embed, until: number): Embed {
  known.set(url, { embed, until }, heapSize(embed))
  return embed
}

async function cardAt(
  fetch: Services['fetch'],
  url: string,
  provider: KnownEmbed | undefined,
): Promise<PageCard> {
  if (provider?.oembed !== undefined) {
    const found = await beginning(await fetch(provider.oembed, BOUNDS, asks('application/json')), 'json')
    return titleIn(found.text)
  }
  const found = await beginning(await fetch(url, BOUNDS, asks('text/html')), 'html')
  return readPageCard(found.text, found.url)
}

const asks = (accept: string) => ({ headers: { accept } })

/** How the text of a successful response begins; empty for others, and for those of another type. */
async function beginning(
  { status, headers, url, body }: Fetched,
  type: string,
): Promise<{ url: string; text: string }> {
  const parts: Buffer[] = []
  let left = status === 200 && (headers['content-type'] ?? '').includes(type) ? MOST_READ : 0
  body.on('error', () => {})
  if (left > 0)
    for await (const part of body as AsyncIterable<Buffer>) {
      parts.push(part.subarray(0, left))
      left -= part.length
      if (left <= 0) break
    }
  body.destroy()
  return { url, text: Buffer.concat(parts).toString() }
}

/** The title in a response of an oEmbed endpoint. Its HTML is not used, because it would run in the pages of sites. */
function titleIn(json: string): PageCard {
  try {
    const value: unknown = JSON.parse(json)
    const title = isRecord(value) ? oneLine(value.title) : undefined
    return title === undefined ? {} : { title }
  } catch {
    return {}
  }
}

function embedFrom(url: string, provider: KnownEmbed | undefined, card: PageCard): Embed {
  const { hostname, pathname } = new URL(url)
  const host = bareHost(hostname)
  if (provider)
    return { type: 'rich', title: card.title ?? provider.site, site: provider.site, html: frameOf(provider) }
  const { title = host + (pathname === '/' ? '' : pathname.slice(0, 200)), site = host, icon } = card
  return { type: 'link', title, site, ...(icon === undefined ? {} : { icon }) }
}

function frameOf({ site, frame, height }: KnownEmbed): string {
  const shape = height === undefined ? 'aspect-ratio:16/9' : `height:${height}px`
  return String(
    html`<iframe${attributes({
      src: frame,
      title: site,
      style: `width:100%;${shape};border:0`,
      loading: 'lazy',
      allow: 'fullscreen; picture-in-picture; encrypted-media',
      allowfullscreen: true,
      referrerpolicy: 'strict-origin-when-cross-origin',
    })}></iframe>`,
  )
}
