/** Applies a push: what goes to main becomes a revision, and what goes to another branch a change request. */
import type { FastifyRequest } from 'fastify'
import { parsePage } from '../core/document/parse.ts'
import { toDocument } from '../core/document/to-document.ts'
import { jsonEqual } from '../core/data/json.ts'
import { because } from '../core/languages/reasons.ts'
import type { Problem } from '../core/repository/model.ts'
import { sizeLimit } from '../core/text/byte-size.ts'
import { BlobTooLarge } from '../blobs/blobs.ts'
import type { Row } from '../db/schema.ts'
import { conflict, invalid, tooLarge } from '../http/errors.ts'
import { pageFault } from '../http/response/page-fault.ts'
import type { Services } from '../http/route.ts'
import { replacingChanges } from '../imports/proposal.ts'
import { isSameRecord, preparePush, type PreparedPush, PushRefused } from '../imports/pushed.ts'
import { type Changes, isNothing, makeMaps, needRevision } from '../model/content/commit.ts'
import { descriptionText, SUBJECT_MAX } from '../model/proposals/change-request.ts'
import { snapshotOf } from '../model/proposals/snapshots.ts'
import { branchRef } from './branches.ts'
import { COMMIT_LAYOUT } from './printed-tree.ts'
import { isLocked, type PushOperation, pushNewBranch, pushToBranch, pushToMain } from './push-operations.ts'
import type { PushRequest, RefCommand } from './push-request.ts'
import type { PushedBranch } from './pushed-commits.ts'
import { archiveCommit, type ExaminedCommit, examineCommit, isBranchName } from './pushed-tree.ts'
import { type Quarantine, refusedByGit } from './quarantine.ts'

/** The most problems of a commit that are printed. */
const MOST_PROBLEMS = 50
/** The longest description of a change request that is taken from a message, in characters. */
const LONGEST_DESCRIPTION = 10_000

/** What a push is applied with. */
export interface PushTarget {
  services: Services
  space: Row<'space'>
  /** The branches before the repository was brought up to date. */
  branches: readonly PushedBranch[]
  quarantine: Quarantine
  request: FastifyRequest
  signal: AbortSignal
  /** Runs an operation for the caller. @throws ApiError */
  operate(operation: PushOperation | string, params: Record<string, string>, body?: object): Promise<unknown>
}

/** What has become of a command: a reason if it was refused. */
export interface RefResult {
  ref: string
  refused?: string
}

/** Applies the commands of a push, one after the other. @param say gets the lines that the user sees */
export async function applyPush(
  { commands, options, unknown }: PushRequest,
  target: PushTarget,
  say: (line: string) => void,
): Promise<RefResult[]> {
  const results: RefResult[] = []
  for (const option of unknown) say(`The option "${option}" is not known; there are subject=… and draft`)
  for (const command of commands) {
    const { ref } = command
    try {
      await applyCommand(command)
      results.push({ ref })
    } catch (error) {
      if (target.signal.aborted) throw error
      if (error instanceof PushRefused) sayProblems(error.problems)
      const refused =
        error instanceof PushRefused
          ? 'see above'
          : pageFault(refusedByGit(error), target.request).why.message
      results.push({ ref, refused })
    }
  }
  return results

  function sayProblems(problems: readonly Problem[]): void {
    for (const { path, line, message } of problems.slice(0, MOST_PROBLEMS))
      say(`${path}${line === undefined ? '' : `:${line}`}: ${message}`)
    if (problems.length > MOST_PROBLEMS) say(`… and ${problems.length - MOST_PROBLEMS} more`)
  }

  async function applyCommand(command: RefCommand): Promise<void> {
    const { ref, before, after } = command
    const { quarantine } = target
    const name = ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined
    if (name === undefined) throw invalid(because('git-branches-only'))
    if (name !== 'main' && !isBranchName(name)) throw invalid(because('git-branch-name'))
    const heads = await quarantine.git(['for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads'])
    const headOf = new Map(heads.split('\n').map((line) => line.split(' ') as [string, string]))
    if (before !== headOf.get(ref)) throw conflict(because('git-fetch-first'))
    const main = headOf.get(branchRef('main')) ?? ''
    if (name === 'main') return applyToMain(main, after)
    const branch = target.branches.find((one) => one.name === name)
    if (after === undefined) return deleteBranch(branch)
    return applyToBranch(await examineCommit(quarantine, main, after), name, branch)
  }

  async function applyToMain(main: string, after: string | undefined): Promise<void> {
    const { space, services } = target
    if (after === undefined) throw conflict(because('git-main-kept'))
    const commit = await examineCommit(target.quarantine, main, after)
    if (commit.behind > 0) throw conflict(because('git-main-kept'))
    const base = await needRevision(services.db.read, space.id, commit.revisionId)
    if (isLocked(space, base)) throw conflict(because('git-space-locked'))
    const prepared = await prepare(commit, base, true)
    const { changes } = prepared
    if (isNothing(changes)) return say('The commits change nothing that a space stores')
    const made = await makeMaps(services.db.read, base, changes)
    const ready = { prepared, changes: { ...changes, made }, oid: after, pack: await storePack(commit) }
    const subject = subjectFor(commit)
    await target.operate(pushToMain({ ...ready, subject }), { spaceId: space.id })
    say(`"${space.title}" has the changes. Run "git pull" before your next commit`)
  }

  async function deleteBranch(branch: PushedBranch | undefined): Promise<void> {
    if (!branch) throw conflict(because('git-fetch-first'))
    const { id: changeRequestId, number, subject } = branch.changeRequest
    const params = { spaceId: target.space.id, changeRequestId }
    await target.operate('updateChangeRequestById', params, { status: 'archived' })
    say(`Change request ${number} is archived: ${subject}`)
  }

  async function applyToBranch(
    commit: ExaminedCommit,
    branch: string,
    known: PushedBranch | undefined,
  ): Promise<void> {
    const { space, services } = target
    const { db } = services
    const base = await needRevision(db.read, space.id, commit.revisionId)
    const prepared = await prepare(commit, base, false)
    const parent = known ? await needRevision(db.read, space.id, known.changeRequest.revisionId) : base
    const changes = await changesOf(prepared, parent)
    if (!known && isNothing(changes)) throw invalid(because('git-branch-without-changes'))
    const made = await makeMaps(db.read, parent, changes)
    const { isDraft } = options
    const subject = subjectFor(commit)
    const push = {
      prepared,
      changes: { ...changes, made },
      oid: commit.oid,
      pack: await storePack(commit),
      subject,
      description: descriptionOf(commit),
      branch,
      isDraft,
      isNamed: options.subject !== undefined,
    }
    let changeRequest = known?.changeRequest
    if (known) {
      const params = { spaceId: space.id, changeRequestId: known.changeRequest.id }
      await target.operate(pushToBranch(push, known.changeRequest), params)
    } else
      await target.operate(
        pushNewBranch(push, (opened) => (changeRequest = opened)),
        { spaceId: space.id },
      )
    const { number = 0 } = changeRequest ?? {}
    say(`Change request ${number}: ${known && !push.isNamed ? known.changeRequest.subject : subject}`)
    say(`  ${services.urls.app(`/s/${space.id}/~/changes/${number}`)}`)
  }

  /** The changes of a revision that give it the content of the commit. */
  async function changesOf({ base, changes }: PreparedPush, parent: Row<'revision'>): Promise<Changes> {
    if (parent.id === base.id) return changes
    const { db } = target.services
    const all = await replacingChanges(db.read, parent, base, changes)
    const own = await snapshotOf(db.read, parent)
    const differing = <R extends object>(
      records: ReadonlyMap<string, R | null> = new Map<string, R | null>(),
      recordOf: (id: string) => R | undefined,
    ) => new Map([...records].filter(([id, record]) => !isSameRecord(record, recordOf(id) ?? null)))
    const { variables, redirects, oldPlaces } = all
    return {
      pages: differing(all.pages, (id) => own.pages.get(id)),
      files: differing(all.files, (id) => own.files.get(id)),
      reusables: differing(all.reusables, (id) => own.reusables.get(id)),
      ...(variables && !jsonEqual(variables, own.variables) ? { variables } : {}),
      ...(redirects && !jsonEqual(redirects, own.redirects) ? { redirects } : {}),
      ...(oldPlaces ? { oldPlaces } : {}),
    }
  }

  async function prepare(
    commit: ExaminedCommit,
    base: Row<'revision'>,
    isSearched: boolean,
  ): Promise<PreparedPush> {
    const { services, space, signal, quarantine } = target
    const archived = await archiveCommit(quarantine, commit)
    const context = { ...services, now: services.now(), space, signal, isSearched }
    const prepared = await preparePush(context, { ...archived, base, layout: COMMIT_LAYOUT })
    sayProblems(prepared.problems)
    return prepared
  }

  /** Stores the objects of a commit that main lacks. @returns the hash of the pack */
  async function storePack({ oid, base }: ExaminedCommit): Promise<string> {
    const { services, quarantine } = target
    const { blobs, limits } = services
    const git = quarantine.start(['pack-objects', '--revs', '--stdout', '--delta-base-offset', '--quiet'])
    git.stdin.end(`${oid}\n^${base}\n`)
    try {
      const [{ hash }] = await Promise.all([blobs.put(git.stdout, { maxBytes: limits.upload }), git.ended])
      return hash
    } catch (error) {
      git.kill()
      if (!(error instanceof BlobTooLarge)) throw error
      throw tooLarge(because('git-push-too-large', { limit: sizeLimit(limits.upload) }))
    }
  }

  function subjectFor({ subject }: ExaminedCommit): string {
    const wanted = (options.subject ?? subject)
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .toWellFormed()
    return wanted.slice(0, SUBJECT_MAX).toWellFormed()
  }
}

function descriptionOf({ description }: ExaminedCommit): string | null {
  const text = description.replaceAll('\0', '').slice(0, LONGEST_DESCRIPTION).toWellFormed()
  return text === '' ? null : descriptionText(toDocument(parsePage(text).document))
}
