/** Searches a second, beside the index of the database alone. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { comparePaths, type Load, median, type Running, spread, startReference } from './measure.ts'
import { freshDatabase } from './postgres.ts'
import type { Result } from './result.ts'
import { type BenchPage, PAGES_OF_SPACE } from './search-pages.ts'

/** The spaces that are searched, and the queries. */
export interface Searched {
  organization: string
  spaces: readonly string[]
  pages: readonly BenchPage[]
  queries: readonly string[]
}

/** The index of a database with nothing around it: a server whose answers are what the index finds. */
export interface IndexAlone {
  name: string
  /** Indexes pages, and starts the server. */
  start(pages: readonly BenchPage[]): Promise<{ url: string } & AsyncDisposable>
  /** The query of the index for any of the words of a search. */
  matchOf(query: string): string
}

/** Requests a second, of searches that are repeated and of those that nobody made before, beside an index alone. */
export async function ratesBeside(
  lectern: Running,
  { organization, spaces, pages, queries }: Searched,
  index: IndexAlone,
): Promise<Result[]> {
  const results: Result[] = []
  const space = `/v1/spaces/${spaces[0]}`
  for (const [what, own, base] of [
    ['a space', pages.slice(0, PAGES_OF_SPACE), space],
    ['an organization', pages, organization],
  ] as const) {
    await using alone = await index.start(own)
    const headers = { authorization: `Bearer ${lectern.token}` }
    const path = (query: string) => `${base}/search?limit=10&query=${encodeURIComponent(query)}`
    let number = 0
    const [repeated = [], first = [], raw = []] = await comparePaths([
      {
        server: lectern,
        headers,
        paths: queries.map((query) => path(query)),
        before: async () => {
          for (const query of queries) await lectern.call('GET', path(query))
        },
      },
      {
        server: lectern,
        headers,
        // An answer is kept for its text and the title of its space, so that each of these is made.
        paths: SPACES_BEFORE.flatMap((blank) => queries.map((query) => path(blank + query))),
        isOnce: true,
        before: () => lectern.call('PATCH', space, { title: `Space ${++number} again` }),
      },
      {
        server: alone,
        headers: {},
        paths: queries.map((query) => `/?match=${encodeURIComponent(index.matchOf(query))}`),
      },
    ])
    const result = (title: string, loads: readonly Load[]) =>
      compareLoads(`${title} / ${index.name} alone, over HTTP`, loads, raw)
    const scenario = `search in ${what} of ${own.length} pages`
    results.push(result(scenario, repeated), result(`${scenario} that nobody made before`, first))
  }
  return results
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
    scenario,
    ours: shown(ours),
    reference: shown(raw),
    ratio: median(rates) / middle(raw, ({ rate }) => rate),
    spread: `${spread(rates)}, p99 is ${slowest.toFixed(1)} times the median`,
    goal: '≥ 0.4, p99 ≤ 5 times',
    cpu: median(ours.map(({ cpu }) => cpu)),
  }
}

const DENSE = /(?<=\p{Script=Han})(?=\p{Script=Han})/gu
/** A text whose Chinese characters are words of their own. @param between what divides them */
const spaced = (text: string, between: string) => text.replace(DENSE, between)

/** FTS5, with an index as its manual shows. */
export const FTS5: IndexAlone = {
  name: 'FTS5',
  async start(pages) {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-fts-'))
    const file = join(folder, 'pages.db')
    const database = new DatabaseSync(file)
    database.exec(
      `create virtual table pages using fts5(title, body, tokenize = "porter unicode61 remove_diacritics 2", prefix = '2 3'); begin`,
    )
    const insert = database.prepare('insert into pages (title, body) values (?, ?)')
    for (const { title, text } of pages) insert.run(title, spaced(text, '\u200b'))
    database.exec('commit')
    database.close()
    const server = await startReference('reference-search.ts', [file])
    return {
      url: server.url,
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  },
  matchOf: (query) =>
    wordsOf(query, '\u200b')
      .map((word) => `"${word}"`)
      .join(' OR '),
}

const wordsOf = (query: string, between: string): string[] =>
  spaced(query, between).match(new RegExp(`[\\p{L}\\p{N}${between}]+`, 'gu')) ?? []

/** The text search of PostgreSQL, with a `tsvector` of weighed titles and texts in a GIN index. @param server its address */
export const tsvector = (server: string): IndexAlone => ({
  name: 'tsvector',
  async start(pages) {
    const database = await freshDatabase(server)
    await database.query(
      `create table pages (id serial primary key, title text, body text, words tsvector generated always as
        (setweight(to_tsvector('english', title), 'A') || to_tsvector('english', body)) stored)`,
    )
    for (const { title, text } of pages)
      await database.query('insert into pages (title, body) values ($1, $2)', [
        spaced(title, ' '),
        spaced(text, ' '),
      ])
    await database.query('create index on pages using gin (words)')
    await database.query('vacuum analyze pages')
    const reference = await startReference('reference-search-postgres.ts', [database.url])
    return {
      url: reference.url,
      async [Symbol.asyncDispose]() {
        await reference[Symbol.asyncDispose]()
        await database[Symbol.asyncDispose]()
      },
    }
  },
  matchOf: (query) =>
    (query.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `(${spaced(word, ' <-> ')})`).join(' | '),
})
