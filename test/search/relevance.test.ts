import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corpusPages, withoutCorpora } from '../corpus.ts'
import { JUDGED, judgedQueries, ndcg } from './relevance.ts'

test('at least 120 queries are judged, a third of them with Chinese', () => {
  const queries = JUDGED.flatMap(judgedQueries)
  assert(queries.length >= 120, String(queries.length))
  const chinese = queries.filter(({ query }) => /\p{sc=Han}/u.test(query))
  assert(chinese.length * 3 >= queries.length, String(chinese.length))
  for (const { query, grades } of queries) {
    assert(
      [...grades.values()].every((grade) => [1, 2, 3].includes(grade)),
      query,
    )
    assert([...grades.values()].includes(3), query)
  }
})

test('every judged page is in its corpus', { skip: withoutCorpora }, () => {
  for (const corpus of JUDGED) {
    const pages = corpusPages(corpus)
    for (const { query, grades } of judgedQueries(corpus))
      for (const path of grades.keys()) assert(pages.has(path), `${corpus}: ${query}: ${path}`)
  }
})

test('nDCG is 1 for the best order, less for another, and 0 without a right answer', () => {
  const judged = {
    query: 'x',
    grades: new Map([
      ['a', 3],
      ['b', 1],
    ]),
  }
  assert.equal(ndcg(judged, ['a', 'b']), 1)
  assert.equal(ndcg(judged, ['c', 'd']), 0)
  const swapped = ndcg(judged, ['b', 'a'])
  assert(swapped > 0.6 && swapped < 0.8, String(swapped))
})
