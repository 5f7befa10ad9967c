/** Makes a space equal to a branch of a repository of another host, merged with the edits of its users. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { because } from '../core/languages/reasons.ts'
import { archiveLimits } from '../core/repository/archive-limits.ts'
import { partyFor } from '../core/runtime/turns.ts'
import { GitFault } from '../git/process.ts'
import { renamesBetween } from '../git/renames.ts'
import type { Row } from '../db/schema.ts'
import { conflict } from '../http/errors.ts'
import type { FetchedArchive } from '../imports/fetch.ts'
import type { ImportContext } from '../imports/prepare-import.ts'
import { importSlots } from '../imports/slots.ts'
import { type PreparedSync, prepareSync } from '../imports/sync.ts'
import { needRevision } from '../model/content/commit.ts'
import { type SyncBody, sourceOfSpace } from '../model/proposals/space-source.ts'
import { copyBranch } from './copy.ts'
import { type PackOptions, packCommit } from './pack.ts'
import type { Remote } from './remote.ts'
import type { LocalRepository } from './repository.ts'
import { gitKey, gitSource } from './source-address.ts'

/** A branch of a repository of another host. */
export interface RepositoryBranch {
  remote: Remote
  branch: string
  /** The folder of the documentation. */
  path: string
  /** Whether what the space or the branch has may be replaced. */
  force: boolean
}

/** The context of work with a repository. */
export type RepositoryContext = ImportContext & { space: Row<'space'> }

/** Copies of repositories need disk and a process of git, so few are made at once. */
export const inRepositorySlot = importSlots({
  atOnce: 8,
  atOnceOfParty: 2,
  atOnceOfOrganization: 6,
  queue: 128,
  queueOfParty: 16,
  queueOfUser: 8,
})

/**
 * Reads a branch, and merges it with the content of a space. `writeSync` writes the result.
 * @throws 409 if the space has content that was never synced with the branch, and may not be replaced
 */
export async function prepareRepositoryImport(
  context: RepositoryContext,
  { remote, branch, path, force }: RepositoryBranch,
): Promise<PreparedSync> {
  const { space, signal } = context
  return inRepositorySlot(
    partyFor(space.organizationId),
    async () => {
      if (!force) await refuseReplacing(context, gitKey(remote.url, branch, path))
      await using copy = await copyBranch(context, remote, branch, signal)
      if (copy.oid === undefined) throw conflict(because('repository-branch-missing', { branch }))
      const sync = gitSource(remote.url, branch, path, copy.oid)
      return await prepareCommit(context, copy, sync, { isDated: true })
    },
    signal,
  )
}

/** @throws 409 if a space has content that is not of the source */
export async function refuseReplacing({ db, space }: RepositoryContext, key: string): Promise<void> {
  const source = await sourceOfSpace(db.read, space.id)
  if (source?.row.key === key) return
  const { pages, files } = await needRevision(db.read, space.id, space.revisionId)
  if (pages !== null || files !== null) throw conflict(because('repository-would-replace'))
}

/** Packs a commit of a copied repository, and reads it as the source of a space. */
export async function prepareCommit(
  context: RepositoryContext,
  copy: LocalRepository,
  sync: SyncBody & { oid: string },
  packing: PackOptions & { root?: string },
): Promise<PreparedSync> {
  const { root, ...options } = packing
  const file = join(copy.folder, 'source.zip')
  const { fileBytes: largestFile } = archiveLimits()
  await packCommit(copy, sync.oid, sync.path ?? '', file, { ...options, largestFile })
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  const archive: FetchedArchive = {
    path: file,
    name: 'source.zip',
    hash: hash.digest('hex'),
    [Symbol.asyncDispose]: () => rm(file, { force: true }),
  }
  const body = { url: sync.url ?? '', source: 'zip' as const, sync, ...(root === undefined ? {} : { root }) }
  const renamed = await renamesSince(context, copy, sync)
  return prepareSync({ ...context, archive, body, renamed })
}

/** The files that a commit has moved since the last sync of a space with the branch. */
async function renamesSince(
  { db, space }: RepositoryContext,
  copy: LocalRepository,
  { key, oid, path, exported }: SyncBody & { oid: string },
): Promise<ReadonlyMap<string, string>> {
  const source = await sourceOfSpace(db.read, space.id)
  const before = source?.row.key === key ? source.row.oid : null
  if (before === null || exported !== undefined) return new Map()
  try {
    return await renamesBetween((args) => copy.run(args), before, oid, path)
  } catch (error) {
    // The copy lacks the commit of the last sync, because the history was rewritten.
    if (error instanceof GitFault) return new Map()
    throw error
  }
}
