/** Copies a branch of a git repository, to write commits to it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BranchCopy } from '../../sync/export-commit.ts'
import { headsOf } from '../../sync/trees.ts'
import { git, gitAt, OWN_GIT } from './git.ts'
import { cloneRepository } from './repository.ts'

/** A copy of a repository, to write one branch of it. Disposing it removes it. */
export interface OpenBranch extends BranchCopy, AsyncDisposable {}

/** Copies a branch with its history. A missing branch begins at the main branch. @param named by default, the main branch */
export async function openBranch(url: string, named: string | undefined): Promise<OpenBranch> {
  const { main, heads } = await headsOf(OWN_GIT, url)
  const branch = named ?? main ?? 'main'
  const known = heads.has(branch) ? branch : main !== undefined && heads.has(main) ? main : undefined
  if (known !== undefined) {
    const cloned = await cloneRepository(url, known, true)
    return { ...cloned, branch, base: cloned.oid, oid: known === branch ? cloned.oid : undefined }
  }
  const folder = await mkdtemp(join(tmpdir(), 'lectern-git-'))
  await git(['init', '--bare', '--quiet', '--template=', '--', folder])
  const dispose = () => rm(folder, { recursive: true, force: true })
  return { ...gitAt(folder), branch, base: undefined, oid: undefined, [Symbol.asyncDispose]: dispose }
}
