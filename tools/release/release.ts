/**
 * `npm run release -- <version>`: makes a release of a clean checkout. It checks, writes the version and the heading of the
 * changelog, freezes the migrations, stores filled databases for the tests, commits, tags, and makes the artefacts in
 * `release/<version>`. It pushes and publishes nothing.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { makeArtefacts } from './artefacts.ts'
import { recordDigests } from './digests.ts'
import { checkVersion, releasedChangelog, writeVersions } from './version.ts'

const ROOT = resolve(import.meta.dirname, '../..')

const HELP = `npm run release -- <version>

  --dry-run             check everything, and change nothing
  --full-tests          run .ci/run instead of "npm test"
  --without-checks      do not run "npm run check"
  --without-tests       run no tests
  --without-databases   store no databases for the tests of later versions
  --without-package     make the archive of the sources only: no package, bill of materials or image`

/** The release cannot be made. The message says why, and what to do. */
class ReleaseError extends Error {}

function run(command: string, ...args: string[]): void {
  console.log(`$ ${[command, ...args].join(' ')}`)
  execFileSync(command, args, { cwd: ROOT, stdio: 'inherit' })
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()

async function release(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      'full-tests': { type: 'boolean', default: false },
      'without-checks': { type: 'boolean', default: false },
      'without-tests': { type: 'boolean', default: false },
      'without-databases': { type: 'boolean', default: false },
      'without-package': { type: 'boolean', default: false },
    },
  })
  const [version, ...more] = positionals
  if (version === undefined || more.length > 0) throw new ReleaseError(HELP)

  const dirty = git('status', '--porcelain')
  if (dirty !== '')
    throw new ReleaseError(`The working tree has changes. Commit or remove them first:\n${dirty}`)
  const { version: current } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    version: string
  }
  const fault = checkVersion(version, current, git('tag', '--list', 'v*').split('\n').filter(Boolean))
  if (fault !== undefined) throw new ReleaseError(fault)
  const today = new Date().toISOString().slice(0, 10)
  const changelog = releasedChangelog(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version, today)
  if (changelog === undefined)
    throw new ReleaseError('CHANGELOG.md has no entries below "## Unreleased". Describe what users notice')

  if (!values['without-checks']) run('npm', 'run', '-s', 'check')
  if (!values['without-tests']) {
    if (values['full-tests']) run('.ci/run')
    else run('npm', 'test')
  }
  if (values['dry-run']) {
    console.log(`Dry run: version ${version} of ${today} could be released from ${git('rev-parse', 'HEAD')}`)
    return
  }

  writeFileSync(join(ROOT, 'CHANGELOG.md'), changelog)
  writeVersions(ROOT, version)
  recordDigests(ROOT, true)
  if (!values['without-databases']) run('node', 'tools/release/store-databases.ts', version)
  git('add', '--all')
  git('commit', '--quiet', '-m', `Release: version ${version}`)
  git('tag', '--annotate', '-m', `Lectern ${version}`, `v${version}`)

  const folder = join(ROOT, 'release', version)
  if (existsSync(folder)) rmSync(folder, { recursive: true })
  mkdirSync(folder, { recursive: true })
  const left = Object.entries(values).flatMap(([name, isSet]) => (isSet ? [name] : []))
  await makeArtefacts({ root: ROOT, folder, version, options: left, withPackage: !values['without-package'] })
  console.log(
    `Version ${version} is tagged, and its files are in release/${version}. Check them, and push the commit and the tag`,
  )
}

try {
  await release()
} catch (error) {
  const { message } = error as Error
  console.error(error instanceof ReleaseError ? message : `The release failed: ${message}`)
  if (!(error instanceof ReleaseError))
    console.error(
      'To begin again, delete the tag and the commit of the release if they exist ("git tag -d", "git reset --hard")',
    )
  process.exitCode = 1
}
