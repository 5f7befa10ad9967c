/**
 * Every benchmark, each beside a reference measured in the same run; prints one table. Needs `wrk` and `taskset`.
 * Server and load are on different cores; after a warm-up, the median of the counted runs counts.
 *
 *   npm run bench                  all
 *   npm run bench -- space page    those named
 */
import { spawnSync } from 'node:child_process'
import { access } from './access.ts'
import { attacks } from './attacks.ts'
import { imports } from './import.ts'
import { merging } from './merge.ts'
import { page } from './page.ts'
import { people } from './people.ts'
import type { Result } from './result.ts'
import { space } from './space.ts'
import { start } from './start.ts'

const scenarios: Record<string, () => Promise<Result[]>> = {
  space,
  access,
  people,
  page,
  import: imports,
  merge: merging,
  start,
  attacks,
}

for (const tool of ['wrk', 'taskset']) {
  if (spawnSync('which', [tool]).status === 0) continue
  console.error(`The benchmarks need ${tool}; on Debian: apt-get install wrk util-linux`)
  process.exit(1)
}

const row = (cells: string[]) => `| ${cells.join(' | ')} |`
console.log(row(['scenario', 'ours', 'reference', 'ratio', 'spread of ours', 'goal']))
console.log(row(['---', '---', '---', '---', '---', '---']))

const named = process.argv.slice(2)
for (const [name, run] of Object.entries(scenarios)) {
  if (named.length > 0 && !named.includes(name)) continue
  for (const { scenario, ours, reference, ratio, spread, goal } of await run()) {
    console.log(row([scenario, ours, reference, ratio.toFixed(2), spread, goal]))
  }
}
