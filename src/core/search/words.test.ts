import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holds } from '../../../test/property.ts'
import { charactersOf, eachRun, identifierOf, pairsOf, runsIn } from './words.ts'

const runs = (text: string) => [...runsIn(text)].map((run) => (run.isDense ? `[${run.text}]` : run.text))

test('a text is divided into words, identifiers and dense runs', () => {
  assert.deepEqual(runs('Use --no-cache, then `getSpaceById` (v1.2.3).'), [
    'Use',
    'no-cache',
    'then',
    'getSpaceById',
    'v1.2.3',
  ])
  assert.deepEqual(runs('使用Grafana监控，ドキュメント と 문서 one'), [
    '[使用]',
    'Grafana',
    '[监控]',
    '[ドキュメント]',
    '[と]',
    '[문서]',
    'one',
  ])
  assert.deepEqual(runs('« …—·() \n'), [])
})

test('an identifier is one word however its parts are joined, and is found by its parts', () => {
  for (const form of ['getSpaceById', 'get_space_by_id', 'get-space-by-id', 'GetSpaceByID'])
    assert.deepEqual(identifierOf(form), { whole: 'getspacebyid', parts: ['get', 'space', 'by', 'id'] }, form)
  assert.deepEqual(identifierOf('IWorkflowDispatcher').parts, ['workflow', 'dispatcher'])
  assert.deepEqual(identifierOf('HTTPServer').parts, ['http', 'server'])
  for (const [run, whole, parts] of [
    ['1.2.3', '1.2.3', ['1', '2', '3']],
    ['v1.2.3', 'v1.2.3', ['1.2.3', 'v1']],
    ['tool-1.2.3-rc', 'tool1.2.3rc', ['tool', '1.2.3', 'rc']],
    ['8.0.1-1', '8.0.1.1', ['8', '0', '1', '1', '8.0.1']],
    ['8.0.11', '8.0.11', ['8', '0', '11']],
    ['5-7', '5.7', ['5', '7']],
    ['2024-1-15', '2024.1.15', ['2024', '1', '15']],
    ['1.2.3-1.2.5', '1.2.3.1.2.5', ['1', '2', '3', '1', '2', '5', '1.2.3', '1.2.5']],
    ['1.2.x-3.4.y', '1.2x3.4y', ['1.2', '3.4']],
    ['log4j-2', 'log4j2', ['log4j']],
  ] as const)
    assert.deepEqual(identifierOf(run), { whole, parts }, run)
  assert.deepEqual(identifierOf('plain'), { whole: 'plain', parts: [] })
  assert.equal(identifierOf('x'.repeat(500)).whole.length, 64)
})

test('characters without width and dots of Katakana are within a word', () => {
  assert.deepEqual(runs('می\u200cخواهم ה״ל soft\u00adhyphen ユーザー・ガイド ភាសា\u200bខ្មែរ'), [
    'می\u200cخواهم',
    'ה״ל',
    'soft\u00adhyphen',
    '[ユーザー・ガイド]',
    '[ភាសា\u200bខ្មែរ]',
  ])
  assert.deepEqual(identifierOf('می\u200cخواهم'), { whole: 'ميخواهم', parts: ['مي', 'خواهم'] })
  assert.deepEqual(identifierOf('soft\u00adhyphen'), { whole: 'softhyphen', parts: [] })
})

test('dense text is found by pairs of characters', () => {
  assert.deepEqual(pairsOf(charactersOf('数据库')), ['数据', '据库'])
  assert.deepEqual(pairsOf(charactersOf('锁')), ['锁'])
  assert.deepEqual(pairsOf(charactersOf('𠮷野家')), ['𠮷野', '野家'])
})

test('any text has runs in order that are parts of it', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom(...'a_-.中ガ문１ é') }),
  )
  holds(
    fc.property(text, (one) => {
      let done = 0
      for (const { start, end, text: run } of runsIn(one)) {
        assert(start >= done && end > start)
        assert.equal(one.slice(start, end), run)
        done = end
      }
    }),
    { cases: 2000 },
  )
})

test('the runs of a whole text are those that are found one by one', () => {
  const texts = [
    'a b a-b a',
    "don't get_space 1.2.3 a_",
    '日志 log 日志',
    'naïve ’s x’y — z',
    '',
    'ガ é ｌｏｇ 한국어',
  ]
  for (const text of texts) {
    const all = [...runsIn(text)]
    const dense: string[] = []
    const spaced: string[] = []
    eachRun(text, { dense: (run) => dense.push(run), spaced: (run) => spaced.push(run) })
    const those = (isDense: boolean) => all.filter((run) => run.isDense === isDense).map((run) => run.text)
    assert.deepEqual([dense, spaced], [those(true), those(false)])
  }
})
