/**
 * `npm run check`: types, lint and format. In a fresh checkout it checks everything. Later it checks what has changed since
 * it last passed, and the files that import it.
 */
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const CACHE = join(ROOT, '.cache/check')
const LINTED = join(CACHE, 'linted.json')
/** Whatever is linted again if one of these changes. */
const SETTINGS = [
  '.oxlintrc.json',
  'package-lock.json',
  'tsconfig.json',
  'src/console/app/tsconfig.json',
  'src/sites/assets/scripts/tsconfig.json',
]
/** With more files than these, all are linted: a command line has a limit. */
const MOST_NAMED = 500

/** The files that passed the linter, with hashes of their content. */
interface Linted {
  settings: string
  files: Record<string, string>
}

mkdirSync(CACHE, { recursive: true })
const [types, lint] = await Promise.all([checkTypes(), checkLint()])
const format = await run('oxfmt', ['--check'])
process.exit(types && lint && format ? 0 : 1)

async function checkTypes(): Promise<boolean> {
  const incremental = (name: string) => [
    '--noEmit',
    '--incremental',
    '--assumeChangesOnlyAffectDirectDependencies',
    '--tsBuildInfoFile',
    join(CACHE, name),
  ]
  const server = await run('tsc', incremental('server.tsbuildinfo'))
  const console = await run('tsc', ['-p', 'src/console/app', ...incremental('console.tsbuildinfo')])
  const scripts = await run('tsc', ['-p', 'src/sites/assets/scripts', ...incremental('scripts.tsbuildinfo')])
  return server && console && scripts
}

async function checkLint(): Promise<boolean> {
  const now = readSources()
  const changed = filesToLint(now, readLinted())
  if (changed.length === 0) return true
  const named = changed.length <= MOST_NAMED ? changed : []
  const passed = await run('oxlint', ['--type-aware', '--deny-warnings', ...named])
  if (passed) writeFileSync(LINTED, JSON.stringify(linted(now)))
  return passed
}

/** The files that the linter reads, with their texts. */
function readSources(): Map<string, string> {
  const names = globSync('{bench,bin,src,test,tools}/**/*.{ts,tsx,js}', { cwd: ROOT })
  const listed = names.filter((name) => !name.startsWith('src/console/app/api/operations/'))
  return new Map(listed.map((name) => [name, readFileSync(join(ROOT, name), 'utf8')]))
}

function readLinted(): Linted | undefined {
  try {
    return JSON.parse(readFileSync(LINTED, 'utf8')) as Linted
  } catch {
    return undefined
  }
}

function linted(sources: ReadonlyMap<string, string>): Linted {
  const files = Object.fromEntries([...sources].map(([name, text]) => [name, hash('sha256', text)]))
  return { settings: settingsHash(), files }
}

function settingsHash(): string {
  return hash('sha256', SETTINGS.map((name) => readFileSync(join(ROOT, name), 'utf8')).join('\0'))
}

/** The changed files, and those that import one, because rules ask for the types of what they import. */
function filesToLint(sources: ReadonlyMap<string, string>, before: Linted | undefined): string[] {
  if (before?.settings !== settingsHash()) return [...sources.keys()]
  const changed = new Set(
    [...sources].filter(([name, text]) => before.files[name] !== hash('sha256', text)).map(([name]) => name),
  )
  const gone = Object.keys(before.files).filter((name) => !sources.has(name))
  const imported = new Set([...changed, ...gone])
  for (const [name, text] of sources) {
    const targets = [...text.matchAll(/\b(?:from|import\(?) ?'(\.[^']+)'/g)].map(([, path = '']) =>
      relative(ROOT, resolve(ROOT, dirname(name), path)),
    )
    if (targets.some((target) => imported.has(target))) changed.add(name)
  }
  return [...changed]
}

/** Runs a program of the packages, prints its output when it ends, and returns whether it found nothing. */
function run(program: string, args: readonly string[]): Promise<boolean> {
  return new Promise((done, fail) => {
    const child = spawn(join(ROOT, 'node_modules/.bin', program), args, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => output.push(part))
    child.on('error', fail)
    child.on('close', (code) => {
      if (code !== 0) process.stdout.write(Buffer.concat(output))
      done(code === 0)
    })
  })
}
