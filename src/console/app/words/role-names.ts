/** The roles as people read them. */
import { t } from './words.ts'

export type RoleName = 'admin' | 'create' | 'review' | 'edit' | 'comment' | 'read'

/** The roles from the strongest on. */
export function roleNames(): [role: RoleName, title: string][] {
  return [
    ['admin', t('Administrator')],
    ['create', t('Creator')],
    ['review', t('Reviewer')],
    ['edit', t('Editor')],
    ['comment', t('Commenter')],
    ['read', t('Reader')],
  ]
}

/** Returns a description of the actions that a role allows. */
export function roleMeaning(role: RoleName): string {
  return {
    admin: t('Can do everything, including settings and people.'),
    create: t('Can do what a Reviewer can, and create, share and publish spaces.'),
    review: t('Can do what an Editor can, and review and merge change requests.'),
    edit: t(
      'Can do what a Commenter can, and write: in change requests, or directly if the space is not locked.',
    ),
    comment: t('Can read and comment.'),
    read: t('Can read pages, comments and change requests.'),
  }[role]
}

/** The name of a role. @param none what no role means here */
export function roleName(role: string | null | undefined, none = t('Guest')): string {
  return roleNames().find(([one]) => one === role)?.[1] ?? none
}
