/** The roles as people read them. */
import { t } from './words.ts'

export type RoleName = 'admin' | 'create' | 'review' | 'edit' | 'comment' | 'read'

/** The roles from the strongest on. */
export function roleNames(): [role: RoleName, title: string][] {
  return [
    ['admin', t('role.administrator')],
    ['create', t('role.creator')],
    ['review', t('role.reviewer')],
    ['edit', t('role.editor')],
    ['comment', t('role.commenter')],
    ['read', t('role.reader')],
  ]
}

/** Returns a description of the actions that a role allows. */
export function roleMeaning(role: RoleName): string {
  return {
    admin: t('role.can-do-everything-including'),
    create: t('role.can-do-reviewer-can'),
    review: t('role.can-do-editor-can'),
    edit: t('role.can-do-commenter-can'),
    comment: t('role.can-read-comment'),
    read: t('role.can-read-pages-comments'),
  }[role]
}

/** The name of a role. @param none what no role means here */
export function roleName(role: string | null | undefined, none = t('common.guest')): string {
  return roleNames().find(([one]) => one === role)?.[1] ?? none
}
