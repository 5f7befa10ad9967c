import { Type } from 'typebox'
import type { SharedSteps } from '../../../core/expression/expression.ts'
import { invalidField } from '../../../http/errors.ts'
import { listOf, ListQuery } from '../../../http/pagination.ts'
import { route } from '../../../http/route.ts'
import { Id, InSite, oneOf } from '../../../model/common.ts'
import { readIndexes } from '../../../model/search/entries.ts'
import { findPages } from '../../../model/search/find.ts'
import { listSpacesFound, SearchSpace, SearchText } from '../../../model/search/hit.ts'
import { searchedByMember } from '../../../model/search/searched.ts'
import type { SearchedSpace } from '../../../model/search/searched-space.ts'
import { loadContent, variantAddress } from '../../../model/sites/published/content/site-content.ts'
import { onReadableSite } from '../../../model/sites/published/on-reader.ts'
import { searchedOnSite } from '../../../model/sites/published/content/searched-on-site.ts'
import { chooseSiteSpaces, type SearchScope } from '../../../model/sites/structure/search-scope.ts'
import { loadStructure } from '../../../model/sites/structure/structure.ts'
import { because } from '../../../core/languages/reasons.ts'

const SiteSpaceIds = Type.Array(Id, { minItems: 1, maxItems: 1000 })

export const searchSiteContent = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/search',
  summary: 'Search the spaces of a site that the caller can see',
  description:
    'The mode `default` searches the current space, and the default space of each section; `all` searches every space, and `specific` those that are named. The fields beside `query` are an earlier form of `scope`. Hidden pages, and pages with `noIndex`, are not found.',
  access: onReadableSite(),
  readers: true,
  params: InSite,
  query: ListQuery,
  body: Type.Object({
    query: SearchText,
    scope: Type.Optional(
      Type.Object({
        mode: oneOf(['default', 'specific', 'all']),
        currentSiteSpace: Type.Optional(Id),
        siteSpaceIds: Type.Optional(SiteSpaceIds),
      }),
    ),
    mode: Type.Optional(oneOf(['current', 'specific', 'all'])),
    siteSpaceId: Type.Optional(Id),
    siteSpaceIds: Type.Optional(SiteSpaceIds),
  }),
  returns: listOf(SearchSpace),
  audit: false,
  reads: true,
  // A search must not keep others from writing, so it is outside the transaction.
  async prepare({ db: { read: db }, urls, site, body, page, signal, ...seen }) {
    const structure = await loadStructure(db, site, { urls, ...seen })
    const chosen = chooseSiteSpaces(structure, scopeIn(body))
    const ids = chosen.map(({ spaceId }) => spaceId)
    const rows =
      ids.length === 0
        ? []
        : await db
            .selectFrom('space')
            .select(['id', 'title', 'revisionId', 'parent', 'defaultLevel'])
            .where('id', 'in', ids)
            .execute()
    const titled = new Map(rows.map((space) => [space.id, space]))
    const siteSpaces = new Map(chosen.map((one) => [one.spaceId, one]))
    const openSpace = async (id: string, steps: SharedSteps) => {
      const reading = structure.readingOf(siteSpaces.get(id)!)
      if (!reading) return listedOnly(await searchedByMember(db, titled.get(id)!))
      const variant = reading.variants.find(({ spaceId }) => spaceId === id)
      if (!variant) return undefined
      const content = await loadContent({ db, urls }, reading, variant, variantAddress(reading, variant))
      return searchedOnSite(content, steps)
    }
    const indexes = await readIndexes(db, [...titled.keys()])
    const findings = await findPages(db, indexes, body.query, openSpace, signal)
    return listSpacesFound(db, urls, { findings, titled }, page)
  },
  handler: async ({ prepared }) => prepared,
})

function listedOnly({ tree, sees, meets }: SearchedSpace): SearchedSpace {
  const isHidden = (id: string) =>
    tree.get(id)?.hidden === true || tree.ancestors(id).some(({ hidden }) => hidden)
  return { tree, meets, sees: (page) => sees(page) && !isHidden(page.id) }
}

interface Asked {
  scope?: { mode: SearchScope['mode']; currentSiteSpace?: string; siteSpaceIds?: string[] }
  mode?: 'current' | 'specific' | 'all'
  siteSpaceId?: string
  siteSpaceIds?: string[]
}

/** The spaces to search, in the form that a client sent. @throws 400 */
function scopeIn({ scope, mode, siteSpaceId, siteSpaceIds }: Asked): SearchScope {
  if (scope) {
    if (scope.mode === 'specific' && !scope.siteSpaceIds)
      throw invalidField('body.scope.siteSpaceIds', because('spaces-to-search-missing'))
    return { field: 'body.scope', ...scope }
  }
  if (mode === 'all') return { field: 'body', mode: 'all' }
  if (mode === 'current') {
    if (siteSpaceId === undefined) throw invalidField('body.siteSpaceId', because('current-space-missing'))
    return { field: 'body', mode: 'default', currentSiteSpace: siteSpaceId }
  }
  if (mode === 'specific' && !siteSpaceIds)
    throw invalidField('body.siteSpaceIds', because('spaces-to-search-missing'))
  return siteSpaceIds ? { field: 'body', mode: 'specific', siteSpaceIds } : { field: 'body', mode: 'default' }
}
