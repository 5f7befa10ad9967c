import type { ChangeRequest } from '../api/types.ts'

/** Whether a change request is merged or archived, so that its content cannot change. */
export function isClosed({ status }: Pick<ChangeRequest, 'status'>): boolean {
  return status === 'merged' || status === 'archived'
}
