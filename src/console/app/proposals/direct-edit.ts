/** Direct edits: change requests that their author merges by pressing Done, in spaces that allow direct changes. */
import { api } from '../api/api.ts'
import { store, stored } from '../api/browser-storage.ts'
import type { ChangeRequestPath } from '../api/paths.ts'
import type { Space } from '../api/types.ts'

const storedUnder = (path: ChangeRequestPath) => `direct ${path}`

/** Whether the caller may change a space without a proposal. */
export const allowsDirectEdits = ({ editMode, permissions }: Space): boolean =>
  editMode === 'live' && permissions.edit && permissions.merge

/** Notes in this browser that Done merges a change request. In another browser, Done shows it. */
export const noteDirectEdit = (path: ChangeRequestPath): void => store(storedUnder(path), 'yes')

/** Forgets that Done merges a change request. */
export const forgetDirectEdit = (path: ChangeRequestPath): void => store(storedUnder(path), undefined)

/** Whether Done merges a change request. */
export const isDirectEdit = (path: ChangeRequestPath): boolean => stored(storedUnder(path)) !== undefined

/**
 * Names a change request after what was edited, and merges it. One that others have commented on, or that waits for a review,
 * stays: its screen asks before it merges.
 * @returns what has become of it
 */
export async function mergeDirectEdit(
  path: ChangeRequestPath,
  subject: string,
): Promise<'merged' | 'conflicts' | 'discussed'> {
  const { status, comments } = await api(`GET ${path}`)
  if (status !== 'draft' || comments > 0) return 'discussed'
  await api(`PATCH ${path}`, { subject })
  const { result } = await api(`POST ${path}/merge`)
  return result === 'conflicts' ? 'conflicts' : 'merged'
}
