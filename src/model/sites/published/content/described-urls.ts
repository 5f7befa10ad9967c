/** The URLs of a site in the descriptions of a specification, which its reader may not all follow. */
import { isRecord } from '../../../../core/data/is-record.ts'
import {
  describedIn,
  MOST_READ,
  type NamingDescription,
  unlinked,
  type UnlinkTask,
  urlsOfDescriptions,
} from '../../../../core/reading/full-urls.ts'
import { giveTurn, isTurnOver } from '../../../../core/runtime/turns.ts'
import type { Reader } from '../../../../db/schema.ts'
import type { Urls } from '../../../../http/urls.ts'
import { inThread, type TaskKind, tookTooMuch } from '../../../content/in-thread.ts'
import { loadOwnPaths } from '../../redirects/own-paths.ts'
import type { OpenSite } from '../open-site.ts'
import { decideOwnUrls } from './hidden-urls.ts'

const TIME_MS = 10_000
const module = new URL('../../../../core/reading/full-urls.ts', import.meta.url)

/** Finds the full URLs in descriptions. */
export const URLS_OF_DESCRIPTIONS: TaskKind<string[], string[]> = {
  module,
  name: 'urlsOfDescriptions',
  timeMs: TIME_MS,
}
const UNLINKED: TaskKind<UnlinkTask, string[]> = { module, name: 'unlinked', timeMs: TIME_MS }

/** The objects whose `url` leads to a page about what they are in. */
const ABOUT = ['externalDocs', 'contact', 'license']

/** An object of a specification whose `url` may be one of the site. */
interface About {
  holder: Record<string, unknown>
  name: string
  url: string
}

/**
 * Removes what leads to something that the site hides from its reader: links from descriptions in parts of a specification,
 * and objects such as `externalDocs` with their `url`. The text of a link stays, as on pages. A description that nobody read,
 * because all are too long together or take too long, is removed if it may name the site.
 * @param parts are changed
 */
export async function unlinkHidden(
  services: { db: Reader; urls: Urls },
  open: OpenSite,
  parts: readonly object[],
): Promise<void> {
  const { places } = await loadOwnPaths(services.db, services.urls, open.site, open.organizationHostname)
  const read: NamingDescription[] = []
  const about: About[] = []
  let left = MOST_READ
  for (const part of parts) {
    for (const one of describedIn([part], places)) {
      left -= one.text.length
      if (left < 0) one.holder.description = ''
      else read.push(one)
    }
    for (const one of aboutIn(part)) about.push(one)
    if (isTurnOver()) await giveTurn()
  }
  const { hidden } = await decideOwnUrls(
    services,
    open,
    about.map(({ url }) => url),
  )
  for (const { holder, name, url } of about) if (hidden.has(url)) delete holder[name]
  if (read.length === 0) return
  const texts = read.map(({ text }) => text)
  const shown = await withoutHiddenLinks(services, open, texts)
  for (const [i, { holder }] of read.entries()) holder.description = shown?.[i] ?? ''
}

function* aboutIn(part: object): Generator<About> {
  const waiting: object[] = [part]
  for (let holder = waiting.pop(); holder; holder = waiting.pop())
    for (const [name, one] of Object.entries(holder)) {
      if (typeof one !== 'object' || one === null) continue
      waiting.push(one)
      if (ABOUT.includes(name) && isRecord(holder) && isRecord(one) && typeof one.url === 'string')
        yield { holder, name, url: one.url }
    }
}

/** The descriptions as the reader may see them; undefined if that takes too long. */
async function withoutHiddenLinks(
  services: { db: Reader; urls: Urls },
  open: OpenSite,
  texts: string[],
): Promise<string[] | undefined> {
  const [variant] = open.variants
  if (!variant) return undefined
  const work = { db: services.db, spaceId: variant.spaceId, sources: texts }
  try {
    const named = await inThread(URLS_OF_DESCRIPTIONS, urlsOfDescriptions, texts, work)
    const { hidden } = await decideOwnUrls(services, open, named)
    return hidden.size === 0 ? texts : await inThread(UNLINKED, unlinked, { texts, hidden }, work)
  } catch (error) {
    if (tookTooMuch(error)) return undefined
    throw error
  }
}
