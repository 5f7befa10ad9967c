/** Copies a git repository to this machine. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git, gitAt } from './git.ts'
import type { LocalRepository } from '../../sync/repository.ts'
import { UsageError } from '../usage.ts'

/** A bare copy of a repository. Disposing it removes it. */
export interface ClonedRepository extends LocalRepository, AsyncDisposable {
  branch: string
  /** The newest commit of the branch. */
  oid: string
}

/** Whether an argument is the address of a git repository: a URL that git reads, or `user@host:path`. */
export function isGitAddress(argument: string): boolean {
  if (/^(?:ssh|file|git\+ssh):\/\//i.test(argument)) return true
  if (/^[\w.-]+@[\w.-]+:(?!\/\/)/.test(argument)) return true
  return /^https?:\/\//i.test(argument)
}

/** Copies a branch of a repository. @param isDated whether the history is needed */
export async function cloneRepository(
  url: string,
  branch: string | undefined,
  isDated: boolean,
): Promise<ClonedRepository> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-git-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const history = isDated ? [] : ['--depth=1']
    const named = branch === undefined ? [] : [`--branch=${branch}`]
    const how = ['--bare', '--quiet', '--single-branch', '--no-tags', '--template=']
    await git(['clone', ...how, ...history, ...named, '--', url, folder], { watch: folder })
    const oid = (await git(['rev-parse', '--verify', '--quiet', 'HEAD'], { in: folder }).catch(empty)).trim()
    const current = (await git(['symbolic-ref', '--short', 'HEAD'], { in: folder })).trim()
    return { ...gitAt(folder), branch: current, oid, [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }

  function empty(): never {
    throw new UsageError(`${branch ?? 'The repository'} has no commits; name another branch with --branch`)
  }
}
