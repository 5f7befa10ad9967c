/** The problems that list the tracked changes and the comments of a document. */
import { because } from '../../languages/reasons.ts'
import type { Problem } from '../../repository/model.ts'
import { shorten } from '../../text/shorten.ts'

/** The tracked changes of a document. */
export interface TrackedChanges {
  insertions: number
  deletions: number
  /** The authors of these changes. */
  authors: Set<string>
}

/** Lists tracked changes, which an import applies. */
export function trackedProblem(path: string, { insertions, deletions, authors }: TrackedChanges): Problem {
  return {
    path,
    ...because('tracked-changes-applied', { insertions, deletions, authors: namesIn(authors) }),
  }
}

/** Lists comments, which an import leaves out. */
export function commentsProblem(path: string, count: number, authors: ReadonlySet<string>): Problem {
  return { path, ...because('document-comments-left-out', { count, authors: namesIn(authors) }) }
}

/** The authors that a message names. */
const MOST_AUTHORS = 5

function namesIn(authors: ReadonlySet<string>): string {
  const names = [...authors].slice(0, MOST_AUTHORS).map((name) => shorten(name, 60))
  return `${names.join(', ') || '?'}${authors.size > MOST_AUTHORS ? ', …' : ''}`
}
