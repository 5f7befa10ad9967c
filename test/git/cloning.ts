/** Git on the machine of a user, against the server of a test. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import type { World } from '../world.ts'

const run = promisify(execFile)

/** How a command ended. */
export interface GitEnd {
  code: number
  out: string
  err: string
}

/** A folder for clones, removed after the tests of the file. */
export async function cloneFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-clone-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
    LC_ALL: 'C',
  }

  async function attempt(...args: string[]): Promise<GitEnd> {
    try {
      const { stdout, stderr } = await run('git', args, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 })
      return { code: 0, out: stdout, err: stderr }
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
      return { code, out: stdout, err: stderr }
    }
  }

  /** Runs a command, which has to succeed. */
  async function git(...args: string[]): Promise<string> {
    const { code, out, err } = await attempt(...args)
    if (code !== 0) throw new Error(`git ${args.join(' ')}: ${err}`)
    return out
  }

  /** The files of a working tree as text, by path. */
  async function filesIn(name: string): Promise<Record<string, string>> {
    const found: Record<string, string> = {}
    const top = join(folder, name)
    for (const entry of await readdir(top, { recursive: true, withFileTypes: true })) {
      const path = relative(top, join(entry.parentPath, entry.name))
      if (entry.isFile() && !path.startsWith('.git/')) found[path] = await readFile(join(top, path), 'latin1')
    }
    return found
  }

  return { folder, attempt, git, filesIn }
}

/** The address of a space as a remote, with a token as the password. */
export function remoteOf({ url }: World, organizationId: string, spaceId: string, token = ''): string {
  const address = new URL(`${url}/git/${organizationId}/${spaceId}.git`)
  if (token !== '') {
    address.username = 'anyone'
    address.password = token
  }
  return address.href
}
