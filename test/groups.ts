/**
 * Runs the test files in a few processes instead of one each: to load the code takes a process longer than most files
 * take to run. The files in `test/groups` are the processes; a file alone runs with `node --test <file>`.
 */
import { globSync, readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { findTestsByContext } from './running-test.ts'

const ROOT = resolve(import.meta.dirname, '..')

/**
 * The first group that matches a file runs it. Node starts the groups in the order of their names, so the names put the
 * longest first and the shortest last, and none runs alone for long. Each group but `core` loads the whole server, which
 * takes more than a second of CPU time, and its threads as much. Those that measure the heap have a small one of their
 * own: each collection of garbage looks at all of it. The groups in `long/` are left out by default.
 */
export const GROUPS: Record<string, RegExp> = {
  'long/memory': /^test\/(core\/heap-size|db\/caches)\.test/,
  'long/attacks':
    /^test\/attacks\/(?!forwarded|hosts|includes|logged-secrets|page-size|redirects|sign-in|token-expiry|upload-quota)/,
  'long/dialogs':
    /^test\/console\/(begun-comments|dialogs|opening|proposals|review|review-blocks|reviewers|source)\.test/,
  'long/journeys':
    /^test\/console\/(administration|journeys|keyboard|pages-and-fields|publishing|roles|running|space-fields)\.test/,
  'long/processes': /^test\/(export-git-command|rotate-secret|books\/(corpora|load|pdf|press))\.test/,
  'long/screens':
    /^test\/console\/(discussion|injection|input-methods|page-comments|reading|screens|shown)\.test/,
  'long/sites': /^test\/sites\/(computed-pages|diagrams|injection|large-tree|look|search|try-it)\.test/,
  'long/writing': /^test\/console\/(blocks|editor|empty-blocks|together)\.test/,
  browser: /^test\/(console\/(browser|paste)|sites\/(browser|math|script|walk))\.test/,
  api: /^test\/api\//,
  core: /^(src\/|test\/core\/)/,
  matrix: /^test\/(matrix|contract)\.test/,
  'command-line': /^test\/(blobs\/|[^/]+\.test)/,
  'hosted-sites': /^test\/sites\//,
  areas: /^test\//,
}

/** The folder of the processes of the groups. */
const ENTRIES = join(import.meta.dirname, 'groups')

/** Runs the files of the group of an entry file, one after the other. */
export async function runGroup(entry: string): Promise<void> {
  enableCompileCache()
  findTestsByContext()
  const { describe } = await import('node:test')
  const group = relative(ENTRIES, entry).replace(/\.ts$/, '')
  for (const file of filesToRun(process.env).filter((one) => groupOf(one) === group)) {
    await describe(file, () => load(join(ROOT, file)))
  }
}

/** A file that cannot be loaded counts as a failed test; the runner counts no suites among the failures. */
async function load(path: string): Promise<void> {
  try {
    await import(path)
  } catch (error) {
    const { test } = await import('node:test')
    test('the file is loaded', () => {
      throw error
    })
  }
}

export function groupOf(file: string): string | undefined {
  return Object.entries(GROUPS).find(([, pattern]) => pattern.test(file))?.[0]
}

/** Whether a group is left out by default: what it tries at length, others try with fewer cases. */
const isLongGroup = (group: string | undefined) => group?.startsWith('long/') === true

/**
 * The files that the groups run: all of them; on PostgreSQL those that use a database; in a long run those that try more
 * there, and those of the long groups. `npm test` starts no long group.
 */
export function filesToRun(env: Record<string, string | undefined>): string[] {
  const files = globSync('{src,test}/**/*.test.ts', { cwd: ROOT }).toSorted()
  const uses = (file: string, needed: string) => importsOf(join(ROOT, file)).has(join(ROOT, needed))
  return files.filter((file) => {
    const isInRun = !env.LECTERN_TEST_EFFORT || isLongGroup(groupOf(file)) || uses(file, 'test/effort.ts')
    return isInRun && (!env.LECTERN_TEST_POSTGRES || uses(file, 'test/postgres.ts'))
  })
}

/** The direct and indirect imports of a file. */
function importsOf(file: string, found = new Set<string>()): Set<string> {
  for (const target of directImports(file)) {
    if (found.has(target)) continue
    found.add(target)
    importsOf(target, found)
  }
  return found
}

const known = new Map<string, string[]>()

function directImports(file: string): string[] {
  const cached = known.get(file)
  if (cached) return cached
  const matches = readFileSync(file, 'utf8').matchAll(/\b(?:from |import |import\()'(\.[^']+\.ts)'/g)
  const targets = [...matches].map(([, path = '']) => resolve(dirname(file), path))
  known.set(file, targets)
  return targets
}
