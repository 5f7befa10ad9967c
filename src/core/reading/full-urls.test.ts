import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leastCost } from '../../../test/cpu.ts'
import { descriptionsNaming, urlsOfDescriptions } from './full-urls.ts'

const places = [{ hostname: 'docs.example.com', path: '/' }]
const named = (...descriptions: unknown[]) =>
  descriptionsNaming(
    new Map([
      ['pets', { '/a': { get: { parameters: descriptions.map((description) => ({ description })) } } }],
    ]),
    places,
  )

test('only descriptions that may name the site are read for URLs', () => {
  const naming = [
    '[Words](https://docs.example.com/secret)',
    'At HTTPS://DOCS.EXAMPLE.COM/secret',
    String.raw`[Words](https:\/\/docs\.example\.com/secret)`,
    '[Words](https:&#47;&#47;do&#99;s.example.com/secret)',
    '<a href="https://do%63s.example.com/secret">Words</a>',
    '[Words](//ｄocs.example.com/secret)',
    '[Words](https:/docs.example.com/secret)',
  ]
  for (const text of naming) assert.deepEqual(named(text), [text])
  for (const text of [
    'Words',
    'See [the docs](https://example.com/a?b=1&c=%20d#e\\f).',
    'R&D, 50% and Ⓐ',
    5,
    { description: 'Words' },
  ])
    assert.deepEqual(named(text), [], JSON.stringify(text))
})

test('the URLs of descriptions are those of links and of raw HTML', () => {
  const found = urlsOfDescriptions([
    '[Words](https://docs.example.com/a) and https://docs.example.com/b',
    '<div><a href="https://docs.example.com/c">Words</a></div>\n\n`https://docs.example.com/code`',
  ])
  assert.deepEqual(
    found.toSorted(),
    ['a', 'b', 'c'].map((page) => `https://docs.example.com/${page}`),
  )
})

test('descriptions are chosen in linear time', async () => {
  for (const part of ['https:', '//', 'https:a', '&', '\\/']) {
    const cost = (count: number, most: number) => leastCost(most, () => named(part.repeat(count)))
    const least = await cost(10_000, 0)
    const most = 30 * least + 20
    assert((await cost(100_000, most)) < most, part)
  }
})
