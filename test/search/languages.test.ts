import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readIndexes } from '../../src/model/search/entries.ts'
import { findPages } from '../../src/model/search/find.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { firstOf } from '../effort.ts'
import { createWorld } from '../world.ts'
import { indexed, wholeSpace } from './indexing.ts'
import { type JudgedQuery, ndcg } from './relevance.ts'

/**
 * Six pages in each of 25 languages, and queries with other forms and spellings of their words. A file has pages, which
 * begin with `= path title`, and queries: `? words | path`. Written for this test, by the same outline in each language.
 */
const FOLDER = join(import.meta.dirname, 'languages')
const LEAST = 0.9

const languages = readdirSync(FOLDER).map((file) => {
  const language = file.replace('.txt', '')
  const lines = readFileSync(join(FOLDER, file), 'utf8').split('\n')
  const pages: Record<string, string> = {}
  const queries: JudgedQuery[] = []
  let path = ''
  for (const line of lines) {
    const [, name = '', title = ''] = /^= (\w+) (.*)$/.exec(line) ?? []
    const [, query = '', page = ''] = /^\? (.*) \| (\w+)$/.exec(line) ?? []
    if (query !== '') queries.push({ query, grades: new Map([[`${language}-${page}.md`, 3]]) })
    else if (name !== '') pages[(path = `${language}-${name}.md`)] = `# ${title}\n\n`
    else if (line !== '') pages[path] += `${line}\n`
  }
  return { language, pages, queries }
})

test('at least ten queries are judged in each of 25 languages, each for a page that exists', () => {
  assert(languages.length >= 25)
  for (const { language, pages, queries } of languages) {
    assert(queries.length >= 10, language)
    for (const { query, grades } of queries)
      for (const path of grades.keys()) assert(path in pages, `${language}: ${query}: ${path}`)
  }
})

test(`in a space of its language, nDCG@10 of each language is at least ${LEAST}`, async () => {
  const world = await createWorld()
  const waiting = new AbortController().signal
  const low: string[] = []
  for (const { language, pages, queries } of firstOf(languages, 6)) {
    const { spaceId } = await spaceWith(world, archiveOf(pages), language)
    await indexed(world)
    const space = await wholeSpace(world, spaceId)
    const indexes = await readIndexes(world.db.read, [spaceId])
    let sum = 0
    const missed: string[] = []
    for (const judged of queries) {
      const { hits } = await findPages(world.db.read, indexes, judged.query, async () => space, waiting)
      const gain = ndcg(
        judged,
        hits.map(({ page }) => page.file ?? ''),
      )
      sum += gain
      if (gain < 1) missed.push(`${judged.query} (${gain.toFixed(2)})`)
    }
    const mean = sum / queries.length
    if (mean < LEAST) low.push(`${language} ${mean.toFixed(3)}: ${missed.join(', ')}`)
  }
  assert.deepEqual(low, [])
})
