/**
 * The OpenAPI specification of GitHub, with about 1,100 operations in 13 MB. Its package has 385 MB, so it is no dependency:
 * `node bench/github-specification.ts` downloads it into `.cache/`.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const PACKAGE = '@octokit/openapi'
const VERSION = '23.0.2'
const MEMBER = 'package/generated/api.github.com.json'

const CACHE = resolve(import.meta.dirname, '../.cache')
const FILE = join(CACHE, `api.github.com-${VERSION}.json`)

/** Why the specification is not there; undefined if it is. */
export const WITHOUT_GITHUB = existsSync(FILE)
  ? undefined
  : 'the specification of GitHub is not in .cache; run: node bench/github-specification.ts'

/** The text of the specification. */
export const githubSpecification = () => readFileSync(FILE, 'utf8')

if (import.meta.main && WITHOUT_GITHUB !== undefined) {
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(join(CACHE, 'github-'))
  try {
    const packed = execFileSync('npm', ['pack', `${PACKAGE}@${VERSION}`, '--silent'], { cwd: folder })
    execFileSync('tar', ['xzf', packed.toString().trim(), MEMBER], { cwd: folder })
    renameSync(join(folder, MEMBER), FILE)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
