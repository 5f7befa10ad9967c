/** The history of one page: the revisions in which its record changed. */
import { type Static, Type } from 'typebox'
import { jsonEqual } from '../../core/data/json.ts'
import { get, getFromMaps } from '../../core/content/prolly-tree/read.ts'
import type { Root } from '../../core/content/prolly-tree/node.ts'
import type { PageRecord } from '../../core/content/revision.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { notFound } from '../../http/errors.ts'
import { cursorAfter, listRows, numberAfter, type PageRequest } from '../../http/pagination.ts'
import { oneOf } from '../common.ts'
import { needRevision } from '../content/commit.ts'
import { nodesOf } from '../content/content.ts'
import { type RevisionLine, revisionsIn, SUMMARY_COLUMNS } from './revision-list.ts'
import { RevisionSummary, type Summarized } from './revision.ts'

const PAGE_CHANGES = ['created', 'edited', 'moved', 'deleted'] as const

/** A revision in which a page changed. */
export const PageRevision = Type.Object(
  {
    ...RevisionSummary.properties,
    change: oneOf(PAGE_CHANGES, {
      description:
        '`edited`: the body or a field of the page. `moved`: only its place. A revision that merges another line has what the other line changed.',
    }),
  },
  { title: 'PageRevision' },
)
export type PageRevision = Static<typeof PageRevision>

/** So many revisions are compared for one response, whatever it finds. */
const WALK_MAX = 1_000
/** So many are loaded at once. */
const STEP = 100

/** A part of the history of a page. */
interface PageHistory {
  items: { row: Summarized; change: PageRevision['change'] }[]
  next?: { page: string }
}

/**
 * The revisions of a line in which a page changed, newest first. A response has fewer than `limit` items if few of the
 * revisions that may be compared for it changed the page; `next` then leads to the others.
 * @throws 404 if no revision of the line has the page
 */
export async function listPageRevisions(
  db: Reader,
  line: RevisionLine,
  pageId: string,
  page: PageRequest,
): Promise<PageHistory> {
  const start = numberAfter(page)
  const { found, rest } = await walk(db, line, pageId, { start, most: page.limit + 1 })
  if (found.length === 0 && rest === undefined && start === undefined && !(await hasPage(db, line, pageId)))
    throw notFound('page')

  const shown = found.slice(0, page.limit)
  const rows = await summariesOf(db, line, shown)
  const items = rows.map((row, i) => ({ row, change: shown[i]!.change }))
  const isCut = items.length < found.length
  const end = isCut ? items.at(-1)?.row.sequence : rest
  return { items, ...(end === undefined ? {} : { next: { page: cursorAfter([String(end)]) } }) }
}

interface Found {
  id: string
  change: PageRevision['change']
}

/** Compares each revision of a line before `start` with its predecessor, until `most` of them changed the page. */
async function walk(
  db: Reader,
  line: RevisionLine,
  pageId: string,
  { start, most }: { start: number | undefined; most: number },
): Promise<{ found: Found[]; rest: number | undefined }> {
  const load = nodesOf<PageRecord>(db, line.space.id)
  const found: Found[] = []
  let rest = start
  for (let walked = 0; walked < WALK_MAX && found.length < most; walked += STEP) {
    const revisions = await revisionsIn(db, line)
      .select(['id', 'sequence', 'pages'])
      .$if(rest !== undefined, (all) => all.where('sequence', '<', rest ?? 0))
      .orderBy('sequence', 'desc')
      .limit(STEP + 1)
      .execute()
    const isLast = revisions.length <= STEP
    const roots: Root[] = revisions.map(({ pages }) => pages)
    if (isLast) roots.push(await rootBefore(db, line))
    const records = await getFromMaps(roots, pageId, load)
    for (const [i, { id }] of revisions.slice(0, STEP).entries()) {
      const change = changeOf(records[i + 1], records[i])
      if (change) found.push({ id, change })
    }
    if (isLast) return { found, rest: undefined }
    rest = revisions.at(-2)?.sequence
  }
  return { found, rest }
}

/** The pages before the first revision of a line. */
async function rootBefore(db: Reader, { space, changeRequest }: RevisionLine): Promise<Root> {
  return changeRequest ? (await needRevision(db, space.id, changeRequest.revisionInitial)).pages : null
}

async function hasPage(db: Reader, { space, changeRequest }: RevisionLine, pageId: string): Promise<boolean> {
  const { pages } = await needRevision(db, space.id, (changeRequest ?? space).revisionId)
  return (await get<PageRecord>(pages, pageId, nodesOf(db, space.id))) !== undefined
}

/** Returns the kind of change to a page. A new time or a new object in a git repository alone is not a change. */
function changeOf(
  before: PageRecord | undefined,
  after: PageRecord | undefined,
): PageRevision['change'] | undefined {
  if (before === after) return undefined
  if (!before) return 'created'
  if (!after) return 'deleted'
  const rest = { updatedAt: '', oid: undefined }
  if (jsonEqual({ ...before, ...rest }, { ...after, ...rest })) return undefined
  const placeless = { ...rest, parent: null, order: '' }
  return jsonEqual({ ...before, ...placeless }, { ...after, ...placeless }) ? 'moved' : 'edited'
}

/** The summaries of revisions of a line, in their order; only the first of them if they are large. */
async function summariesOf(
  db: Reader,
  line: RevisionLine,
  found: readonly Found[],
): Promise<(Summarized & Pick<Row<'revision'>, 'sequence'>)[]> {
  if (found.length === 0) return []
  const ids = found.map(({ id }) => id)
  const query = revisionsIn(db, line).where('id', 'in', ids).select(SUMMARY_COLUMNS)
  const { items } = await listRows(
    query,
    { limit: ids.length, after: undefined },
    { by: ['sequence'], order: 'desc', large: ['mergedFrom'], count: () => ids.length },
  )
  return items
}
