/** The types of columns. */

/** 0 or 1: both databases store booleans as integers. */
export type Flag = 0 | 1
/** ISO-8601 UTC with milliseconds. */
export type Instant = string
/** JSON as text, parsed when a row is converted to a resource. */
export type JsonText = string

export type Role = 'admin' | 'create' | 'review' | 'edit' | 'comment' | 'read'
/** The role that members have on a space, collection or site without a grant; null is nobody. */
export type DefaultLevel = Role | 'inherit' | null
