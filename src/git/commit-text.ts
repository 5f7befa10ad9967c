/** The author and the message of a commit. The same history has the same ones for ever, so that ids of commits are stable. */

/** A user in a commit. */
export interface CommitUser {
  id: string
  /** The name that the user had when the commit was first made. */
  name: string
}

/** What a commit says besides its files. */
export interface CommitFacts {
  author: CommitUser
  committer: CommitUser
  coAuthor?: CommitUser | undefined
  /** The time, in ISO 8601. */
  at: string
  /** The subject, of any length and with any characters. */
  subject: string
  revision: string
  /** The number of the change request that the commit merges or is. */
  changeRequest?: number | undefined
}

/**
 * `Ada Lovelace <id@users.invalid>`. The address is made of the id of the user, because e-mail addresses are not for everyone
 * who can read a space (RFC 2606 reserves the domain).
 */
export function identityLine({ id, name }: CommitUser): string {
  // Git ends a name at these characters, and removes others from both of its ends.
  const clean = name
    .replace(/[<>\p{Cc}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, 200)
    .toWellFormed()
  const trimmed = withoutCrud(clean)
  return `${trimmed === '' ? 'User' : trimmed} <${id}@users.invalid>`
}

const CRUD = new Set(' .,:;"\\\'')

function withoutCrud(name: string): string {
  let [start, end] = [0, name.length]
  while (start < end && CRUD.has(name[start] ?? '')) start++
  while (end > start && CRUD.has(name[end - 1] ?? '')) end--
  return name.slice(start, end)
}

/** The message of a commit: its subject, and trailers by which the revision and the change request are found. */
export function commitMessage({ subject, revision, changeRequest, coAuthor }: CommitFacts): string {
  const line = subject
    .replace(/\p{Cc}/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .toWellFormed()
  const trailers = [
    ...(changeRequest === undefined ? [] : [`Lectern-Change-Request: ${changeRequest}`]),
    `Lectern-Revision: ${revision}`,
    ...(coAuthor === undefined ? [] : [`Co-authored-by: ${identityLine(coAuthor)}`]),
  ]
  return `${line === '' ? 'Update the content' : line}\n\n${trailers.join('\n')}\n`
}

/** The seconds since 1970 of a time, as a commit has them. */
export function commitSeconds(at: string): number {
  return Math.max(0, Math.floor(Date.parse(at) / 1000))
}
