/** Reading and resolving addresses, redirects and names costs in proportion to their length. */
import { test } from 'node:test'
import { readConfiguration } from '../../../src/core/repository/configuration.ts'
import { ADDRESSES, handleAddress } from './addresses.ts'
import { assertBounded, assertLinear, familiesOf } from './growth.ts'

/** The collector of garbage disturbs the comparison of a megabyte of references. */
const MOST_MS = 400

for (const [name, make] of familiesOf(ADDRESSES, 120)) {
  test(`handles an address of ${name} in linear or bounded time`, () =>
    assertBounded(make, handleAddress, MOST_MS))
}

for (const [name, make] of familiesOf(ADDRESSES, 240)) {
  test(`reads a redirect of ${name} in linear time`, () => {
    assertLinear(make, (path) =>
      readConfiguration(`redirects:\n  ${JSON.stringify(path)}: ${JSON.stringify(path)}\n`),
    )
  })
}
