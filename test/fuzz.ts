/**
 * Checks the laws of merging against random histories, and those of every parser and of the renderer against generated
 * texts and damaged pages, for a number of minutes or inputs. It also compares git's merge with ours.
 *
 *   npm run fuzz                                     a minute, from a random seed
 *   npm run fuzz -- --inputs 1000000                 at least so many inputs
 *   npm run fuzz -- --minutes 60 --seed 7            longer, from that seed
 *   npm run fuzz -- --law different --seed 7 --path 12:0:3
 *
 * A failure is printed with the law, the seed and the path that repeat it, made as small as it can be.
 */
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { gitMerge, lineEdits, realPages, withoutGit } from './core/git-merge.ts'
import { asGitDoes, LAWS } from './core/merge-laws.ts'
import { readingLaws } from './core/document/markdown-fuzz.ts'
import { parserLaws } from './core/parser-fuzz.ts'
import { samplePages } from './core/sample-pages.ts'
import { withoutCorpora } from './corpus.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    inputs: { type: 'string' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    law: { type: 'string' },
    path: { type: 'string' },
  },
})
const until = values.inputs === undefined ? performance.now() + Number(values.minutes) * 60_000 : Infinity
const enough = Number(values.inputs ?? Infinity)
const ROUND = 500
const READING_ROUND = 5_000
const GIT_ROUND = 100

const laws: Record<string, { law: fc.IProperty<unknown>; numRuns: number }> = Object.fromEntries(
  Object.entries(LAWS).map(([name, law]) => [name, { law, numRuns: ROUND }]),
)
const pages = samplePages()
for (const [name, law] of Object.entries({ ...readingLaws(pages), ...parserLaws(pages) }))
  laws[name] = { law, numRuns: READING_ROUND }
const missing = withoutCorpora || withoutGit
if (missing) console.log(`Not compared with git: ${missing}`)
else {
  const law = fc.property(lineEdits(realPages()), asGitDoes(gitMerge)) as fc.IProperty<unknown>
  laws['asGitDoes'] = { law, numRuns: GIT_ROUND }
}
const chosen = Object.entries(laws).filter(([name]) => values.law === undefined || name === values.law)
if (chosen.length === 0) throw new Error(`There is no such law; the laws are ${Object.keys(laws).join(', ')}`)

const runs = new Map<string, number>()
let tried = 0
let seed = Number(values.seed)
console.log(`From seed ${seed}`)
do {
  for (const [name, { law, numRuns }] of chosen) {
    const options = values.path === undefined ? { numRuns } : { path: values.path, endOnFailure: true }
    const result = fc.check(law, { seed, ...options })
    runs.set(name, (runs.get(name) ?? 0) + result.numRuns)
    tried += result.numRuns
    if (!result.failed) continue
    const again = `npm run fuzz -- --law ${name} --seed ${result.seed} --path ${result.counterexamplePath}`
    console.error(
      `After ${tried} inputs, ${name} does not hold.\n  ${again}\n${JSON.stringify(result.counterexample)}`,
    )
    console.error(result.errorInstance)
    process.exit(1)
  }
  seed += 1
} while (values.path === undefined && performance.now() < until && tried < enough)
console.log(
  `All laws hold for ${tried} inputs: ${[...runs].map(([name, count]) => `${name} ${count}`).join(', ')}`,
)
