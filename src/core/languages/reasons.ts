/** The reasons of messages, by which clients translate them: `because('suggestion-applied')` makes a message of its reason. */
import { BATCH_REASONS } from './batch-reasons.ts'
import { BOOK_REASONS } from './book-reasons.ts'
import { DOCUMENT_REASONS } from './document-reasons.ts'
import { EXPRESSION_REASONS } from './expression-reasons.ts'
import { FIELD_REASONS } from './field-reasons.ts'
import { IMPORT_REASONS } from './import-reasons.ts'
import { INSTALLATION_REASONS } from './installation-reasons.ts'
import { MAIL_REASONS } from './mail-reasons.ts'
import { MERGE_REASONS } from './merge-reasons.ts'
import { PEOPLE_REASONS } from './people-reasons.ts'
import { PROBLEM_REASONS } from './problem-reasons.ts'
import { REQUEST_REASONS } from './request-reasons.ts'
import { SITE_REASONS } from './site-reasons.ts'
import { SPACE_REASONS } from './space-reasons.ts'
import { VALUE_REASONS } from './value-reasons.ts'
import { SHAPE_REASONS } from './shape-reasons.ts'
import { becauseOf } from './reasoned.ts'

/**
 * The English message of each reason. `{name}` stands for a parameter, and `{count, plural, one {# page} other {# pages}}`
 * for a number with its noun; other braces stay. A reason never changes its meaning, because clients compare it.
 */
export const REASONS = {
  ...REQUEST_REASONS,
  ...VALUE_REASONS,
  ...PEOPLE_REASONS,
  ...INSTALLATION_REASONS,
  ...MAIL_REASONS,
  ...SPACE_REASONS,
  ...IMPORT_REASONS,
  ...PROBLEM_REASONS,
  ...BATCH_REASONS,
  ...BOOK_REASONS,
  ...DOCUMENT_REASONS,
  ...FIELD_REASONS,
  ...EXPRESSION_REASONS,
  ...MERGE_REASONS,
  ...SHAPE_REASONS,
  ...SITE_REASONS,
} as const

/** The reason of a message, such as `suggestion-applied`. */
export type ReasonId = keyof typeof REASONS

/** Makes the message of a reason from its parameters. */
export const because = becauseOf(REASONS)
