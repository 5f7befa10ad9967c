/** Pushes a space to a branch of a git repository: one commit, whose documentation is that of the space. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commitExport, type ExportedSpace, type MadeCommit } from '../../sync/export-commit.ts'
import { packCommit } from '../../sync/pack.ts'
import { gitSource, pathInRepository, withoutPasswords } from '../../sync/source-address.ts'
import { headsOf, pushCommit } from '../../sync/trees.ts'
import type { Call } from '../client.ts'
import { type OpenBranch, openBranch } from '../git/branch.ts'
import { withFlags } from '../git/flags.ts'
import { OWN_GIT } from '../git/git.ts'
import { isGitAddress } from '../git/repository.ts'
import { printLines } from '../print.ts'
import { progressBar } from '../progress-bar.ts'
import { uploadFile } from '../upload.ts'
import { UsageError } from '../usage.ts'
import { readExported } from './exported-archive.ts'

export interface GitExportOptions {
  git: string
  branch?: string | undefined
  path?: string | undefined
  root?: string | undefined
  /** `markdown` if the space was imported as the Markdown that the repository has. */
  source?: string | undefined
  message?: string | undefined
  force?: boolean | undefined
}

/** How often an export begins again because somebody else pushed to the branch. */
const ATTEMPTS = 3

/** Exports a space to a branch, and records the commit as the source of the space. */
export async function exportToGit(call: Call, spaceId: string, options: GitExportOptions): Promise<void> {
  const { git: address } = options
  if (!isGitAddress(address))
    throw new UsageError(
      `--git must be the address of a repository, such as https://git.example.com/team/docs.git, but was "${address}"`,
    )
  const at = `/spaces/${encodeURIComponent(spaceId)}`
  const space = await call('GET', at)
  const path = pathInRepository(options.path ?? '')
  const user = await call('GET', '/user')
  const { source, force = false, message = 'Update the documentation from Lectern', root } = options
  if (source !== undefined && source !== 'markdown')
    throw new UsageError(`--source of an export can only be markdown, but was "${source}"`)
  const isMarkdown = source === 'markdown'
  const exporting = { address, path, root, isMarkdown, force, message }

  for (let attempt = 1; ; attempt++) {
    await using repository = await openBranch(address, options.branch)
    const done = progressBar('Exporting')
    const identity = await identityFor(repository, user)
    const work = () => commitExport(repository, exportedSpace(call, spaceId), { ...exporting, identity })
    const made = await withFlags(work, {
      'repository-unseen-changes': `${syncFirst(spaceId, options)}, or overwrite them with --force`,
    }).finally(() => done.end())
    if (made.isNew) {
      try {
        await pushCommit(repository, address, made.oid, repository.branch)
      } catch (error) {
        const { heads } = await headsOf(OWN_GIT, address)
        if (heads.get(repository.branch) === repository.oid) throw error
        if (attempt < ATTEMPTS) continue
        throw new UsageError(
          `Others pushed to the branch ${repository.branch} ${ATTEMPTS} times meanwhile; ${syncFirst(spaceId, options)}`,
        )
      }
    }
    const isCommit = made.oid !== ''
    printLines(
      made.isNew
        ? `Pushed ${made.oid.slice(0, 7)} to ${repository.branch}: ${made.changed} changed, ${made.removed} removed`
        : `Nothing to push: ${repository.branch} has the content of the space`,
    )
    if (isCommit) await record(call, space, repository, made, { address, path })
    return
  }
}

const textOr = (value: unknown, otherwise: string) =>
  typeof value === 'string' && value.trim() !== '' ? value : otherwise

/** The author and committer of the commit, if git does not know who its user is. */
async function identityFor(
  repository: OpenBranch,
  user: Record<string, unknown>,
): Promise<Record<string, string>> {
  const isKnown = await repository.run(['config', '--get', 'user.email']).then(Boolean, () => false)
  if (isKnown || process.env.GIT_AUTHOR_EMAIL) return {}
  const name = textOr(user.displayName, 'Lectern')
  const email = textOr(user.email, 'lectern@localhost')
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  }
}

/** A space of the server, whose archive is downloaded. */
function exportedSpace(call: Call, spaceId: string): ExportedSpace {
  return {
    read: (layout) => readExported(call, spaceId, { ...layout }),
    async seen(key) {
      try {
        const info = await call('GET', `/spaces/${encodeURIComponent(spaceId)}/git/info`)
        return info.key === key && typeof info.oid === 'string' ? info.oid : undefined
      } catch (error) {
        if (error instanceof UsageError) return undefined
        throw error
      }
    },
  }
}

function syncFirst(spaceId: string, { git: address, branch, path, root }: GitExportOptions): string {
  const flags = Object.entries({ branch, path, root }).flatMap(([name, value]) =>
    value ? [`--${name} ${value}`] : [],
  )
  return `take them over first: lectern import ${[withoutPasswords(address), ...flags].join(' ')} --space ${spaceId} --sync`
}

/** Records the commit as what the space was exported to, so that the next sync changes nothing. */
async function record(
  call: Call,
  space: Record<string, unknown>,
  repository: OpenBranch,
  { oid, folder: root, from }: MadeCommit,
  { address, path }: { address: string; path: string },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-pack-'))
  try {
    const file = join(folder, 'source.zip')
    await packCommit(repository, oid, path, file, { isDated: false, from })
    const url = await uploadFile(call, String(space.organization), { file, name: 'export.zip' })
    const sync = { ...gitSource(address, repository.branch, path, oid), exported: from.revision }
    await call('POST', `/spaces/${String(space.id)}/content/import`, { url, source: 'zip', root, sync })
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(
      `The branch ${repository.branch} has the content of the space, but the space does not know it: ${error.message}. Run the same command again`,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
