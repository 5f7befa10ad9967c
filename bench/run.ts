/**
 * Every benchmark, each beside a reference measured in the same run; prints one table. Needs `wrk`, `taskset` and `nginx`.
 * Server and load are on different cores; after a warm-up, the median of the counted runs counts.
 *
 *   npm run bench                  all but the hour and the ledger
 *   npm run bench -- ledger        the core scenarios in five minutes, with a line for each in docs/performance-history.csv
 *   npm run bench -- space page    those named
 *   npm run bench -- attacks       with BENCH_ATTACKS=comments, those whose names have that in them
 *   npm run bench -- hour          an hour of mixed load and attacks, or BENCH_MINUTES
 */
import { spawnSync } from 'node:child_process'
import { access } from './access.ts'
import { attacks } from './attacks.ts'
import { blocks } from './blocks.ts'
import { bursts } from './bursts.ts'
import { editing } from './console.ts'
import { events } from './events.ts'
import { hour } from './hour.ts'
import { imports } from './import.ts'
import { besideImports } from './import-beside.ts'
import { largeSite } from './large-site.ts'
import { ledger } from './ledger.ts'
import { lighthouse } from './lighthouse.ts'
import { links } from './links.ts'
import { merging } from './merge.ts'
import { observed } from './metrics.ts'
import { openapi } from './openapi.ts'
import { page } from './page.ts'
import { pdf } from './pdf.ts'
import { people } from './people.ts'
import { type Result, shownCpu } from './result.ts'
import { search } from './search.ts'
import { sources } from './sources.ts'
import { space } from './space.ts'
import { start } from './start.ts'
import { vitepress } from './vitepress.ts'

const scenarios: Record<string, () => Promise<Result[]>> = {
  space,
  access,
  people,
  page,
  metrics: observed,
  import: async () => [...(await imports()), ...(await besideImports())],
  sources,
  merge: merging,
  bursts,
  blocks,
  console: editing,
  search,
  links,
  pdf,
  openapi,
  events,
  start,
  'large-site': largeSite,
  vitepress,
  lighthouse,
  attacks,
  hour,
  ledger,
}
/** They run only if they are named. */
const NAMED = new Set(['hour', 'ledger'])

for (const tool of ['wrk', 'taskset', 'nginx']) {
  if (spawnSync('which', [tool]).status === 0) continue
  console.error(`The benchmarks need ${tool}; on Debian: apt-get install wrk util-linux nginx-light`)
  process.exit(1)
}

const row = (cells: string[]) => `| ${cells.join(' | ')} |`
console.log(row(['scenario', 'ours', 'reference', 'ratio', 'spread of ours', 'goal', 'CPU time']))
console.log(row(['---', '---', '---', '---', '---', '---', '---']))

const named = process.argv.slice(2)
for (const [name, run] of Object.entries(scenarios)) {
  if (named.length > 0 ? !named.includes(name) : NAMED.has(name)) continue
  for (const { scenario, ours, reference, ratio, spread, goal, cpu } of await run()) {
    console.log(row([scenario, ours, reference, ratio.toFixed(2), spread, goal, shownCpu(cpu)]))
  }
}
