/** Drafts in which nothing was changed. */
import { api } from '../api/api.ts'
import { store, stored } from '../api/browser-storage.ts'
import type { ChangeRequestPath } from '../api/paths.ts'
import type { ChangeRequest, User } from '../api/types.ts'
import { forgetDirectEdit } from './direct-edit.ts'

const storedUnder = (path: ChangeRequestPath) => `begun ${path}`

/** Notes in this tab that the console has added an empty page to a draft, in which nobody has written yet. */
export const noteEmptyPage = (path: ChangeRequestPath, { revision }: { revision: string }): void =>
  store(storedUnder(path), revision, 'tab')

/** Whether the draft was opened to write the first page of a space, which has no page without it. */
export const isOfFirstPage = (path: ChangeRequestPath): boolean =>
  stored(storedUnder(path), 'tab') !== undefined

/**
 * Whether a draft is as it was when its author pressed Edit: without a change, a name, a description or a comment. The empty
 * page that the console has added for the author is no change.
 */
function isUntouched(
  { status, createdBy, subject, description, comments, revision, revisionInitial }: ChangeRequest,
  me: Pick<User, 'id'>,
  emptyPage: string | undefined,
): boolean {
  return (
    status === 'draft' &&
    createdBy.id === me.id &&
    subject === '' &&
    description === undefined &&
    comments === 0 &&
    (revision === revisionInitial || revision === emptyPage)
  )
}

/** Archives a draft. It can be reopened. */
export async function discardDraft(path: ChangeRequestPath): Promise<void> {
  await api(`PATCH ${path}`, { status: 'archived' })
  forgetDirectEdit(path)
}

/** Archives a draft if it is untouched. @returns whether it was */
export async function discardUntouched(path: ChangeRequestPath, me: Pick<User, 'id'>): Promise<boolean> {
  if (!isUntouched(await api(`GET ${path}`), me, stored(storedUnder(path), 'tab'))) return false
  await discardDraft(path)
  return true
}
