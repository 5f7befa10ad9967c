/** Finding the addresses that are similar to another one is bounded by the number of pages, whatever a client asks for. */
import { test } from 'node:test'
import { indexAddresses } from '../../../src/core/search/similar-addresses.ts'
import { assertBounded, type Families, nested, repeated } from './growth.ts'

const PAGES = 20_000
/** The words have the same letters in another order, so that all of them have to be compared. */
const mixed = (seed: number) => {
  const letters = [...'installation']
  for (let at = letters.length - 1, left = seed; at > 0; at--, left = (left * 31 + 7) % 9973) {
    const other = left % (at + 1)
    const [a = '', b = ''] = [letters[at], letters[other]]
    letters[at] = b
    letters[other] = a
  }
  return letters.join('')
}
const index = await indexAddresses(
  Array.from({ length: PAGES }, (_, at) => `guide-${at % 50}/${mixed(at)}/overview-${mixed(at * 7)}-linux`),
)

const ADDRESSES: Families = {
  'one word': repeated('a'),
  'many words': repeated('linux-'),
  'typing errors': repeated('instalaltion-ovreview-'),
  'a word of many pages': repeated('overview/linux/'),
  'many parts': repeated('guide-1/'),
  slashes: repeated('/'),
  marks: repeated('e\u0301\u0301'),
  'letters that become many': repeated('\ufdfa'),
  brackets: nested('(', ')'),
  endings: repeated('.html'),
}
for (const [name, make] of Object.entries(ADDRESSES)) {
  test(`finds what is similar to ${name} among ${PAGES} pages in bounded time`, () =>
    assertBounded(make, (path) => index.similar(path, 5), 200))
}
