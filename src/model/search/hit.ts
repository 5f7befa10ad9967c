import { type Static, Type } from 'typebox'
import type { PageMatch } from '../../core/search/matches.ts'
import type { Needles } from '../../core/search/needles.ts'
import { writtenTitle } from '../../core/search/searched-text.ts'
import { plainSnippet } from '../../core/search/snippet.ts'
import type { PageTree } from '../../core/content/tree/tree.ts'
import { giveTurn } from '../../core/runtime/turns.ts'
import { chunks } from '../../db/chunks.ts'
import type { Reader } from '../../db/schema.ts'
import { fromJson } from '../../http/response/json-parts.ts'
import { type ListOf, listItems, type PageRequest } from '../../http/pagination.ts'
import type { Urls } from '../../http/urls.ts'
import { oneOf, Uri } from '../common.ts'
import { matchesOfHits, type SearchFindings, type SearchHit } from './find.ts'

const AppUrl = Type.Object({ app: Uri })

/** The text for which a caller searches. */
export const SearchText = Type.String({
  minLength: 1,
  maxLength: 512,
  description:
    'Words, of which the last need not be complete. Text in double quotes is found as it is; pages with a word after `-` are left out.',
})

const SearchSection = Type.Object({
  id: Type.String({ description: 'The anchor of the heading; the id of the page before the first heading' }),
  title: Type.String(),
  path: Type.String(),
  score: Type.Number({ description: 'Comparable within one page only' }),
  body: Type.String({ description: 'The text around the match' }),
  urls: AppUrl,
})

const page = {
  id: Type.String(),
  title: Type.String(),
  path: Type.String(),
  sections: Type.Array(SearchSection),
  urls: AppUrl,
}

/** A page that a search found, with its matching sections, the best first. */
export const SearchPage = Type.Object(
  {
    ...page,
    description: Type.String({ description: 'Empty if the page has none' }),
    score: Type.Number({ description: 'Comparable within one response only' }),
    rank: Type.Integer({
      description: 'The place of the page among all that the search found; 1 for the best',
    }),
    resultType: oneOf(['page', 'section'], {
      description: '`section` if the best match is below a heading of the page',
    }),
    ancestors: Type.Array(Type.Object({ title: Type.String() })),
  },
  { title: 'SearchPage' },
)

/** A space with the pages of it that a search found, the best first. */
export const SearchSpace = Type.Object(
  { ...page, type: oneOf(['space']), score: Type.Number(), pages: Type.Array(SearchPage) },
  { title: 'SearchSpace' },
)

/** The sections of one page, and the pages of one space, in a response. */
const SECTIONS_MOST = 5
const PAGES_MOST = 10
/** The pages of all spaces in a response, unless there are more spaces than a third of these. */
const PAGES_TOGETHER = 50
const PAGES_LEAST = 3

/** The keys of results ascend while their scores descend. */
const scoreKey = ({ score }: { score: number }, id: string) => [
  (1000 - score).toFixed(6).padStart(12, '0'),
  id,
]

/** A page of the results of a search in one space. */
export async function listPagesFound(
  db: Reader,
  urls: Urls,
  findings: SearchFindings,
  request: PageRequest,
): Promise<ListOf<Static<typeof SearchPage>>> {
  let items: string[] = []
  const list = await listItems(findings.hits, request, {
    key: (hit) => scoreKey(hit, hit.page.id),
    sizes: (size) => size === 2,
    fits: async (hits) => {
      items = await shownWithin(hits, (some) => toPagesFound(db, urls, findings, some))
      return items.length
    },
  })
  return { ...list, items: fromJson(`[${items.join()}]`) }
}

/** The characters of one response, unless it has one item, and the items that are made at once. */
const CHARACTERS = 4_000_000
const AT_ONCE = 8

/**
 * The JSON of as many items as one response may have. Those of a search can be long: each has the paths of its pages many
 * times.
 */
async function shownWithin<T>(
  items: readonly T[],
  show: (some: readonly T[]) => Promise<object[]>,
): Promise<string[]> {
  const shown: string[] = []
  let length = 0
  for (const some of chunks(items, AT_ONCE))
    for (const one of await show(some)) {
      const json = JSON.stringify(one)
      length += json.length
      if (shown.length > 0 && length > CHARACTERS) return shown
      shown.push(json)
      await giveTurn()
    }
  return shown
}

/** A space in which a search may find something. */
export interface TitledSpace {
  id: string
  title: string
}

/** A page of the results of a search in several spaces, by space: that with the best page comes first. */
export async function listSpacesFound(
  db: Reader,
  urls: Urls,
  { findings, titled }: { findings: SearchFindings; titled: ReadonlyMap<string, TitledSpace> },
  request: PageRequest,
): Promise<ListOf<Static<typeof SearchSpace>>> {
  const groups = [...Map.groupBy(findings.hits, ({ spaceId }) => spaceId)]
  const ordered = groups
    .map(([spaceId, hits]) => ({ spaceId, hits, score: hits[0]!.score }))
    .toSorted((a, b) => b.score - a.score || (a.spaceId < b.spaceId ? -1 : 1))
  const together = Math.max(1, Math.min(ordered.length, request.limit))
  const most = Math.min(PAGES_MOST, Math.max(PAGES_LEAST, Math.floor(PAGES_TOGETHER / together)))
  const show = async (some: readonly (typeof ordered)[number][]): Promise<Static<typeof SearchSpace>[]> => {
    const best = some.flatMap(({ hits }) => hits.slice(0, most))
    const pages = await toPagesFound(db, urls, findings, best)
    return some.map(({ spaceId, hits, score }) => {
      const { id, title } = titled.get(spaceId)!
      return {
        type: 'space',
        id,
        title,
        path: '',
        sections: [],
        urls: { app: urls.app(`/s/${spaceId}`) },
        score,
        pages: pages.splice(0, Math.min(most, hits.length)),
      }
    })
  }
  let items: string[] = []
  const list = await listItems(ordered, request, {
    key: (group) => scoreKey(group, group.spaceId),
    sizes: (size) => size === 2,
    fits: async (some) => {
      items = await shownWithin(some, show)
      return items.length
    },
  })
  return { ...list, items: fromJson(`[${items.join()}]`) }
}

async function toPagesFound(
  db: Reader,
  urls: Urls,
  findings: SearchFindings,
  hits: readonly SearchHit[],
): Promise<Static<typeof SearchPage>[]> {
  const matches = await matchesOfHits(db, findings, hits)
  return hits.map((hit, i) => {
    const { tree } = findings.spaces.get(hit.spaceId)!
    return toPageFound(urls, tree, hit, { match: matches[i]!, needles: findings.needles })
  })
}

function toPageFound(
  urls: Urls,
  tree: PageTree,
  { spaceId, page: { id, title, description }, score, rank }: SearchHit,
  { match, needles }: { match: PageMatch; needles: Needles },
): Static<typeof SearchPage> {
  const path = tree.path(id)
  const app = urls.app(`/s/${spaceId}/${path.split('/').map(encodeURIComponent).join('/')}`)
  return {
    id,
    title,
    path,
    description: description ?? '',
    score,
    rank,
    resultType: match.sections[0]?.section.anchor === undefined ? 'page' : 'section',
    ancestors: tree
      .ancestors(id)
      .toReversed()
      .map((above) => ({ title: above.title })),
    sections: match.sections.slice(0, SECTIONS_MOST).map((one): Static<typeof SearchSection> => {
      const { anchor } = one.section
      const fragment = anchor === undefined ? '' : `#${anchor}`
      return {
        id: anchor ?? id,
        title: writtenTitle(one.section) || title,
        path: path + fragment,
        score: one.score,
        body: plainSnippet(one, needles),
        urls: { app: app + (anchor === undefined ? '' : `#${encodeURIComponent(anchor)}`) },
      }
    }),
    urls: { app },
  }
}
