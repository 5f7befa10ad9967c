/** The names that the console has for what administrators set. */
import type { Schemas } from './operations/schemas.ts'

/** The requirements for a merge. */
export type MergeRules = Schemas['Space']['mergeRules']
export type MergeRuleSetting = Extract<MergeRules, { type: 'rules' }>['rules'][number]

export type SiteSettings = Schemas['Site']
