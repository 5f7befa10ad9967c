/** Pushes a space to a branch of a repository of another host. */
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { because } from '../core/languages/reasons.ts'
import { ARCHIVE_LIMITS } from '../core/repository/archive-limits.ts'
import { MANIFEST_PATH, MISSING_FILES_PATH, readExportedFrom } from '../core/repository/manifest.ts'
import type { RepositoryLayout } from '../core/repository/print/model.ts'
import { ImportRefused } from '../core/repository/refused.ts'
import { partyFor } from '../core/runtime/turns.ts'
import { sizeLimit } from '../core/text/byte-size.ts'
import { type CommitUser, identityLine } from '../git/commit-text.ts'
import { conflict, tooLarge } from '../http/errors.ts'
import type { Services } from '../http/route.ts'
import { readArchive } from '../imports/archive.ts'
import { storeRepository } from '../imports/repository-archive.ts'
import type { PreparedSync } from '../imports/sync.ts'
import { newestRevision } from '../model/content/commit.ts'
import { sourceOfSpace } from '../model/proposals/space-source.ts'
import { copyBranch, type RemoteBranch } from './copy.ts'
import { commitExport, type CommitOptions, type ExportedSpace, type MadeCommit } from './export-commit.ts'
import {
  inRepositorySlot,
  prepareCommit,
  type RepositoryBranch,
  type RepositoryContext,
} from './import-repository.ts'
import { gitSource } from './source-address.ts'

/** How often an export begins again because somebody else pushed to the branch. */
const ATTEMPTS = 3
/** The unpacked size of the largest space that the server exports, in bytes: the files are in memory. */
const MOST_BYTES = 256 * 1024 ** 2

/** An export, and who makes it. */
export interface RepositoryExport extends RepositoryBranch {
  message: string
  author: CommitUser
}

type ExportContext = RepositoryContext & Pick<Services, 'reportMissing'>

/**
 * Pushes one commit with the content of a space, unless the branch has it already. `writeSync` records the commit as the
 * source of the space, so that the next import changes nothing.
 * @throws 409 if that would lose something that only the branch has, and may not be replaced
 */
export async function prepareRepositoryExport(
  context: ExportContext,
  { remote, branch, path, force, message, author }: RepositoryExport,
): Promise<PreparedSync> {
  const { space, signal } = context
  const options = { address: remote.url, path, force, message, identity: identityOf(author) }
  return inRepositorySlot(
    partyFor(space.organizationId),
    async () => {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        await using copy = await copyBranch(context, remote, branch, signal)
        const pushed = await pushExport(context, copy, options)
        if (pushed) return pushed.prepared
      }
      throw conflict(because('repository-raced', { branch, count: ATTEMPTS }))
    },
    signal,
  )
}

/** A commit with the content of a space that a branch has, and the sync that records it. */
interface PushedExport {
  made: MadeCommit
  prepared: PreparedSync
}

/** Pushes the content of a space, unless the branch has it. @returns undefined if somebody else has pushed meanwhile */
export async function pushExport(
  context: ExportContext,
  copy: RemoteBranch,
  options: CommitOptions,
): Promise<PushedExport | undefined> {
  const made = await commitExport(copy, exportedSpace(context, copy), options)
  if (made.isNew && !(await copy.push(made.oid))) return undefined
  const sync = {
    ...gitSource(options.address, copy.branch, options.path, made.oid),
    exported: made.from.revision,
  }
  const packing = { isDated: false, from: made.from, root: made.folder }
  return { made, prepared: await prepareCommit(context, copy, sync, packing) }
}

/** The author and committer of a commit: as in a clone of the space, without e-mail addresses. */
export function identityOf(author: CommitUser, committer = author): Record<string, string> {
  const nameAndAddress = (user: CommitUser) => /^(.*) <(.*)>$/.exec(identityLine(user)) ?? []
  const [, name = '', email = ''] = nameAndAddress(author)
  const [, committerName = '', committerEmail = ''] = nameAndAddress(committer)
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: committerName,
    GIT_COMMITTER_EMAIL: committerEmail,
  }
}

/** A space of this server, whose archive is unpacked beside a copy of the repository. */
function exportedSpace(context: ExportContext, { folder }: RemoteBranch): ExportedSpace {
  const { db, blobs, signal, reportMissing, space } = context
  return {
    async read(layout: RepositoryLayout) {
      const revision = await newestRevision(db.read, 'space', space.id)
      const archiving = { db: db.read, blobs, signal, reportMissing }
      const { hash } = await storeRepository(archiving, revision, layout)
      const stored = await blobs.get(hash)
      if (!stored) throw new Error('The archive of the space was removed while it was exported')
      const file = join(folder, 'space.zip')
      await pipeline(stored.stream, createWriteStream(file))
      const files = new Map<string, Uint8Array>(await readInMemory(file))
      await rm(file)
      const from = readExportedFrom(files)
      if (!from) throw new Error('The archive of the space does not say what it was exported from')
      files.delete(MANIFEST_PATH)
      files.delete(MISSING_FILES_PATH)
      return { files, from }
    },
    async seen(key) {
      const source = await sourceOfSpace(db.read, space.id)
      return source?.row.key === key ? (source.row.oid ?? undefined) : undefined
    },
  }
}

/** The files of an archive that this server has made. @throws 413 if they are too large for memory */
async function readInMemory(file: string): Promise<Map<string, Buffer>> {
  const limits = {
    ...ARCHIVE_LIMITS,
    entries: 60_000,
    bytes: MOST_BYTES,
    fileBytes: MOST_BYTES,
    ratio: 100_000,
  }
  try {
    return await readArchive(file, limits)
  } catch (error) {
    if (error instanceof ImportRefused && /^archive-(?:file-)?too-large$/.test(error.reason ?? ''))
      throw tooLarge(because('repository-export-too-large', { limit: sizeLimit(MOST_BYTES) }))
    throw error
  }
}
