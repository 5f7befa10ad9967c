import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import MiniSearch from 'minisearch'
import { JUDGED, judgedQueries, ndcg } from '../test/search/relevance.ts'
import { importCorpus } from './import.ts'
import { LOAD_CORE, median, quantile, type Running, SERVER_CORE, spread, startLectern } from './measure.ts'
import { freshDatabase } from './postgres.ts'
import type { Result } from './result.ts'
import {
  archiveOfPages,
  type BenchPage,
  importArchive,
  importInto,
  importPages,
  PAGES_OF_SPACE,
  pagesOfSpace,
  untilFound,
  untilIndexed,
} from './search-pages.ts'
import { FTS5, ratesBeside, type Searched, tsvector } from './search-rates.ts'

/** Ten spaces are 10,000 pages; fewer for a quick look. */
const SPACES = Number(process.env.BENCH_SPACES ?? 10)
const RUNS = 5
/** The pages of a merge, and how often it is measured. */
const MERGED = 200
const MERGES = 5
/** PostgreSQL of the benchmark: a server in which databases can be created. */
const POSTGRES = process.env.BENCH_POSTGRES

/** Search: the judged queries, and times and sizes with 1,000 and 10,000 pages, beside the index alone and MiniSearch. */
export async function search(): Promise<Result[]> {
  const results = [await relevance('SQLite', {}), ...(await sizes()), ...(await importSpeeds())]
  return [...results, ...(POSTGRES ? await onPostgres(POSTGRES) : [])]
}

/** The judged queries on PostgreSQL, and searches a second beside its own text search. */
async function onPostgres(server: string): Promise<Result[]> {
  await using judging = await freshDatabase(server)
  const judged = await relevance('PostgreSQL', { DATABASE_URL: judging.url })
  await using database = await freshDatabase(server)
  await using lectern = await startLectern({ DATABASE_URL: database.url })
  const searched = await filledOrganization(lectern)
  return [judged, ...(await ratesBeside(lectern, searched, tsvector(server)))]
}

async function relevance(name: string, env: Record<string, string>): Promise<Result> {
  await using lectern = await startLectern(env)
  const gains: number[] = []
  for (const corpus of JUDGED) {
    const { space } = await importCorpus(lectern, corpus)
    await untilIndexed(lectern, space)
    const paths = await pathsOf(lectern, space)
    for (const judged of judgedQueries(corpus)) {
      const found = await ask(lectern, `/v1/spaces/${space}/search`, judged.query)
      gains.push(
        ndcg(
          judged,
          found.map(({ id }) => paths.get(id) ?? ''),
        ),
      )
    }
  }
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length
  return {
    scenario: `nDCG@10 of ${gains.length} judged queries on ${name}`,
    ours: mean.toFixed(3),
    reference: '1',
    ratio: mean,
    spread: '',
    goal: '≥ 0.85',
  }
}

/** Searches a second in one space of 1,000 pages beside the index alone. */
export async function searchRates(): Promise<Result[]> {
  await using lectern = await startLectern()
  return await ratesBeside(lectern, await filledOrganization(lectern, 1), FTS5)
}

/** An organization with so many spaces, each of which is indexed. */
async function filledOrganization(lectern: Running, count = SPACES): Promise<Searched> {
  const { items } = await lectern.call('GET', '/v1/orgs')
  const organization = `/v1/orgs/${(items as { id: string }[])[0]!.id}`
  const pages: BenchPage[] = []
  const spaces: string[] = []
  for (let number = 0; number < count; number++) {
    const own = pagesOfSpace(number)
    for (const page of own) pages.push(page)
    const space = await importPages(lectern, organization, own, `Space ${number}`)
    spaces.push(space)
    await untilIndexed(lectern, space, own.length)
  }
  return { organization, spaces, pages, queries: JUDGED.flatMap(judgedQueries).map(({ query }) => query) }
}

async function sizes(): Promise<Result[]> {
  await using lectern = await startLectern()
  const searched = await filledOrganization(lectern)
  const { organization, spaces, pages, queries } = searched
  const merges = await mergeTimes(lectern, organization, spaces[0]!, MERGED)
  const edits = await mergeTimes(lectern, organization, spaces[0]!, 1)
  const small = pages.slice(0, PAGES_OF_SPACE)
  const ofSpace = await timesOf(queries, (query) => ask(lectern, `/v1/spaces/${spaces[0]}/search`, query))
  const ofAll = await timesOf(queries, (query) => ask(lectern, `${organization}/search`, query))
  const results = await ratesBeside(lectern, searched, FTS5)
  for (const [count, some, ours] of [
    [small.length, small, ofSpace],
    [pages.length, pages, ofAll],
  ] as const) {
    const mini = await miniSearchTimes(some, queries)
    results.push(compared(`search in ${count} pages / MiniSearch in memory`, ours, mini))
  }
  const bytes = await indexBytes(lectern)
  const text = pages.reduce((sum, page) => sum + Buffer.byteLength(page.text), 0)
  const seconds = (scenario: string, times: readonly number[], most: number): Result => ({
    scenario: `${scenario}, in a space of 1,000`,
    ours: `${(median([...times]) / 1000).toFixed(2)} s`,
    reference: `${most} s`,
    ratio: median([...times]) / (most * 1000),
    spread: spread(
      times.map((one) => one / 1000),
      2,
    ),
    goal: '≤ 1',
  })
  results.push(
    {
      scenario: `index of ${pages.length} pages / their Markdown`,
      ours: `${(bytes / 1e6).toFixed(1)} MB`,
      reference: `${(text / 1e6).toFixed(1)} MB`,
      ratio: bytes / text,
      spread: '',
      goal: '–',
    },
    seconds(`merge of ${MERGED} pages until all are found`, merges, 2),
    seconds('merge of one page until it is found', edits, 1),
  )
  return results
}

/** How fast imports are, and become searchable, on two cores: the server reads and indexes pages in threads. */
async function importSpeeds(): Promise<Result[]> {
  await using lectern = await startLectern({}, `${SERVER_CORE},${LOAD_CORE}`)
  const { items } = await lectern.call('GET', '/v1/orgs')
  const organization = `/v1/orgs/${(items as { id: string }[])[0]!.id}`
  const indexing: number[] = []
  const together: number[] = []
  for (let run = 0; run <= RUNS; run++) {
    const own = pagesOfSpace(run)
    const archive = archiveOfPages(own)
    const begun = performance.now()
    const space = await importArchive(lectern, organization, archive, `Space ${run}`)
    const imported = performance.now()
    await untilIndexed(lectern, space, own.length)
    const ended = performance.now()
    // The first run warms up and does not count.
    if (run === 0) continue
    indexing.push((own.length / (ended - imported)) * 1000)
    together.push((own.length / (ended - begun)) * 1000)
  }
  const speed = (scenario: string, speeds: number[]): Result => ({
    scenario,
    ours: `${median(speeds).toFixed(0)}/s`,
    reference: '',
    ratio: Number.NaN,
    spread: spread(speeds),
    goal: '≥ 500/s',
  })
  return [
    speed('pages indexed a second, after an import of 1,000', indexing),
    speed('pages imported and searchable a second, of 1,000', together),
  ]
}

/** The milliseconds from a request to merge until search finds all pages of the merge. */
async function mergeTimes(
  lectern: Running,
  organization: string,
  space: string,
  count: number,
): Promise<number[]> {
  const times: number[] = []
  for (let merge = 0; merge <= MERGES; merge++) {
    const word = `merged${merge}of${count}x`
    const pages = pagesOfSpace(SPACES)
      .slice(0, count)
      .map(({ path, title, text }) => ({ path, title, text: `${text}\n\n${word}\n` }))
    const { id } = await lectern.call('POST', `/v1/spaces/${space}/change-requests`, { subject: word })
    const change = `/v1/spaces/${space}/change-requests/${String(id)}`
    await importInto(lectern, organization, archiveOfPages(pages), change)
    const started = performance.now()
    await lectern.call('POST', `${change}/merge`)
    // In quotes, so that no word of a merge before counts as one with a typing error.
    await untilFound(lectern, space, `"${word}"`, count)
    if (merge > 0) times.push(performance.now() - started)
  }
  return times
}

interface FoundItem {
  id: string
}

async function ask(lectern: Running, path: string, query: string, limit = 10): Promise<FoundItem[]> {
  const { items } = await lectern.call('GET', `${path}?limit=${limit}&query=${encodeURIComponent(query)}`)
  return items as FoundItem[]
}

async function pathsOf(lectern: Running, space: string): Promise<Map<string, string>> {
  interface TreePage {
    id: string
    git?: { path: string }
    pages?: TreePage[]
  }
  const paths = new Map<string, string>()
  const visit = (pages: TreePage[]) => {
    for (const { id, git, pages: below } of pages) {
      if (git) paths.set(id, git.path)
      visit(below ?? [])
    }
  }
  visit((await lectern.call('GET', `/v1/spaces/${space}/content/pages`)).pages as TreePage[])
  return paths
}

/** The times of all queries in milliseconds, after a warm-up. */
async function timesOf(
  queries: readonly string[],
  work: (query: string, run: number) => unknown,
): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i <= RUNS; i++) {
    for (const query of queries) {
      const started = performance.now()
      await work(query, i)
      if (i > 0) times.push(performance.now() - started)
    }
  }
  return times
}

/** MiniSearch with its defaults. */
function miniSearchTimes(pages: readonly BenchPage[], queries: readonly string[]): Promise<number[]> {
  const index = new MiniSearch<{ id: number }>({ fields: ['title', 'text'], storeFields: ['title'] })
  index.addAll(pages.map((page, id) => ({ id, title: page.title, text: page.text })))
  return timesOf(queries, (query) => index.search(query, { prefix: true, fuzzy: 0.2 }).slice(0, 10))
}

/** The bytes of the tables of search in the database. */
async function indexBytes({ data }: Running): Promise<number> {
  const database = new DatabaseSync(join(data, 'lectern.sqlite'), { readOnly: true })
  try {
    const rows = database
      .prepare(`select sum(pgsize) as bytes from dbstat where name like '%search%'`)
      .all() as { bytes: number }[]
    return rows[0]?.bytes ?? Number.NaN
  } finally {
    database.close()
  }
}

function compared(scenario: string, ours: readonly number[], reference: readonly number[]): Result {
  const shown = (times: readonly number[]) =>
    `${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)}`
  return {
    scenario: `${scenario}, median`,
    ours: shown(ours),
    reference: shown(reference),
    // The goals are for rates, so the ratio is that of the times, turned over.
    ratio: quantile(reference, 0.5) / quantile(ours, 0.5),
    spread: `p99 is ${(quantile(ours, 0.99) / quantile(ours, 0.5)).toFixed(1)} times the median`,
    goal: '–',
  }
}
