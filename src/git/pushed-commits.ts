/** The commits that users have pushed, as the database has them, and their objects in repositories. */
import { pipeline } from 'node:stream/promises'
import { chunks } from '../db/chunks.ts'
import type { Reader, Row } from '../db/schema.ts'
import { ancestorOf } from '../model/proposals/change-request.ts'
import type { CommitTarget } from './import-commits.ts'
import { runGit, startGit } from './process.ts'

/** So many branches of open change requests a space can have. */
export const MOST_BRANCHES = 100

/** The branch of an open change request. */
export interface PushedBranch {
  name: string
  /** What was pushed last. */
  pushed: Row<'pushedCommit'>
  changeRequest: Row<'changeRequest'>
  /** Whether somebody has changed the content since. */
  isEdited: boolean
  /** Changes whenever the head of the branch does. */
  version: string
}

/** The branches of a space, by name. Those of change requests that are closed are gone. */
export async function openBranches(db: Reader, spaceId: string): Promise<PushedBranch[]> {
  const rows = await db
    .selectFrom('pushedCommit')
    .selectAll()
    .where('spaceId', '=', spaceId)
    .where('branch', 'is not', null)
    .execute()
  if (rows.length === 0) return []
  const open = new Map<string, Row<'changeRequest'>>()
  for (const some of chunks(rows.flatMap(({ changeRequestId }) => changeRequestId ?? []))) {
    const found = await db
      .selectFrom('changeRequest')
      .selectAll()
      .where('id', 'in', some)
      .where('status', 'in', ['draft', 'open'])
      .execute()
    for (const one of found) open.set(one.id, one)
  }
  const branches = rows
    .flatMap((pushed) => {
      const { branch: name, revisionId, oid } = pushed
      const changeRequest = open.get(pushed.changeRequestId ?? '')
      if (name === null || !changeRequest) return []
      const isEdited = changeRequest.revisionId !== revisionId
      const edited = isEdited && [changeRequest.revisionId, ancestorOf(changeRequest), changeRequest.subject]
      return [{ name, pushed, changeRequest, isEdited, version: JSON.stringify([oid, edited]) }]
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  // Git has no branch below another. A change request that was reopened may be one.
  return branches.filter(({ name }) => !branches.some((other) => isBelowBranch(name, other.name)))
}

/** Whether git would store a branch in a folder that another branch is a file of. */
export const isBelowBranch = (name: string, other: string) => name.startsWith(`${other}/`)

/**
 * The pushed commits that revisions of the primary content were made of, by revision: those that were pushed to main, and
 * the newest of each change request that was merged.
 */
export async function pushedTo(
  db: Reader,
  spaceId: string,
  revisionIds: readonly string[],
): Promise<Map<string, PushedObjects>> {
  const found = new Map<string, PushedObjects>()
  for (const some of chunks(revisionIds)) {
    const rows = await db
      .selectFrom('pushedCommit')
      .leftJoin('changeRequest', 'changeRequest.id', 'pushedCommit.changeRequestId')
      .select(['pushedCommit.revisionId', 'changeRequest.revisionMerged', 'oid', 'pack'])
      .where('pushedCommit.spaceId', '=', spaceId)
      .where((eb) =>
        eb.or([
          eb.and([eb('changeRequestId', 'is', null), eb('pushedCommit.revisionId', 'in', some)]),
          eb('changeRequest.revisionMerged', 'in', some),
        ]),
      )
      .execute()
    for (const { revisionId, revisionMerged, ...pushed } of rows)
      found.set(revisionMerged ?? revisionId, pushed)
  }
  return found
}

/** A pushed commit, and the blob with its objects. */
export type PushedObjects = Pick<Row<'pushedCommit'>, 'oid' | 'pack'>

/** Makes sure that a repository has a pushed commit. @returns false if the store has lost its objects */
export async function havePushed(
  { folder, blobs, signal, reportMissing }: CommitTarget,
  { oid, pack }: PushedObjects,
): Promise<boolean> {
  if (await hasCommit(folder, oid, signal)) return true
  const blob = await blobs.get(pack)
  if (!blob) {
    reportMissing(pack, `the commit ${oid}`)
    return false
  }
  const git = startGit(folder, ['index-pack', '--stdin'], { signal })
  git.stdout.resume()
  await Promise.all([pipeline(blob.stream, git.stdin).catch(() => {}), git.ended])
  return true
}

async function hasCommit(folder: string, oid: string, signal: AbortSignal): Promise<boolean> {
  const printed = await runGit(folder, ['cat-file', '--batch-check=%(objecttype)'], {
    input: `${oid}\n`,
    signal,
  })
  return printed.toString().trim() === 'commit'
}
