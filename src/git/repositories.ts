/**
 * The repositories of spaces: a cache in the data folder, which each copy of the server has for itself and which can be
 * deleted at any time. A repository is brought up to date with the database when somebody needs it.
 */
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonEqual } from '../core/data/json.ts'
import { lru } from '../core/data/lru.ts'
import type { Party } from '../core/runtime/party.ts'
import { asJob } from '../core/runtime/turns.ts'
import type { Row } from '../db/schema.ts'
import { unavailable } from '../http/errors.ts'
import type { Services } from '../http/route.ts'
import { needRevision } from '../model/content/commit.ts'
import { because } from '../core/languages/reasons.ts'
import { fairShare, ShareFull } from '../threads/shares.ts'
import { setBranches } from './branches.ts'
import { commitsAfter, openProposals, type ProposalHead, proposalFacts } from './history.ts'
import { type CommitTarget, writeCommits } from './import-commits.ts'
import { printNextTree, printTree, type PrintedTree } from './printed-tree.ts'
import { GitFault, runGit } from './process.ts'
import { havePushed, openBranches } from './pushed-commits.ts'

/** Increases when the commits of the same history would be others, so that repositories of earlier versions are made anew. */
const FORMAT = 1
const MAIN = 'refs/heads/main'
const STATE_FILE = 'lectern.json'

/** How long a request waits for a repository. The work goes on, and a later request finds it done. */
const WAIT_MS = 45_000
const RETRY_S = 30
/** After so many objects that are files of their own, a repository is packed. */
const MOST_LOOSE = 2_000
const MOST_PACKS = 20
/** The most commits that are added before the repository is saved. */
const MOST_AT_ONCE = 500
/** A repository that nobody used for so long is removed. */
const KEPT_MS = 30 * 24 * 3_600_000
const EXAMINED_EVERY_MS = 10 * 60_000
const TIDY_EVERY_MS = 6 * 3_600_000

/** What a repository has. */
interface RepositoryState {
  format: number
  /** The newest revision of the primary content, and its number. */
  revision: string
  sequence: number
  /** The id of its commit. */
  commit: string
  /** The versions of the commits of change requests, by their numbers. */
  changes: Record<string, string>
  /** The versions of branches of change requests, by their names; absent in a repository of an earlier version. */
  branches?: Record<string, string>
}

/** Keeps the repositories. */
export interface Repositories {
  /**
   * The folder of the repository of a space, which has all that the space had when it was asked for.
   * @throws 503 if that takes too long, or if too much of it waits
   */
  upToDate(space: Row<'space'>, party: Party): Promise<string>
  /** Looks for damage, because git could not serve a repository. A damaged one is removed, and made anew when it is needed. */
  examine(spaceId: string): void
  /** Ends the work on them. */
  stop(): void
}

type Needed = Pick<Services, 'db' | 'blobs' | 'reportMissing'>

/** @param folder the folder of all repositories */
export function openRepositories(folder: string, services: Needed): Repositories {
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  const states = new Map<string, RepositoryState>()
  const examined = new Map<string, number>()
  const trees = lru<PrintedTree>(64 * 1024 * 1024, 'git-trees')
  const share = fairShare({ atOnce: 2, atOnceOfParty: 1, queue: 64, queueOfParty: 8 })
  const { db } = services
  const timer = setInterval(() => void tidy().catch(() => {}), TIDY_EVERY_MS)
  timer.unref()

  const folderOfSpace = (spaceId: string) => join(folder, `${spaceId}.git`)

  async function upToDate(space: Row<'space'>, party: Party): Promise<string> {
    const path = folderOfSpace(space.id)
    const late = AbortSignal.timeout(WAIT_MS)
    // Work that had begun before this request may not have what the space has now.
    for (;;) {
      const working = running.get(space.id)
      if (!working && (await isCurrent(space.id))) break
      await orLate(working ?? begin(space.id, party), late)
      if (!working) break
    }
    const now = new Date()
    await utimes(path, now, now)
    return path
  }

  function begin(spaceId: string, party: Party): Promise<void> {
    const work = share(party, () => asJob(undefined, () => updateOrForget(spaceId)), stopping.signal)
      .catch((error: unknown) => {
        throw error instanceof ShareFull ? unavailable(because('git-busy'), RETRY_S) : error
      })
      .finally(() => running.delete(spaceId))
    running.set(spaceId, work)
    // The request that began it may have left.
    work.catch(() => {})
    return work
  }

  async function isCurrent(spaceId: string): Promise<boolean> {
    const state = await stateOf(spaceId)
    if (!state) return false
    const { revisionId } = await db.read
      .selectFrom('space')
      .select('revisionId')
      .where('id', '=', spaceId)
      .executeTakeFirstOrThrow()
    if (state.revision !== revisionId) return false
    const branches = await openBranches(db.read, spaceId)
    const versions = Object.fromEntries(branches.map(({ name, version }) => [name, version]))
    return (
      jsonEqual(state.branches ?? {}, versions) && hasProposals(state, await openProposals(db.read, spaceId))
    )
  }

  /** What a repository has; undefined if there is no usable one. */
  async function stateOf(spaceId: string): Promise<RepositoryState | undefined> {
    const path = folderOfSpace(spaceId)
    const exists = await stat(join(path, 'HEAD')).catch(() => undefined)
    const known = exists && (states.get(spaceId) ?? (await readState(path)))
    if (known) states.set(spaceId, known)
    else states.delete(spaceId)
    return known
  }

  /** A repository that git does not update is damaged. The next request makes it anew. */
  async function updateOrForget(spaceId: string): Promise<void> {
    try {
      await update(spaceId)
    } catch (error) {
      states.delete(spaceId)
      if (error instanceof GitFault) await rm(folderOfSpace(spaceId), { recursive: true, force: true })
      throw error
    }
  }

  async function update(spaceId: string): Promise<void> {
    const path = folderOfSpace(spaceId)
    const { signal } = stopping
    let state = await stateOf(spaceId)
    if (!state) {
      await rm(path, { recursive: true, force: true })
      await mkdir(path, { recursive: true })
      await runGit(path, ['init', '--quiet', '--bare', '--template=', '--initial-branch=main'], { signal })
      state = { format: FORMAT, revision: '', sequence: 0, commit: '', changes: {} }
    }
    const importing: CommitTarget = { folder: path, signal, ...services }
    let next = await addRevisions(importing, spaceId, state)
    // A long history is added in parts, so that each of them is kept whatever happens to the next.
    while (next.sequence !== state.sequence) {
      state = next
      await saveState(path, state)
      next = await addRevisions(importing, spaceId, state)
    }
    const changes = await setProposals(importing, spaceId, { ...next, changes: state.changes })
    const branches = await setBranches(
      importing,
      { db, spaceId },
      await openBranches(db.read, spaceId),
      state.branches ?? {},
      (revisionId) => commitOfRevision(spaceId, next, revisionId),
    )
    const whole = { ...next, changes, branches }
    await saveState(path, whole)
    states.set(spaceId, whole)
    await pack(path, signal)
  }

  /** Adds the commits of revisions that the repository has not. */
  async function addRevisions(
    importing: CommitTarget,
    spaceId: string,
    state: RepositoryState,
  ): Promise<RepositoryState> {
    let next = state
    let tree: PrintedTree | undefined
    using writer = lazyWriter(() => writeCommits(importing, false))
    for await (const { revision, facts, pushed } of commitsAfter(db, spaceId, state.sequence)) {
      if (revision.sequence > state.sequence + MOST_AT_ONCE) break
      const isFirst = next.revision === ''
      const before = isFirst ? undefined : (tree ?? (await treeAtRevision(spaceId, next.revision)))
      const from = writer.isOpen() || isFirst ? undefined : state.commit
      const merged = pushed && (await havePushed(importing, pushed)) ? pushed.oid : undefined
      await writer
        .open()
        .commit(MAIN, facts, { parents: from === undefined ? [] : [from], merged }, async (take) => {
          tree = before
            ? await printNextTree(db.read, before, revision, take)
            : await printTree(db.read, revision, undefined, take)
        })
      next = { ...next, revision: revision.id, sequence: revision.sequence }
    }
    if (!writer.isOpen()) return next
    const commit = await writer.open().end()
    if (tree) remember(spaceId, next.revision, tree)
    return { ...next, commit }
  }

  /** Makes the commits of the open change requests. @returns their versions */
  async function setProposals(
    importing: CommitTarget,
    spaceId: string,
    state: RepositoryState,
  ): Promise<RepositoryState['changes']> {
    const proposals = await openProposals(db.read, spaceId)
    const changes: RepositoryState['changes'] = {}
    using writer = lazyWriter(() => writeCommits(importing, true))
    for (const proposal of proposals) {
      const name = String(proposal.number)
      if (state.changes[name] === proposal.version || (await addProposal(proposal)))
        changes[name] = proposal.version
    }
    if (writer.isOpen()) await writer.open().end()
    const closed = Object.keys(state.changes).filter((number) => !(number in changes))
    const input = closed.map((number) => `delete ${changeRef(number)}\n`).join('')
    if (input !== '')
      await runGit(importing.folder, ['update-ref', '--stdin'], { input, signal: importing.signal })
    return changes

    async function addProposal(proposal: ProposalHead): Promise<boolean> {
      const from = await commitOfRevision(spaceId, state, proposal.base)
      // It was updated from a revision that is newer than this work.
      if (from === undefined) return false
      const head = await needRevision(db.read, spaceId, proposal.head)
      const facts = await proposalFacts(db, proposal, head)
      const before = await treeAtRevision(spaceId, proposal.base)
      await writer.open().commit(changeRef(proposal.number), facts, { parents: [from] }, async (take) => {
        await printNextTree(db.read, before, head, take)
      })
      return true
    }
  }

  /** The commit of a revision of the primary content; undefined if it is newer than what the repository has. */
  async function commitOfRevision(
    spaceId: string,
    { commit, sequence }: RepositoryState,
    revisionId: string,
  ): Promise<string | undefined> {
    const behind = sequence - (await needRevision(db.read, spaceId, revisionId)).sequence
    return behind < 0 ? undefined : `${commit}~${behind}`
  }

  /** The printed files of a revision. Those that were printed last are remembered. */
  async function treeAtRevision(spaceId: string, id: string): Promise<PrintedTree> {
    const known = trees.get(`${spaceId} ${id}`)
    if (known) return known
    const tree = await printTree(db.read, await needRevision(db.read, spaceId, id), undefined, async () => {})
    remember(spaceId, id, tree)
    return tree
  }

  function remember(spaceId: string, id: string, tree: PrintedTree): void {
    let bytes = 1_000
    for (const path of tree.files.keys()) bytes += 2 * path.length + 400
    trees.set(`${spaceId} ${id}`, tree, bytes)
  }

  /** Removes the repositories that nobody uses, and those of spaces that are deleted. */
  async function tidy(): Promise<void> {
    for (const name of await readdir(folder).catch(() => [])) {
      const id = name.replace(/\.git$/, '')
      const path = join(folder, name)
      const used = await stat(path).catch(() => undefined)
      const space = await db.read.selectFrom('space').select('id').where('id', '=', id).executeTakeFirst()
      const isOld = used !== undefined && Date.now() - used.mtimeMs > KEPT_MS
      if (running.has(id) || (space && !isOld)) continue
      states.delete(id)
      examined.delete(id)
      await rm(path, { recursive: true, force: true })
    }
  }

  /** A client can make git fail, so this is done once in a while. */
  async function findDamage(spaceId: string): Promise<void> {
    const args = ['rev-list', '--objects', '--all', '--quiet']
    const options = { signal: stopping.signal }
    await share({ user: spaceId }, () => runGit(folderOfSpace(spaceId), args, options)).catch(
      async (error: unknown) => {
        if (!(error instanceof GitFault) || running.has(spaceId)) return
        states.delete(spaceId)
        await rm(folderOfSpace(spaceId), { recursive: true, force: true })
      },
    )
  }

  return {
    upToDate,
    examine(spaceId) {
      const now = Date.now()
      if (now - (examined.get(spaceId) ?? 0) < EXAMINED_EVERY_MS) return
      examined.set(spaceId, now)
      void findDamage(spaceId).catch(() => {})
    },
    stop() {
      clearInterval(timer)
      stopping.abort(new Error('The server stops'))
    },
  }
}

const changeRef = (number: number | string) => `refs/changes/${number}`

function hasProposals({ changes }: RepositoryState, proposals: readonly ProposalHead[]): boolean {
  return (
    Object.keys(changes).length === proposals.length &&
    proposals.every(({ number, version }) => changes[number] === version)
  )
}

async function readState(path: string): Promise<RepositoryState | undefined> {
  try {
    const state = JSON.parse(await readFile(join(path, STATE_FILE), 'utf8')) as RepositoryState
    return state.format === FORMAT ? state : undefined
  } catch {
    return undefined
  }
}

/** Written last, and at once: without it, the repository is made anew. */
async function saveState(path: string, state: RepositoryState): Promise<void> {
  const file = join(path, STATE_FILE)
  const next = `${file}.${process.pid}`
  await writeFile(next, JSON.stringify(state))
  await rename(next, file)
}

/** Packs what many small updates have left. */
async function pack(path: string, signal: AbortSignal): Promise<void> {
  const counted = (await runGit(path, ['count-objects', '-v'], { signal })).toString()
  const countOf = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(counted)?.[1] ?? 0)
  if (countOf('count') < MOST_LOOSE && countOf('packs') < MOST_PACKS) return
  // A clone that goes on may still read what no branch has any more.
  const args = ['repack', '-A', '-d', '--quiet', '--unpack-unreachable=1.day.ago']
  await runGit(path, args, { signal })
  await runGit(path, ['prune', '--expire=1.day.ago'], { signal })
  await runGit(path, ['pack-refs', '--all'], { signal })
}

/** Starts the process that writes commits when the first is written. */
function lazyWriter(start: () => ReturnType<typeof writeCommits>) {
  let writer: ReturnType<typeof writeCommits> | undefined
  return {
    open: () => (writer ??= start()),
    isOpen: () => writer !== undefined,
    [Symbol.dispose]: () => writer?.[Symbol.dispose](),
  }
}

/** @throws 503 if the work takes too long */
async function orLate(work: Promise<void>, late: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>()
  const refuse = () => reject(unavailable(because('git-repository-not-ready'), RETRY_S))
  if (late.aborted) refuse()
  late.addEventListener('abort', refuse, { once: true })
  try {
    await Promise.race([work, promise])
  } finally {
    late.removeEventListener('abort', refuse)
  }
}
