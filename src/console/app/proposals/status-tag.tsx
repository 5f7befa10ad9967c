import type { ChangeRequest } from '../api/types.ts'
import { statusName } from './change-request.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './proposals.css'

/** The status of a change request. */
export function StatusTag({ status }: { status: ChangeRequest['status'] }) {
  return <span className={`status ${status}`}>{statusName(status)}</span>
}
