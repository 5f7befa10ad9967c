import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from './query.ts'

function read(text: string) {
  const { words, phrases, without } = parseQuery(text)
  return {
    words: words.map(({ whole, isPrefix }) => whole + (isPrefix ? '*' : '')),
    phrases: phrases.map((one) => one.text),
    without: without.map((one) => one.text),
  }
}

test('words, phrases and exclusions are told apart', () => {
  assert.deepEqual(read('log rotation'), { words: ['log', 'rotation*'], phrases: [], without: [] })
  assert.deepEqual(read('"exactly once" logs'), { words: ['logs*'], phrases: ['exactly once'], without: [] })
  assert.deepEqual(read('logs -errors'), { words: ['logs'], phrases: [], without: ['errors'] })
  assert.deepEqual(read('logs -"on disk" x'), { words: ['logs', 'x'], phrases: [], without: ['on disk'] })
  assert.deepEqual(read('“全局索引” -热点'), { words: [], phrases: ['全局索引'], without: ['热点'] })
  assert.deepEqual(read('"not closed'), { words: [], phrases: ['not closed'], without: [] })
})

test('an option of a command is a word, and exclusions alone are what is searched for', () => {
  assert.deepEqual(read('--no-cache').words, ['nocache*'])
  assert.deepEqual(read('-qq').words, ['qq*'])
  assert.deepEqual(read('set --dry-run -v').without, ['v'])
})

test('the last word is a prefix unless it is finished or too short', () => {
  assert.deepEqual(read('insta').words, ['insta*'])
  assert.deepEqual(read('insta ').words, ['insta'])
  assert.deepEqual(read('s').words, ['s'])
})

test('dense text is divided into words', () => {
  const words = read('删除数据').words
  assert.deepEqual(words, ['删除', '数据'])
  assert.equal(read('UUID主键').words[0], 'uuid')
})

test('characters that are no words of their own stay together, as they stand', () => {
  assert.deepEqual(read('时区').words, ['时区'])
  assert.deepEqual(read('设置时区').words, ['设置', '时区'])
  assert.deepEqual(read('主备切换').words, ['主备', '切换'])
  assert.deepEqual(read('慢查询').words, ['慢', '查询'])
})

test('a query has at most 16 words, each once', () => {
  assert.equal(parseQuery('a1 '.repeat(100)).words.length, 1)
  const many = Array.from({ length: 100 }, (_, i) => `w${i}`).join(' ')
  assert.equal(parseQuery(many).words.length, 16)
})

test('words of phrases and exclusions count towards the 16 words', () => {
  const many = Array.from({ length: 18 }, (_, i) => `"a${i} b${i} a${i}" -c${i}`).join(' ')
  const { words, phrases, without } = parseQuery(`w w ${many}`)
  const all = [...words, ...[...phrases, ...without].flatMap((one) => one.words)]
  assert.equal(all.length, 16)
  assert.deepEqual(
    phrases.map((one) => one.words.length),
    [2, 2, 2, 2, 2],
  )
  assert.equal(parseQuery('"a b" "a b"').phrases.length, 1)
  const parts = parseQuery('aB'.repeat(30) + ' ' + 'abCd'.repeat(100)).words.flatMap((word) => word.parts)
  assert(parts.length <= 64)
})
