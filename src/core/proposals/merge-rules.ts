/** The rules that a change request must satisfy before it can be merged, evaluated on data that is already loaded. */
import { evaluate } from '../expression/expression.ts'
import { faultParameters, type Reasoned } from '../languages/reasoned.ts'
import { because } from '../languages/reasons.ts'

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

/** A rule that prevents a merge, with its place in the list of rules. */
export interface FailingRule extends Reasoned {
  index: number
}

/** Returns the rules that prevent the merge, each with a sentence. Empty if the change request can be merged. */
export function failing(rules: readonly MergeRule[], proposal: MergeCandidate): FailingRule[] {
  if (isBypassed(rules, proposal.actor)) return []
  return rules.flatMap((rule, index) => {
    const fault = faultOf(rule.rule, rule, proposal)
    return fault ? [{ index, ...fault }] : []
  })
}

/** Returns true if the user may merge although rules fail. */
export function isBypassed(rules: readonly MergeRule[], actor: string): boolean {
  return rules.some((rule) => rule.rule === 'allow_bypass' && rule.users.includes(actor))
}

type Of<R extends MergeRule['rule']> = Extract<MergeRule, { rule: R }>

function faultOf<R extends MergeRule['rule']>(name: R, rule: MergeRule, proposal: MergeCandidate) {
  return FAULTS[name](rule as Of<R>, proposal)
}

const FAULTS: { [R in MergeRule['rule']]: (rule: Of<R>, proposal: MergeCandidate) => Reasoned | undefined } =
  {
    allow_bypass: () => undefined,
    require_specific_reviewers: ({ users }, proposal) => {
      const approvers = approversOf(proposal)
      const missing = users.filter((user) => !approvers.includes(user))
      if (missing.length === 0) return undefined
      return approvalBy(missing, false, proposal)
    },
    require_one_of_specific_reviewers: ({ users }, proposal) => {
      if (approversOf(proposal).some((user) => users.includes(user))) return undefined
      return approvalBy(users, true, proposal)
    },
    require_at_least_one_review: (_, { writers, ...proposal }) => {
      const approvers = approversOf(proposal)
      // Of two approvers who both edited the content, each has approved the edits of the other.
      if (approvers.length > 1 || approvers.some((user) => !writers.has(user))) return undefined
      return approvers.length === 0 ? because('approval-missing') : because('approval-of-other-missing')
    },
    require_all_reviews_approved: (_, { verdicts, nameOf }) => {
      const against = verdicts.filter(({ status }) => status !== 'approved')
      if (against.length === 0) return undefined
      const names = against.map(({ reviewer }) => nameOf(reviewer))
      return because('changes-requested', { names: names.join(', ') })
    },
    require_up_to_date_change_request: (_, { upToDate }) =>
      upToDate ? undefined : because('change-request-not-up-to-date'),
    require_change_request_subject: (_, { subject }) =>
      subject.trim() === '' ? because('change-request-without-subject') : undefined,
    require_change_request_description: (_, { description }) =>
      description.trim() === '' ? because('change-request-without-description') : undefined,
    custom: ({ expression }, { scope }) => {
      const outcome = evaluate(expression, scope)
      if (!outcome.ok)
        return because('custom-rule-not-evaluated', { expression, ...faultParameters(outcome.error) })
      return outcome.value ? undefined : because('custom-rule-not-met', { expression })
    },
  }

function approversOf({ verdicts }: Pick<MergeCandidate, 'verdicts'>): string[] {
  return verdicts
    .filter(({ status, outdated }) => status === 'approved' && !outdated)
    .map(({ reviewer }) => reviewer)
}

/** The users who must approve. It names those who cannot review, because only a change of the rule can resolve that. */
function approvalBy(
  users: readonly string[],
  isOneEnough: boolean,
  { nameOf, mayReview }: MergeCandidate,
): Reasoned {
  const names = users.map(nameOf).join(', ')
  const reason = isOneEnough ? 'approval-of-one-missing' : 'approval-of-all-missing'
  const why = because(users.length === 1 ? 'approval-of-user-missing' : reason, { names })
  const others = users.filter((user) => !mayReview(user)).map(nameOf)
  if (others.length === 0) return why
  return because('approval-impossible', { others: others.join(', '), ...faultParameters(why) })
}
