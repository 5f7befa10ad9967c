/** The redirects that people configured for a site: what they are, and how they are read. */
import { type Static, Type } from 'typebox'
import {
  LONGEST_SOURCE,
  type RedirectTable,
  redirectTable,
  withSegments,
} from '../../../core/web/redirect-table.ts'
import { heapSize } from '../../../core/runtime/heap-size.ts'
import { lru } from '../../../core/data/lru.ts'
import { sharing } from '../../../core/data/sharing.ts'
import { eachInTurns } from '../../../core/runtime/turns.ts'
import type { Reader, Row } from '../../../db/schema.ts'
import { Id, oneOf, Timestamp, WebUri } from '../../common.ts'

/** The most redirects of one site. */
export const MOST_REDIRECTS = 5000

const SEGMENT = '(?:[A-Za-z0-9\\-._~]|%[0-9A-Fa-f]{2})+'
/** The pattern of a source, and what it means. */
export const sourcePattern = {
  maxLength: LONGEST_SOURCE,
  pattern: `^/(?:${SEGMENT}(?:/${SEGMENT})*(?:/\\*)?|\\*)$`,
  'x-pattern': 'be a percent-encoded path such as "/old/page", or end in "/*" for all paths below it',
}
export const RedirectSource = Type.String({
  ...sourcePattern,
  description:
    'A path within the site, such as `/old/page`. `/old/*` stands for `/old` and all paths below it. Capitals do not matter.',
})

export const RedirectDestination = Type.Union(
  [
    Type.Object({ kind: oneOf(['site-section']), siteSectionId: Id }),
    Type.Object({ kind: oneOf(['site-space']), siteSpaceId: Id }),
    Type.Object({ kind: oneOf(['site-page']), siteSpaceId: Id, pageId: Id }),
    Type.Object({ kind: oneOf(['external']), url: WebUri }),
  ],
  { title: 'SiteRedirectDestination' },
)
export type RedirectDestination = Static<typeof RedirectDestination>
/** A destination on the site itself. */
export type SiteDestination = Exclude<RedirectDestination, { kind: 'external' }>

export const SiteRedirect = Type.Object(
  {
    object: oneOf(['site-redirect']),
    id: Type.String(),
    source: Type.String(),
    draft: Type.Boolean({ description: 'A draft redirects nobody' }),
    destination: RedirectDestination,
    captureWildcard: Type.Boolean({
      description: 'Whether the part of the path that the wildcard matched is added to the destination',
    }),
    permanent: Type.Boolean({ description: 'Whether the site responds with 308 instead of 307' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'SiteRedirect' },
)

/** A redirect of a site. */
export type RedirectRule = Omit<Static<typeof SiteRedirect>, 'object'>

/** A redirect of a site as a resource. */
export const toSiteRedirect = (rule: RedirectRule): Static<typeof SiteRedirect> => ({
  object: 'site-redirect',
  ...rule,
})

/** A row as a redirect. */
export function redirectOfRow(row: Row<'siteRedirect'>): RedirectRule {
  const { id, source, destination, draft, captureWildcard, permanent, createdAt, updatedAt } = row
  return {
    id,
    source,
    destination: JSON.parse(destination) as RedirectDestination,
    draft: draft === 1,
    captureWildcard: captureWildcard === 1,
    permanent: permanent === 1,
    createdAt,
    updatedAt,
  }
}

/** The redirects of a site by their source, drafts included. */
export async function loadRedirects(db: Reader, siteId: string): Promise<RedirectTable<RedirectRule>> {
  const rows = await db.selectFrom('siteRedirect').selectAll().where('siteId', '=', siteId).execute()
  const table = redirectTable<RedirectRule>([])
  await eachInTurns(rows, (row) => table.put(redirectOfRow(row)))
  return table
}

const known = lru<RedirectTable<RedirectRule>>(16 * 1024 * 1024, 'redirects')
const loading = sharing<RedirectTable<RedirectRule>>()

/**
 * The redirects of a version of a site, from a cache: each request for an unknown path looks one up.
 * @param drafts whether those that are drafts are among them, as in a preview
 */
export async function redirectsOfSite(
  db: Reader,
  { id, version }: Pick<Row<'site'>, 'id' | 'version'>,
  { drafts }: { drafts: boolean },
): Promise<Omit<RedirectTable<RedirectRule>, 'put' | 'drop'>> {
  const key = `${id} ${version}${drafts ? ' with drafts' : ''}`
  return (
    known.get(key) ??
    loading(key, async () => {
      // The redirects can be newer than the version, but never older.
      const all = await loadRedirects(db, id)
      const table = redirectTable([...all.rules()].filter(({ draft }) => drafts || !draft))
      known.set(key, table, 2 * heapSize([...table.rules()]))
      return table
    })
  )
}

/** The URL of another website, with what a wildcard matched at the end of its path. */
export function externalUrl(address: string, rest: readonly string[]): string {
  const url = new URL(address)
  url.pathname = withSegments(url.pathname, rest)
  return url.href
}

/** The path of a file, a style sheet or a preview of a space, for which no wildcard of a redirect stands. */
export const OF_SPACE = /(?:^|\/)~\//
