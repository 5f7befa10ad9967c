import { findCollection, findSpace, type OnCollection, type OnSpace } from '../../../../access/checks/on.ts'
import type { Reader } from '../../../../db/schema.ts'
import { invalidField, notFound } from '../../../../http/errors.ts'
import type { Access, Caller } from '../../../../http/route.ts'
import type { Urls } from '../../../../http/urls.ts'
import { decodePath, matchesOf } from './resolve.ts'
import { siteAtUrl } from './resolve-url.ts'
import { keyIn } from './share-key.ts'
import { because } from '../../../../core/languages/reasons.ts'

/** The content that a URL names, whether or not the caller may read it. */
type NamedContent =
  | { kind: 'collection'; id: string }
  | {
      kind: 'space'
      id: string
      /** The id or number of a change request. */
      changeRequest?: string
      revision?: string
      /** The path of a page, decoded; empty for the space itself. */
      path: string
    }

/** Content that a URL may name and that the caller can read. In a list, the most likely comes first. */
export type ReadableContent =
  | { kind: 'collection'; collection: OnCollection }
  | (Extract<NamedContent, { kind: 'space' }> & { space: OnSpace })

/** The collection or space that the URL in the query names, for members who can read it. */
export function onContentUrl(): Access<{ readable: ReadableContent[] }> {
  return {
    needs: 'space: read',
    async load({ db, me, urls, query }) {
      const candidates = await findContentUrl({ db, urls, me }, readUrl('query.url', String(query.url)))
      const readable: ReadableContent[] = []
      for (const named of candidates) {
        if (named.kind === 'collection') {
          const collection = await findCollection(db, me, named.id)
          if (collection) readable.push({ kind: 'collection', collection })
        } else {
          const space = await findSpace(db, me, named.id)
          if (space?.space.deletedAt === null) readable.push({ ...named, space })
        }
      }
      if (readable.length === 0) throw notFound('content')
      return { readable }
    },
  }
}

/** @param path where the URL is in the request @throws 400 if it is no URL of a website */
export function readUrl(path: string, text: string): URL {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw invalidField(path, because('not-http-url'))
  return url
}

/**
 * Finds the content that a URL of the app, of the API or of a published site may name, the most likely first. On a
 * site, the first segment of a path can be that of a section, of a space, or of a page.
 * @throws 404 if it is none of these URLs
 */
async function findContentUrl(
  services: { db: Reader; urls: Urls; me: Pick<Caller, 'userId'> },
  url: URL,
): Promise<NamedContent[]> {
  const { urls } = services
  const address = url.origin + url.pathname
  const below = (base: string) =>
    address.startsWith(`${base}/`) ? address.slice(base.length + 1) : undefined
  const inApp = below(urls.app(''))
  if (inApp !== undefined) return namedBy(/^(c|s)\/([\w-]+)(?:\/(.*))?$/s.exec(inApp))
  const inApi = below(urls.api(''))
  if (inApi !== undefined) return namedBy(/^(collections|spaces)\/([\w-]+)\/?$/.exec(inApi))

  const found = await siteAtUrl(services, url)
  if (!found) throw notFound('site')
  const { place, path } = found
  const keyed = keyIn(path)
  // The caller reads by rights of their own, so conditions do not matter.
  return matchesOf(place, keyed ? (keyed.rest ?? '') : path).map(({ variant, rest }) =>
    spaceNamed(variant.spaceId, rest),
  )
}

function namedBy(match: RegExpExecArray | null): NamedContent[] {
  const [, kind, id = '', path = ''] = match ?? []
  if (kind === undefined) return []
  return kind.startsWith('c') ? [{ kind: 'collection', id }] : [spaceNamed(id, path)]
}

function spaceNamed(id: string, path: string): NamedContent {
  const [, kind, name = '', rest = ''] = /^~\/(changes|revisions)\/([\w-]+)(?:\/(.*))?$/s.exec(path) ?? []
  const within = (text: string) => decodePath(text).replace(/\/+$/, '')
  if (kind === 'changes') return { kind: 'space', id, changeRequest: name, path: within(rest) }
  if (kind === 'revisions') return { kind: 'space', id, revision: name, path: within(rest) }
  return { kind: 'space', id, path: within(path) }
}
