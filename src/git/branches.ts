/** The branches of a repository that are change requests: each was pushed by a user, who pushes to it again. */
import type { Database } from '../db/schema.ts'
import { needRevision } from '../model/content/commit.ts'
import { ancestorOf } from '../model/proposals/change-request.ts'
import { proposalFacts } from './history.ts'
import { type CommitTarget, writeCommits } from './import-commits.ts'
import { printTree } from './printed-tree.ts'
import { runGit } from './process.ts'
import { havePushed, type PushedBranch } from './pushed-commits.ts'

/** The name of the ref of a branch. */
export const branchRef = (name: string) => `refs/heads/${name}`

/**
 * Gives the branches of a repository the commits that were pushed. A change request that somebody has edited since is one
 * more commit, whose parents are the pushed one and, if it was updated from the primary content, the revision of that.
 * @param before the versions that the repository has, by name
 * @param commitOf the commit of a revision of the primary content; undefined if the repository lacks it
 * @returns the versions that it has now
 */
export async function setBranches(
  importing: CommitTarget,
  { db, spaceId }: { db: Database; spaceId: string },
  branches: readonly PushedBranch[],
  before: Readonly<Record<string, string>>,
  commitOf: (revisionId: string) => Promise<string | undefined>,
): Promise<Record<string, string>> {
  const { folder, signal } = importing
  const after: Record<string, string> = {}
  const names = new Set(branches.map(({ name }) => name))
  const gone = Object.keys(before).filter((name) => !names.has(name))
  await updateRefs(gone.map((name) => `delete ${branchRef(name)}\n`))
  for (const branch of branches) {
    const { name, version, pushed, isEdited } = branch
    if (before[name] !== version && (await havePushed(importing, pushed))) {
      if (!isEdited) await updateRefs([`update ${branchRef(name)} ${pushed.oid}\n`])
      else if (!(await addEdited(branch))) continue
    }
    after[name] = version
  }
  return after

  /** @returns false if the change request was updated from a revision that is newer than this work */
  async function addEdited({ name, pushed, changeRequest }: PushedBranch): Promise<boolean> {
    const base = ancestorOf(changeRequest)
    const updatedFrom = base === pushed.base ? undefined : await commitOf(base)
    if (updatedFrom === undefined && base !== pushed.base) return false
    const head = await needRevision(db.read, spaceId, changeRequest.revisionId)
    const proposal = { number: changeRequest.number, base, head: head.id, version: '', changeRequest }
    const facts = await proposalFacts(db, proposal, head)
    using writer = writeCommits(importing, true)
    const parents = [pushed.oid, ...(updatedFrom === undefined ? [] : [updatedFrom])]
    await writer.commit(branchRef(name), facts, { parents, isWhole: true }, async (take) => {
      await printTree(db.read, head, undefined, take)
    })
    await writer.end()
    return true
  }

  async function updateRefs(commands: readonly string[]): Promise<void> {
    if (commands.length === 0) return
    await runGit(folder, ['update-ref', '--stdin'], { input: commands.join(''), signal })
  }
}
