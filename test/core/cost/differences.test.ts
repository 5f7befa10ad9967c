/** Comparing, merging and reverting pages cost in proportion to their length, or a bounded effort. */
import { test } from 'node:test'
import { changed, EDITS, TEXTS, WORKS } from './differences.ts'
import { assertBounded, familiesOf, type MakeInput } from './growth.ts'

const FAMILIES = Object.fromEntries(
  Object.entries(WORKS).flatMap(([verb, work]) =>
    Object.entries(TEXTS).flatMap(([what, make]) =>
      Object.entries(EDITS).map(([how, edit]): [string, [MakeInput, (text: string) => unknown]] => [
        `${verb} ${what}, ${how}`,
        [
          make,
          (text) =>
            work(
              text,
              edit(text),
              changed(text, 7, (line) => `o${line}`),
            ),
        ],
      ]),
    ),
  ),
)

/** Each comparison has 20 million steps, and a merge 300 million: two or three seconds. */
const MOST_MS = 6_000

const names = Object.fromEntries(Object.entries(FAMILIES).map(([name, [make]]) => [name, make]))
for (const [name, make] of familiesOf(names, 291)) {
  test(`${name} in linear or bounded time`, () => assertBounded(make, FAMILIES[name]![1], MOST_MS))
}
