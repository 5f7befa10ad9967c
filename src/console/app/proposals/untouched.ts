/** Drafts in which nothing was changed. */
import { api } from '../api/api.ts'
import type { ChangeRequestPath } from '../api/paths.ts'
import type { ChangeRequest, User } from '../api/types.ts'
import { forgetDirectEdit } from './direct-edit.ts'

/** Whether a draft is as it was when its author pressed Edit: without a change, a name, a description or a comment. */
function isUntouched(
  { status, createdBy, subject, description, comments, revision, revisionInitial }: ChangeRequest,
  me: Pick<User, 'id'>,
): boolean {
  return (
    status === 'draft' &&
    createdBy.id === me.id &&
    subject === '' &&
    description === undefined &&
    comments === 0 &&
    revision === revisionInitial
  )
}

/** Archives a draft. It can be reopened. */
export async function discardDraft(path: ChangeRequestPath): Promise<void> {
  await api(`PATCH ${path}`, { status: 'archived' })
  forgetDirectEdit(path)
}

/** Archives a draft if it is untouched. @returns whether it was */
export async function discardUntouched(path: ChangeRequestPath, me: Pick<User, 'id'>): Promise<boolean> {
  if (!isUntouched(await api(`GET ${path}`), me)) return false
  await discardDraft(path)
  return true
}
