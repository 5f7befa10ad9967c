/** The state of a change request, and its name. */
import type { ChangeRequest } from '../api/types.ts'
import { t } from '../words/words.ts'

/** The name of a status, for people. */
export function statusName(status: ChangeRequest['status']): string {
  return {
    draft: t('change-request.draft'),
    open: t('common.open'),
    merged: t('common.merged'),
    archived: t('change-request.archived'),
  }[status]
}

/** The subject of a change request; it can be empty. */
export function subjectOf({ subject }: Pick<ChangeRequest, 'subject'>): string {
  return subject.trim() === '' ? t('common.untitled-change') : subject
}

/** Whether a change request is merged or archived, so that its content cannot change. */
export function isClosed({ status }: Pick<ChangeRequest, 'status'>): boolean {
  return status === 'merged' || status === 'archived'
}

/** The address of a change request ends with it when its author has just finished writing, and may give it a name. */
export const NAME_IT = '#name'
