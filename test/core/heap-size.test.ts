/** Compares the estimate that bounds the caches with the figures of V8. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parsePage } from '../../src/core/document/parse.ts'
import { heapSize } from '../../src/core/runtime/heap-size.ts'
import { isLongRun } from '../effort.ts'
import { openBody } from '../../src/core/reading/body.ts'

/** How many values of a kind are measured, and how much more than the cache may keep is read. */
const [COUNT, TIMES] = isLongRun() ? [60, 3] : [20, 2]

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function usedHeap(): number {
  collect()
  collect()
  const { used_heap_size: used, external_memory: external } = getHeapStatistics()
  return used + external
}

/** The heap size of the results of `make`, measured and estimated. */
function compare<T>(count: number, make: (index: number) => T): { measured: number; estimated: number } {
  // What the first runs load and compile is no part of a result.
  for (let i = 0; i < count; i++) make(i)
  const results = Array.from<T>({ length: count })
  const before = usedHeap()
  for (let i = 0; i < count; i++) results[i] = make(i)
  const measured = usedHeap() - before
  return { measured, estimated: results.reduce((sum, result) => sum + heapSize(result), 0) }
}

const manual = join(import.meta.dirname, '../../docs')
const chapters = readdirSync(manual)
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(join(manual, name), 'utf8'))

const CASES: Record<string, (index: number) => unknown> = {
  // The parser can keep a slice of its input alive, so each document has a separate source.
  'documents of the manual': (i) => parsePage(`${chapters[i % chapters.length]}\n\n${i}\n`).document,
  'documents of short blocks': (i) =>
    parsePage(`# ${i}\n\n${`- a *b* [c](d.md) ${i}\n`.repeat(200)}`).document,
  'a document of wide characters': (i) =>
    parsePage(`# ${i}\n\n${`文档里的一句话${i}。\n\n`.repeat(300)}`).document,
  'nodes of page records': (i) =>
    JSON.parse(
      JSON.stringify(
        Array.from({ length: 50 }, (_, j) => ({
          id: `${i}-${j}-0123456789abcdef`,
          type: 'document',
          parent: null,
          order: `a${j}`,
          title: `The title of page ${j}`,
          slug: `the-title-of-page-${j}`,
          document: `${i}${j}`.padEnd(64, '0'),
        })),
      ),
    ),
  'maps of file records': (i) =>
    new Map(
      Array.from({ length: 300 }, (_, j) => [
        `${i}-${j}-key`,
        { id: `${i}-${j}`, size: j, path: `assets/${i}-${j}.png` },
      ]),
    ),
}

for (const [name, make] of Object.entries(CASES)) {
  test(`estimates the heap that ${name} take`, () => {
    const { measured, estimated } = compare(COUNT, make)
    const ratio = estimated / measured
    assert.ok(
      ratio > 0.75 && ratio < 1.5,
      `${estimated} bytes estimated, ${measured} measured: ${ratio.toFixed(2)}`,
    )
  })
}

test('the cache of parsed documents keeps at most 16 MB of them', () => {
  const LIMIT = 16 * 1024 * 1024
  const read = (index: number) =>
    openBody({
      page: {
        hash: `page-${index}`,
        source: `# ${index}\n\n${`- a *b* [c](d.md) ${index}\n`.repeat(1000)}`,
        references: new Map(),
      },
      included: new Map(),
      targets: new Map(),
      scope: {},
      specs: new Map(),
    })
  for (let i = 0; i < 5; i++) read(-i)
  const before = usedHeap()
  let all = 0
  for (let i = 0; all <= TIMES * LIMIT; i++) all += heapSize(read(i).document)
  const kept = usedHeap() - before
  assert.ok(kept < 1.5 * LIMIT, `${kept} bytes are kept`)
})
