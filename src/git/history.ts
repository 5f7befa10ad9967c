/** The history of a space as commits: those of the primary content in their order, and one for each open change request. */
import { chunks } from '../db/chunks.ts'
import type { Database, Reader, Row } from '../db/schema.ts'
import { ancestorOf } from '../model/proposals/change-request.ts'
import type { CommitFacts, CommitUser } from './commit-text.ts'
import { pushedTo, type PushedObjects } from './pushed-commits.ts'

/** So many open change requests have commits: the newest. */
const MOST_CHANGES = 500
/** How many revisions are read at once. */
const REVISIONS_AT_ONCE = 100

/** A revision of the primary content, with what its commit says. */
export interface RevisionCommit {
  revision: Row<'revision'>
  facts: CommitFacts
  /** The commit that a user pushed, if the revision was made of one. */
  pushed: PushedObjects | undefined
}

/** The ids of the users of a commit. */
interface Names {
  subjectId: string
  author: string
  committer: string
  coAuthor: string | null
}

/** The revisions of the primary content after a number, oldest first, in parts. */
export async function* commitsAfter(
  db: Database,
  spaceId: string,
  sequence: number,
): AsyncGenerator<RevisionCommit> {
  let last = sequence
  for (;;) {
    const revisions = await db.read
      .selectFrom('revision')
      .selectAll()
      .where('spaceId', '=', spaceId)
      .where('changeRequestId', 'is', null)
      .where('sequence', '>', last)
      .orderBy('sequence')
      .limit(REVISIONS_AT_ONCE)
      .execute()
    const subjects = revisions.map((revision) => {
      const { id: subjectId, createdBy, coAuthorId: coAuthor } = revision
      const merged = mergedBy(revision)
      return { subjectId, author: merged?.author ?? createdBy, committer: createdBy, coAuthor, merged }
    })
    const usersOf = await commitUsers(db, spaceId, subjects)
    const pushed = await pushedTo(
      db.read,
      spaceId,
      revisions.map(({ id }) => id),
    )
    for (const [nth, revision] of revisions.entries()) {
      last = revision.sequence
      const { id, createdAt: at, message: subject } = revision
      const facts = { at, subject, revision: id, changeRequest: subjects[nth]?.merged?.number }
      yield { revision, facts: { ...facts, ...usersOf(id) }, pushed: pushed.get(id) }
    }
    if (revisions.length < REVISIONS_AT_ONCE) return
  }
}

/** The change request of a merge, and its author, as they were then. */
function mergedBy({
  mergedFrom,
}: Pick<Row<'revision'>, 'mergedFrom'>): { number: number; author: string } | undefined {
  if (mergedFrom === null) return undefined
  const { number, createdBy } = JSON.parse(mergedFrom) as { number: number; createdBy: { id: string } }
  return { number, author: createdBy.id }
}

/** An open change request as a commit on top of its base. */
export interface ProposalHead {
  number: number
  /** The revisions of its base and of its content. */
  base: string
  head: string
  /** Changes whenever the commit does. */
  version: string
  changeRequest: Row<'changeRequest'>
}

/** The open change requests of a space that change something, the newest first. */
export async function openProposals(db: Reader, spaceId: string): Promise<ProposalHead[]> {
  const rows = await db
    .selectFrom('changeRequest')
    .selectAll()
    .where('spaceId', '=', spaceId)
    .where('status', 'in', ['draft', 'open'])
    .orderBy('number', 'desc')
    .limit(MOST_CHANGES)
    .execute()
  return rows.flatMap((changeRequest) => {
    const { number, revisionId: head, subject } = changeRequest
    const base = ancestorOf(changeRequest)
    const version = JSON.stringify([base, head, subject])
    return head === base ? [] : [{ number, base, head, version, changeRequest }]
  })
}

/** What the commit of a change request says. */
export async function proposalFacts(
  db: Database,
  { changeRequest, head, number }: ProposalHead,
  revision: Row<'revision'>,
): Promise<CommitFacts> {
  const { id, spaceId, createdBy, subject } = changeRequest
  const usersOf = await commitUsers(db, spaceId, [
    { subjectId: id, author: createdBy, committer: createdBy, coAuthor: null },
  ])
  return {
    at: revision.createdAt,
    subject: subject === '' ? `Change request ${number}` : subject,
    revision: head,
    changeRequest: number,
    ...usersOf(id),
  }
}

type CommitUsers = Pick<CommitFacts, 'author' | 'committer' | 'coAuthor'>

/**
 * The users of commits, with the names that they had when the commits were first made. Those of new commits are stored, so
 * that every copy of the server makes the same commits, also after a user has changed their name.
 */
async function commitUsers(
  db: Database,
  spaceId: string,
  subjects: readonly Names[],
): Promise<(subjectId: string) => CommitUsers> {
  const ids = subjects.map(({ subjectId }) => subjectId)
  const known = await storedNames(db.read, spaceId, ids)
  const fresh = subjects.filter(({ subjectId }) => !known.has(subjectId))
  if (fresh.length > 0) {
    const nameOf = await displayNames(db.read, fresh)
    const rows = fresh.map(({ subjectId, author, committer, coAuthor }) => ({
      spaceId,
      subjectId,
      author: nameOf(author),
      committer: nameOf(committer),
      coAuthor: coAuthor === null ? null : nameOf(coAuthor),
    }))
    await db.write(async (tx) => {
      const space = await tx.selectFrom('space').select('id').where('id', '=', spaceId).executeTakeFirst()
      if (!space) return
      await tx
        .insertInto('commitNames')
        .values(rows)
        .onConflict((key) => key.doNothing())
        .execute()
    })
    // Another copy of the server may have stored them first.
    for (const [id, names] of await storedNames(
      db.read,
      spaceId,
      rows.map(({ subjectId }) => subjectId),
    ))
      known.set(id, names)
  }
  const bySubject = new Map(subjects.map((one) => [one.subjectId, one]))
  return (subjectId) => {
    const [users, names] = [bySubject.get(subjectId), known.get(subjectId)]
    if (!users || !names) throw new Error(`The names of the commit of ${subjectId} are missing`)
    const user = (id: string, name: string): CommitUser => ({ id, name })
    return {
      author: user(users.author, names.author),
      committer: user(users.committer, names.committer),
      ...(users.coAuthor === null ? {} : { coAuthor: user(users.coAuthor, names.coAuthor ?? '') }),
    }
  }
}

async function storedNames(
  db: Reader,
  spaceId: string,
  ids: readonly string[],
): Promise<Map<string, Row<'commitNames'>>> {
  const found = new Map<string, Row<'commitNames'>>()
  for (const some of chunks(ids)) {
    const rows = await db
      .selectFrom('commitNames')
      .selectAll()
      .where('spaceId', '=', spaceId)
      .where('subjectId', 'in', some)
      .execute()
    for (const row of rows) found.set(row.subjectId, row)
  }
  return found
}

async function displayNames(db: Reader, subjects: readonly Names[]): Promise<(id: string) => string> {
  const ids = new Set(
    subjects.flatMap(({ author, committer, coAuthor }) => [author, committer, coAuthor ?? []]),
  )
  const names = new Map<string, string>()
  for (const some of chunks([...ids].flat())) {
    const rows = await db.selectFrom('user').select(['id', 'displayName']).where('id', 'in', some).execute()
    for (const { id, displayName } of rows) names.set(id, displayName)
  }
  return (id) => names.get(id) ?? ''
}
