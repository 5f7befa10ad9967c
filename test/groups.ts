/**
 * Runs the test files in a few processes instead of one each: to load the code takes a process longer than most files
 * take to run. The files in `test/groups` are the processes; a file alone runs with `node --test <file>`.
 */
import { globSync, readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { withCost } from './file-costs.ts'
import { findTestsByContext } from './running-test.ts'
import { beginSharing, endSharing } from './shared.ts'

const ROOT = resolve(import.meta.dirname, '..')

/**
 * The first group that matches a file runs it. The six that run by default start at once, and the longest takes
 * less than half of the work of all, so two cores have work to the end: a process that waits for a child or a browser
 * leaves its core to the others. There are no more of them because all but `core` load the whole server and warm it up,
 * which takes seconds of CPU time. The groups in `long/`
 * are left out by default. Tests that measure the heap have a small process of their own, because each collection reads
 * the whole heap.
 */
export const GROUPS: Record<string, RegExp> = {
  'long/large-attacks': /^test\/attacks\/(disk|forged-addresses|reference)\.test/,
  'long/attacks':
    /^test\/attacks\/(?!forwarded|hosts|logged-secrets|page-size|sign-in|token-expiry|upload-quota)/,
  'long/corpora': /^test\/(core\/link-index|imports\/corpora|search\/ranking)\.test/,
  'long/costs': /^test\/(core\/(cost\/|heap-size\.test)|db\/caches\.test)/,
  'long/dialogs':
    /^test\/console\/(begun-comments|conflicts|dialogs|merging|named-people|opening|proposals|review|review-blocks|source)\.test/,
  'long/journeys':
    /^test\/console\/(administration|clone-address|favourites|fonts|glossary|home|import-report|installation|journeys|keyboard|mcp-servers|page-templates|pages-and-fields|publish-space|publishing|roles|running|sidebar|space-fields|start|sync|undelivered)\.test/,
  'long/processes':
    /^test\/(both-ways|export-git-command|rotate-secret|tools\/package|books\/(corpora|load|pdf|press|site))\.test/,
  'long/screens':
    /^test\/(console\/(discussion|failing-screens|injection|input-methods|page-comments|reading|screens|shown)|tools\/parts)\.test/,
  'long/server-pages': /^test\/console\/browser\.test/,
  'long/sessions': /^test\/console\/sessions\.test/,
  'long/sites':
    /^test\/sites\/(computed-pages|diagrams|injection|large-tree|legacy-operations|long-menus|look|many-sections|math|proxy|reader-matrix|reader-walk|real-specifications|running|sandbox|script|search|try-it|walk)\.test/,
  'long/writing':
    /^test\/console\/(begin-writing|blocks|comment-writing|completion|drawn-writing|editor|field-completion|find|leaving|typed-colors|empty-blocks|painted|parts-writing|paste|random-keys|selection-bar|together|typed-tags-writing)\.test/,
  api: /^test\/api\//,
  core: /^(src|test\/core)\//,
  sites: /^test\/(sites\/|matrix\.test)/,
  'commands-and-imports': /^test\/((blobs|books|imports|mail|threads)\/|[^/]+\.test)/,
  git: /^test\/(git|sync)\//,
  areas: /^test\//,
}

/**
 * Files that use a database, but about what happens before or after: how a request is read and a response encoded, how an
 * import is converted, how a page, a book or a text is rendered, what another host answers, and what a client of the API
 * requires and prints. What they write and read, other files write and read on both databases (the matrix calls every
 * route there), so these run on SQLite only.
 */
const SAME_ON_BOTH =
  /^test\/(api\/(client|client-links|client-people|client-places|highlight|stock-clients)|attacks\/(forwarded|hosts|page-size)|books\/\w+|console\/page-words|http\/(encodings|faults|headers|rate|validate)|imports\/(address|documents|language|limits|odd-pages|outside-trees|problems|project-files|repository-page|sources|trees|website)|mail\/test-of-mail-server|outages\/(bucket|fetched|identity-provider|mail|names|website)|sites\/(certificates|conditions|drawings|empty-groups|empty-menus|front-matter-conditions|heading-fonts|hidden-urls|kit|languages|links|machines|missing-pages|openapi|renderer-calls|sections|sign-in-example|specification-conditions|stored-titles|url-spellings)|sso\/(oidc-signature|saml-browser|saml-encrypted)|tools\/seed|tracing\/tracing|docs|openapi-document|printing|(check-addresses|export|import-(report|site|sources|title)|public-host|sync)-command)\.test/

/** The folder of the processes of the groups. */
const ENTRIES = join(import.meta.dirname, 'groups')

/** Runs the files of the group of an entry file, one after the other. */
export async function runGroup(entry: string): Promise<void> {
  enableCompileCache()
  findTestsByContext()
  beginSharing()
  const { describe } = await import('node:test')
  const group = relative(ENTRIES, entry).replace(/\.ts$/, '')
  // CI has their other cases on SQLite.
  if (hasDefaultEffort(group, process.env)) delete process.env.LECTERN_TEST_EFFORT
  for (const file of filesToRun(process.env).filter((one) => groupOf(one) === group)) {
    await withCost(group, file, () => describe(file, () => load(join(ROOT, file))))
  }
  await endSharing()
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

/** Whether a group has the default effort in CI: the groups that run by default have it on PostgreSQL. */
export function hasDefaultEffort(group: string, env: Record<string, string | undefined>): boolean {
  return env.LECTERN_TEST_EFFORT === 'ci' && Boolean(env.LECTERN_TEST_POSTGRES) && !isLongGroup(group)
}

/** Whether a group is left out by default: what it tries at length, others try with fewer cases. */
const isLongGroup = (group: string | undefined) => group?.startsWith('long/') === true

/**
 * The files that the groups run: all of them; on PostgreSQL those that depend on the database, and all of the long groups, some
 * of which CI runs only there; in a long run, which comes after
 * a default one, those that try more there, and those of the long groups. `npm test` starts no long group.
 */
export function filesToRun(env: Record<string, string | undefined>): string[] {
  const files = globSync('{src,test}/**/*.test.ts', { cwd: ROOT }).toSorted()
  const uses = (file: string, needed: string) => importsOf(join(ROOT, file)).has(join(ROOT, needed))
  const effort = env.LECTERN_TEST_EFFORT
  const isWhole = !effort || effort === 'ci'
  return files.filter((file) => {
    const isInRun = isWhole || isLongGroup(groupOf(file)) || uses(file, 'test/effort.ts')
    const onPostgres = () =>
      isLongGroup(groupOf(file)) || (uses(file, 'test/postgres.ts') && !SAME_ON_BOTH.test(file))
    return isInRun && (!env.LECTERN_TEST_POSTGRES || onPostgres())
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
