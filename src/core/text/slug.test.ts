import assert from 'node:assert/strict'
import test from 'node:test'

import { slugify, uniquifier } from './slug.ts'
import { cpuTime } from '../../../test/cpu.ts'

const SLUGS: [string, string][] = [
  ['Hello, World!', 'hello-world'],
  ['  A  --  b ', 'a-b'],
  ['中文 标题：一', '中文-标题-一'],
  ['Größe & Maß', 'größe-maß'],
  ['What’s new in v1.2.3?', 'whats-new-in-v1.2.3'],
  ['snake_case `code`', 'snake_case-code'],
  ['.gitbook.yaml', 'gitbook.yaml'],
  ['❤️ !!!', ''],
  ['E\u0301te\u0301', 'été'],
]

for (const [text, slug] of SLUGS)
  test(`makes "${slug}" of "${text}"`, () => assert.equal(slugify(text), slug))

test('numbers equal names, and skips numbers that a name already has', () => {
  const unique = uniquifier(['taken'])
  assert.deepEqual(
    ['a', 'a', 'a-1', 'a', '', '', 'taken'].map((name) => unique(name)),
    ['a', 'a-1', 'a-1-1', 'a-2', 'section', 'section-1', 'taken-1'],
  )
})

test('numbers a hundred thousand equal names at once', () => {
  const unique = uniquifier()
  const start = cpuTime()
  for (let index = 0; index < 100_000; index += 1) unique('a')
  assert.ok(cpuTime() - start < 2_000)
})
