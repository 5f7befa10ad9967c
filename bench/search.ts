import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import MiniSearch from 'minisearch'
import { corpusPages } from '../test/corpus.ts'
import { archiveOf } from '../test/importing.ts'
import { JUDGED, judgedQueries, ndcg } from '../test/search/relevance.ts'
import { importCorpus } from './import.ts'
import {
  comparePaths,
  type Load,
  LOAD_CORE,
  median,
  quantile,
  type Running,
  SERVER_CORE,
  spread,
  startLectern,
  startReference,
} from './measure.ts'
import type { Result } from './result.ts'

/** Ten spaces are 10,000 pages; fewer for a quick look. */
const SPACES = Number(process.env.BENCH_SPACES ?? 10)
const PAGES_OF_SPACE = 1000
const RUNS = 5
/** The pages of a merge, and how often it is measured. */
const MERGED = 200
const MERGES = 5
/** PostgreSQL of the benchmark: a server in which databases can be created. */
const POSTGRES = process.env.BENCH_POSTGRES

/** Search: the judged queries, and times and sizes with 1,000 and 10,000 pages, beside FTS5 alone and MiniSearch. */
export async function search(): Promise<Result[]> {
  const results = [await relevance('SQLite', {})]
  results.push(
    POSTGRES
      ? await relevance('PostgreSQL', { DATABASE_URL: POSTGRES })
      : {
          scenario: 'nDCG@10 on PostgreSQL',
          ours: 'not measured: BENCH_POSTGRES names no server',
          reference: '1',
          ratio: Number.NaN,
          spread: '',
          goal: '≥ 0.85',
        },
  )
  return [...results, ...(await sizes()), ...(await importSpeeds())]
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

interface BenchPage {
  path: string
  title: string
  text: string
}

async function sizes(): Promise<Result[]> {
  await using lectern = await startLectern()
  const { items } = await lectern.call('GET', '/v1/orgs')
  const organization = `/v1/orgs/${(items as { id: string }[])[0]!.id}`
  const pages: BenchPage[] = []
  const spaces: string[] = []
  for (let number = 0; number < SPACES; number++) {
    const own = pagesOfSpace(number)
    for (const page of own) pages.push(page)
    const space = await importPages(lectern, organization, own, `Space ${number}`)
    spaces.push(space)
    await untilIndexed(lectern, space, own.length)
  }
  const merges = await mergeTimes(lectern, organization, spaces[0]!, MERGED)
  const edits = await mergeTimes(lectern, organization, spaces[0]!, 1)
  const queries = JUDGED.flatMap(judgedQueries).map(({ query }) => query)
  const small = pages.slice(0, PAGES_OF_SPACE)
  const ofSpace = await timesOf(queries, (query) => ask(lectern, `/v1/spaces/${spaces[0]}/search`, query))
  const ofAll = await timesOf(queries, (query) => ask(lectern, `${organization}/search`, query))
  const results = await ratesBeside(lectern, { organization, spaces, pages, queries })
  for (const [count, some, ours] of [
    [small.length, small, ofSpace],
    [pages.length, pages, ofAll],
  ] as const) {
    const mini = await miniSearchTimes(some, queries)
    results.push(compared(`search in ${count} pages / MiniSearch in memory`, ours, mini))
  }
  const bytes = await indexBytes(lectern)
  const text = pages.reduce((sum, page) => sum + Buffer.byteLength(page.text), 0)
  results.push(
    {
      scenario: `index of ${pages.length} pages / their Markdown`,
      ours: `${(bytes / 1e6).toFixed(1)} MB`,
      reference: `${(text / 1e6).toFixed(1)} MB`,
      ratio: bytes / text,
      spread: '',
      goal: '–',
    },
    {
      scenario: `merge of ${MERGED} pages until all are found, in a space of 1,000`,
      ours: `${(median(merges) / 1000).toFixed(2)} s`,
      reference: '2 s',
      ratio: median(merges) / 2000,
      spread: spread(
        merges.map((one) => one / 1000),
        2,
      ),
      goal: '≤ 1',
    },
    {
      scenario: 'merge of one page until it is found, in a space of 1,000',
      ours: `${(median(edits) / 1000).toFixed(2)} s`,
      reference: '1 s',
      ratio: median(edits) / 1000,
      spread: spread(
        edits.map((one) => one / 1000),
        2,
      ),
      goal: '≤ 1',
    },
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

/** Pages of the corpora, repeated as needed; each copy has a unique title and a unique word. */
function pagesOfSpace(space: number): BenchPage[] {
  const sources = JUDGED.flatMap((corpus) => [...corpusPages(corpus).values()])
  return Array.from({ length: PAGES_OF_SPACE }, (_, i) => {
    const source = sources[(space * PAGES_OF_SPACE + i) % sources.length]!
    const body = source.replace(/^---\n[\s\S]*?\n---\n/, '').replace(/^# .*\n/m, '')
    const own = (/^# (.*)$/m.exec(source)?.[1] ?? 'Page').replaceAll('\\', '')
    const title = `${own} ${space}-${i}`
    return { path: `p${i}.md`, title, text: `# ${title}\n\nnumber${space}x${i}\n\n${body}` }
  })
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

const archiveOfPages = (pages: readonly BenchPage[]) =>
  archiveOf(Object.fromEntries(pages.map(({ path, text }) => [path, text])))

const importPages = (
  lectern: Running,
  organization: string,
  pages: readonly BenchPage[],
  title: string,
): Promise<string> => importArchive(lectern, organization, archiveOfPages(pages), title)

async function importArchive(
  lectern: Running,
  organization: string,
  archive: Uint8Array,
  title: string,
): Promise<string> {
  const space = await lectern.call('POST', `${organization}/spaces`, { title })
  await importInto(lectern, organization, archive, `/v1/spaces/${String(space.id)}`)
  return String(space.id)
}

async function importInto(
  lectern: Running,
  organization: string,
  bytes: Uint8Array,
  content: string,
): Promise<void> {
  const upload = await lectern.call('POST', `${organization}/storage/upload`, {
    file: { name: 'pages.zip', type: 'application/zip', size: bytes.length },
    kind: 'import_file',
  })
  const { pathname, search: signature } = new URL(upload.url as string)
  await fetch(lectern.url + pathname + signature, { method: 'PUT', body: Buffer.from(bytes) })
  await lectern.call('POST', `${content}/content/import`, { url: upload.url, source: 'zip' })
}

async function untilIndexed(lectern: Running, space: string, number?: number): Promise<void> {
  await untilFound(lectern, space, number === undefined ? 'the 的' : 'number', number ?? 1)
}

async function untilFound(lectern: Running, space: string, query: string, most: number): Promise<void> {
  for (;;) {
    const { count } = await lectern.call(
      'GET',
      `/v1/spaces/${space}/search?limit=1&query=${encodeURIComponent(query)}`,
    )
    if (Number(count) >= most) return
    await wait(20)
  }
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

/** Requests a second, of searches that are repeated and of those that nobody made before, beside FTS5 alone. */
async function ratesBeside(
  lectern: Running,
  about: { organization: string; spaces: string[]; pages: BenchPage[]; queries: string[] },
): Promise<Result[]> {
  const { organization, spaces, pages, queries } = about
  const folder = mkdtempSync(join(tmpdir(), 'lectern-fts-'))
  try {
    const results: Result[] = []
    const space = `/v1/spaces/${spaces[0]}`
    for (const [what, own, base] of [
      ['a space', pages.slice(0, PAGES_OF_SPACE), space],
      ['an organization', pages, organization],
    ] as const) {
      const file = join(folder, `${own.length}.db`)
      indexAlone(file, own)
      await using alone = await startReference('reference-search.ts', [file])
      const { url } = lectern
      const headers = { authorization: `Bearer ${lectern.token}` }
      const path = (query: string) => `${base}/search?limit=10&query=${encodeURIComponent(query)}`
      let number = 0
      const [repeated = [], first = [], raw = []] = await comparePaths([
        {
          url,
          headers,
          paths: queries.map((query) => path(query)),
          before: async () => {
            for (const query of queries) await lectern.call('GET', path(query))
          },
        },
        {
          url,
          headers,
          // An answer is kept for its text and the title of its space, so that each of these is made.
          paths: SPACES_BEFORE.flatMap((blank) => queries.map((query) => path(blank + query))),
          isOnce: true,
          before: () => lectern.call('PATCH', space, { title: `Space ${++number} again` }),
        },
        {
          url: alone.url,
          headers: {},
          paths: queries.map((query) => `/?match=${encodeURIComponent(matchOf(query))}`),
        },
      ])
      const scenario = `search in ${what} of ${own.length} pages`
      results.push(compareLoads(scenario, repeated, raw))
      results.push(compareLoads(`${scenario} that nobody made before`, first, raw))
    }
    return results
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Enough for one run: each search is made once with each of them before its words, where they mean nothing. */
const SPACES_BEFORE = Array.from({ length: 60 }, (_, i) => ' '.repeat(i))

function compareLoads(scenario: string, ours: readonly Load[], raw: readonly Load[]): Result {
  const rates = ours.map(({ rate }) => rate)
  const middle = (loads: readonly Load[], of: (load: Load) => number) => median(loads.map(of))
  const shown = (loads: readonly Load[]) =>
    `${middle(loads, ({ rate }) => rate).toFixed(0)}/s, p99 ${middle(loads, ({ p99 }) => p99).toFixed(1)} ms`
  const slowest = middle(ours, ({ p50, p99 }) => p99 / p50)
  return {
    scenario: `${scenario} / FTS5 alone, over HTTP`,
    ours: shown(ours),
    reference: shown(raw),
    ratio: median(rates) / middle(raw, ({ rate }) => rate),
    spread: `${spread(rates)}, p99 is ${slowest.toFixed(1)} times the median`,
    goal: '≥ 0.4, p99 ≤ 5 times',
  }
}

/** Writes an index of the pages with FTS5, as its manual shows. */
function indexAlone(file: string, pages: readonly BenchPage[]): void {
  const database = new DatabaseSync(file)
  try {
    database.exec(
      `create virtual table pages using fts5(title, body, tokenize = "porter unicode61 remove_diacritics 2", prefix = '2 3'); begin`,
    )
    const insert = database.prepare('insert into pages (title, body) values (?, ?)')
    for (const { title, text } of pages) insert.run(title, spaced(text))
    database.exec('commit')
  } finally {
    database.close()
  }
}

const DENSE = /(?<=\p{Script=Han})(?=\p{Script=Han})/gu
const spaced = (text: string) => text.replace(DENSE, '\u200b')

function matchOf(query: string): string {
  const words = spaced(query).match(/[\p{L}\p{N}\u200b]+/gu) ?? []
  return words.map((word) => `"${word}"`).join(' OR ')
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
