/** Copies a branch of a repository of another host to the server, in a folder that is removed afterwards. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { because } from '../core/languages/reasons.ts'
import { GitFault, runGit, startGit } from '../git/process.ts'
import { conflict, unavailable } from '../http/errors.ts'
import type { Services } from '../http/route.ts'
import type { BranchCopy } from './export-commit.ts'
import { type Gateway, openGateway } from './gateway.ts'
import type { Remote } from './remote.ts'
import type { LocalRepository } from './repository.ts'
import { headsOf, pushCommit } from './trees.ts'

/** The most memory that git may allocate at once, so that an object of a hostile pack cannot take all of it. */
const ALLOCATION = '512m'

/** A branch of a repository of another host, and a copy of its history. Disposing it removes the copy. */
export interface RemoteBranch extends BranchCopy, AsyncDisposable {
  /**
   * Pushes a commit.
   * @returns false if somebody else has pushed to the branch meanwhile
   * @throws 409 with the message of the host if it refuses the commit
   */
  push(oid: string): Promise<boolean>
}

/** Copies a branch. A missing one begins at the main branch. @throws ApiError if the repository cannot be read */
export async function copyBranch(
  services: Pick<Services, 'fetch'>,
  remote: Remote,
  branch: string,
  signal: AbortSignal,
): Promise<RemoteBranch> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-sync-'))
  await using resources = new AsyncDisposableStack()
  resources.defer(() => rm(folder, { recursive: true, force: true }))
  const gateway = resources.use(await openGateway(services, remote, signal))
  const repository = ownRepository(folder, gateway, signal)

  const { main, heads } = await reaching(gateway, () => headsOf(repository, gateway.url, branch))
  const oid = heads.get(branch)
  // The list has the commit of HEAD, but only the name of the branch that was asked for.
  const base = oid === undefined ? main : branch
  const format = (oid?.length ?? 40) === 64 ? ['--object-format=sha256'] : []
  await repository.run(['init', '--bare', '--quiet', '--template=', ...format, '.'])
  let newest: string | undefined
  if (base !== undefined) {
    const ref = `refs/heads/${base}`
    const fetching = [
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-write-fetch-head',
      '--',
      gateway.url,
      `+${ref}:${ref}`,
    ]
    await reaching(gateway, () => repository.run(fetching))
    newest = (await repository.run(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`])).trim()
  }
  const owned = resources.move()
  return {
    ...repository,
    branch,
    oid: oid === undefined ? undefined : newest,
    base: newest,
    async push(commit) {
      try {
        await reaching(gateway, () => pushCommit(repository, gateway.url, commit, branch))
        return true
      } catch (error) {
        const after = await reaching(gateway, () => headsOf(repository, gateway.url, branch))
        if (after.heads.get(branch) === (oid === undefined ? undefined : newest)) throw error
        return false
      }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** The newest commit of a branch; undefined if the repository has no such branch. @throws ApiError if it cannot be read */
export async function branchHead(
  services: Pick<Services, 'fetch'>,
  remote: Remote,
  branch: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-sync-'))
  try {
    await using gateway = await openGateway(services, remote, signal)
    const repository = ownRepository(folder, gateway, signal)
    const { heads } = await reaching(gateway, () => headsOf(repository, gateway.url, branch))
    return heads.get(branch)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A repository in which git has the settings of the server, and reaches nothing but the gateway. */
function ownRepository(folder: string, gateway: Gateway, signal: AbortSignal): LocalRepository {
  const own = { GIT_ALLOC_LIMIT: ALLOCATION, ...gateway.env }
  return {
    folder,
    async run(args, { input, env } = {}) {
      const given = input === undefined ? {} : { input }
      return (await runGit(folder, args, { signal, env: { ...own, ...env }, ...given })).toString()
    },
    async stream(args, { input, env }, read) {
      const running = startGit(folder, args, { signal, env: { ...own, ...env } })
      running.stdin.end(input ?? '')
      try {
        await read(running.stdout)
      } catch (error) {
        running.kill()
        throw error
      }
      await running.ended
    },
  }
}

/** Does work for which git needs the repository. @throws ApiError with the reason that the gateway knows, or that git says */
async function reaching<T>(gateway: Gateway, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const fault = gateway.fault()
    if (fault) throw fault
    if (!(error instanceof GitFault)) throw error
    const said = saidByGit(error.message)
    throw /rejected|declined|denied|refus/i.test(said)
      ? conflict(because('repository-rejects', { fault: said }))
      : unavailable(because('repository-git-failed', { fault: said }))
  }
}

/** The message of git in one line, without the address of the gateway. */
function saidByGit(message: string): string {
  return message
    .replace(/http:\/\/127\.0\.0\.1:\d+\/?/g, '')
    .split('\n')
    .filter((line) => !/^\s*(?:hint:|To\s*$)/.test(line))
    .join(' ')
    .replace(/\p{Cc}/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, 500)
}
