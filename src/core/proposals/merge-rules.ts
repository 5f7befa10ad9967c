/** The rules that a change request must satisfy before it can be merged, evaluated on data that is already loaded. */
import { evaluate } from '../expression/expression.ts'

/** Rules that list users. */
export const USER_RULES = [
  'require_specific_reviewers',
  'require_one_of_specific_reviewers',
  'allow_bypass',
] as const

/** Rules without parameters. */
export const PLAIN_RULES = [
  'require_at_least_one_review',
  'require_all_reviews_approved',
  'require_up_to_date_change_request',
  'require_change_request_subject',
  'require_change_request_description',
] as const

type UserRule = (typeof USER_RULES)[number]
type PlainRule = (typeof PLAIN_RULES)[number]

export type MergeRule =
  | { [R in UserRule]: { rule: R; users: string[] } }[UserRule]
  | { [R in PlainRule]: { rule: R } }[PlainRule]
  | { rule: 'custom'; expression: string }

/** The last review by one reviewer. */
export interface Verdict {
  reviewer: string
  status: 'approved' | 'changes-requested'
  /** True if the content has changed since, or if a new review was requested. */
  outdated: boolean
}

/** The data about a change request that the rules need. */
export interface MergeCandidate {
  /** The user who merges it. */
  actor: string
  subject: string
  /** As plain text. */
  description: string
  /** True if the change request includes the latest primary content. */
  upToDate: boolean
  /** The user who opened it, and the users who changed its content. */
  writers: ReadonlySet<string>
  /** The last review of each reviewer who still has the permission to review. */
  verdicts: readonly Verdict[]
  /** Returns true if the user has the permission to review. */
  mayReview: (user: string) => boolean
  nameOf: (user: string) => string
  /** The variables of custom expressions. */
  scope: Readonly<Record<string, unknown>>
}

/** Returns one sentence for each rule that prevents the merge. Empty if the change request can be merged. */
export function failing(rules: readonly MergeRule[], proposal: MergeCandidate): string[] {
  if (isBypassed(rules, proposal.actor)) return []
  return rules.flatMap((rule) => faultOf(rule.rule, rule, proposal) ?? [])
}

/** Returns true if the user may merge although rules fail. */
export function isBypassed(rules: readonly MergeRule[], actor: string): boolean {
  return rules.some((rule) => rule.rule === 'allow_bypass' && rule.users.includes(actor))
}

type Of<R extends MergeRule['rule']> = Extract<MergeRule, { rule: R }>

function faultOf<R extends MergeRule['rule']>(name: R, rule: MergeRule, proposal: MergeCandidate) {
  return FAULTS[name](rule as Of<R>, proposal)
}

const FAULTS: { [R in MergeRule['rule']]: (rule: Of<R>, proposal: MergeCandidate) => string | undefined } = {
  allow_bypass: () => undefined,
  require_specific_reviewers: ({ users }, proposal) => {
    const approvers = approversOf(proposal)
    const missing = users.filter((user) => !approvers.includes(user))
    if (missing.length === 0) return undefined
    return `The current content must be approved by ${listed(missing, 'and', proposal)}`
  },
  require_one_of_specific_reviewers: ({ users }, proposal) => {
    if (approversOf(proposal).some((user) => users.includes(user))) return undefined
    return `The current content must be approved by ${listed(users, 'or', proposal)}`
  },
  require_at_least_one_review: (_, { writers, ...proposal }) => {
    const approvers = approversOf(proposal)
    // Of two approvers who both edited the content, each has approved the edits of the other.
    if (approvers.length > 1 || approvers.some((user) => !writers.has(user))) return undefined
    return approvers.length === 0
      ? 'The current content must be approved'
      : 'The current content must be approved by somebody who did not edit it'
  },
  require_all_reviews_approved: (_, { verdicts, nameOf }) => {
    const against = verdicts.filter(({ status }) => status !== 'approved')
    if (against.length === 0) return undefined
    const names = against.map(({ reviewer }) => nameOf(reviewer))
    return `${joined(names, 'and')} requested changes and ${names.length === 1 ? 'has' : 'have'} not approved since`
  },
  require_up_to_date_change_request: (_, { upToDate }) =>
    upToDate ? undefined : 'The change request is not up to date with the space: update it first',
  require_change_request_subject: (_, { subject }) =>
    subject.trim() === '' ? 'The change request needs a subject' : undefined,
  require_change_request_description: (_, { description }) =>
    description.trim() === '' ? 'The change request needs a description' : undefined,
  custom: ({ expression }, { scope }) => {
    const outcome = evaluate(expression, scope)
    if (!outcome.ok) return `The rule \`${expression}\` cannot be evaluated: ${outcome.error}`
    return outcome.value ? undefined : `The rule \`${expression}\` is not satisfied`
  },
}

function approversOf({ verdicts }: Pick<MergeCandidate, 'verdicts'>): string[] {
  return verdicts
    .filter(({ status, outdated }) => status === 'approved' && !outdated)
    .map(({ reviewer }) => reviewer)
}

/** Lists the names. It marks users who cannot review, because only a change of the rule can resolve that. */
function listed(users: readonly string[], word: 'and' | 'or', { nameOf, mayReview }: MergeCandidate): string {
  return joined(
    users.map((user) => (mayReview(user) ? nameOf(user) : `${nameOf(user)} (who cannot review here)`)),
    word,
  )
}

function joined(names: readonly string[], word: 'and' | 'or'): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${word} ${last}`
}
