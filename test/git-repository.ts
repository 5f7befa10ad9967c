/** A local git repository for tests, with its own identity and without the configuration of the machine. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

const IDENTITY = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' }
const COMMITTER = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' }

export interface TestRepository {
  folder: string
  url: string
  git(...args: string[]): string
  /** Writes files, removes those that are null, and commits. @param at the time of the commit */
  commit(files: Record<string, string | null>, at?: string): string
  /** The text files of the working tree, after taking what was pushed. */
  files(): Record<string, string>
}

/** Creates a repository with a working tree in a folder. Its branch is `main`. */
export function createRepository(folder: string): TestRepository {
  mkdirSync(folder, { recursive: true })
  const git = (...args: string[]) => gitAt('2026-01-01T00:00:00Z', ...args)
  const gitAt = (at: string, ...args: string[]) =>
    execFileSync('git', ['-C', folder, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        GIT_CONFIG_NOSYSTEM: '1',
        ...IDENTITY,
        ...COMMITTER,
        GIT_AUTHOR_DATE: at,
        GIT_COMMITTER_DATE: at,
      },
    })
  git('init', '--quiet', '--initial-branch=main')
  // So that others can push to the branch, and the working tree follows.
  git('config', 'receive.denyCurrentBranch', 'updateInstead')

  return {
    folder,
    url: pathToFileURL(folder).href,
    git,
    commit(files, at = '2026-01-01T00:00:00Z') {
      for (const [path, text] of Object.entries(files)) {
        const file = join(folder, path)
        if (text === null) rmSync(file, { force: true })
        else {
          mkdirSync(dirname(file), { recursive: true })
          writeFileSync(file, text)
        }
      }
      gitAt(at, 'add', '--all')
      gitAt(at, 'commit', '--quiet', '--allow-empty', '--message', 'Change')
      return git('rev-parse', 'HEAD').trim()
    },
    files() {
      const found: Record<string, string> = {}
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        const path = relative(folder, join(entry.parentPath, entry.name))
        if (entry.isFile() && !path.startsWith('.git/'))
          found[path] = readFileSync(join(folder, path), 'utf8')
      }
      return found
    },
  }
}
