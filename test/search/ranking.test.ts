import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readIndexes } from '../../src/model/search/entries.ts'
import { findPages } from '../../src/model/search/find.ts'
import { corpusArchive, withoutCorpora } from '../corpus.ts'
import { firstOf, isLongRun } from '../effort.ts'
import { spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { indexed, wholeSpace } from './indexing.ts'
import { JUDGED, judgedQueries, ndcg } from './relevance.ts'

/** The goal is 0.85; less than this is a regression. The corpus of the default run alone has 0.896. */
const LEAST = isLongRun() ? 0.92 : 0.89

test(`the judged pages come first: nDCG@10 is at least ${LEAST}`, { skip: withoutCorpora }, async () => {
  const world = await createWorld()
  const gains: number[] = []
  const waiting = new AbortController().signal
  for (const corpus of firstOf(JUDGED, 1)) {
    const { spaceId } = await spaceWith(world, corpusArchive(corpus), corpus)
    await indexed(world)
    const space = await wholeSpace(world, spaceId)
    const indexes = await readIndexes(world.db.read, [spaceId])
    for (const judged of judgedQueries(corpus)) {
      const { hits } = await findPages(world.db.read, indexes, judged.query, async () => space, waiting)
      gains.push(
        ndcg(
          judged,
          hits.map(({ page }) => page.file ?? ''),
        ),
      )
    }
  }
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length
  assert(mean >= LEAST, `nDCG@10 is ${mean.toFixed(3)}`)
})
