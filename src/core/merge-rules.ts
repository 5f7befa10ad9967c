/** What has to hold before a change request merges (api-facts 1.5), decided from what was loaded of it. */
import { evaluate } from './expression.ts'

/** Rules that name users. */
export const USER_RULES = [
  'require_specific_reviewers',
  'require_one_of_specific_reviewers',
  'allow_bypass',
] as const

/** Rules that say all by their name. */
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

/** The last review of somebody. */
export interface Verdict {
  reviewer: string
  status: 'approved' | 'changes-requested'
  /** It is of other content than the present, or was asked for again. */
  outdated: boolean
}

/** A change request as far as rules ask. */
export interface Proposal {
  /** Who is merging it. */
  actor: string
  subject: string
  /** As plain text. */
  description: string
  /** It has seen the present primary content. */
  upToDate: boolean
  /** Whoever opened it or changed its content. */
  writers: ReadonlySet<string>
  /** One of each reviewer who may still review. */
  verdicts: readonly Verdict[]
  /** Whether somebody may review it. */
  mayReview: (user: string) => boolean
  nameOf: (user: string) => string
  /** What custom expressions read. */
  scope: Readonly<Record<string, unknown>>
}

/** Why a change request may not be merged: a sentence for each rule that fails; none if it may. */
export function failing(rules: readonly MergeRule[], proposal: Proposal): string[] {
  if (isBypassed(rules, proposal.actor)) return []
  return rules.flatMap((rule) => faultOf(rule.rule, rule, proposal) ?? [])
}

/** Whether somebody may merge although rules fail. */
export function isBypassed(rules: readonly MergeRule[], actor: string): boolean {
  return rules.some((rule) => rule.rule === 'allow_bypass' && rule.users.includes(actor))
}

type Of<R extends MergeRule['rule']> = Extract<MergeRule, { rule: R }>

function faultOf<R extends MergeRule['rule']>(name: R, rule: MergeRule, proposal: Proposal) {
  return FAULTS[name](rule as Of<R>, proposal)
}

const FAULTS: { [R in MergeRule['rule']]: (rule: Of<R>, proposal: Proposal) => string | undefined } = {
  allow_bypass: () => undefined,
  require_specific_reviewers: ({ users }, proposal) => {
    const approvers = approversOf(proposal)
    const missing = users.filter((user) => !approvers.includes(user))
    if (missing.length === 0) return undefined
    return `It needs an approval of its present content by ${listed(missing, 'and', proposal)}`
  },
  require_one_of_specific_reviewers: ({ users }, proposal) => {
    if (approversOf(proposal).some((user) => users.includes(user))) return undefined
    return `It needs an approval of its present content by ${listed(users, 'or', proposal)}`
  },
  require_at_least_one_review: (_, { writers, ...proposal }) => {
    const approvers = approversOf(proposal)
    // Two who wrote in it have each approved what the other wrote.
    if (approvers.length > 1 || approvers.some((user) => !writers.has(user))) return undefined
    return approvers.length === 0
      ? 'It needs an approval of its present content'
      : 'It needs an approval of its present content by somebody who has not written in it'
  },
  require_all_reviews_approved: (_, { verdicts, nameOf }) => {
    const against = verdicts.filter(({ status }) => status !== 'approved')
    if (against.length === 0) return undefined
    const names = against.map(({ reviewer }) => nameOf(reviewer))
    return `${joined(names, 'and')} asked for changes and ${names.length === 1 ? 'has' : 'have'} not approved it since`
  },
  require_up_to_date_change_request: (_, { upToDate }) =>
    upToDate ? undefined : 'It has not seen the present content of the space: update it first',
  require_change_request_subject: (_, { subject }) =>
    subject.trim() === '' ? 'It needs a subject' : undefined,
  require_change_request_description: (_, { description }) =>
    description.trim() === '' ? 'It needs a description' : undefined,
  custom: ({ expression }, { scope }) => {
    const outcome = evaluate(expression, scope)
    if (!outcome.ok) return `The rule \`${expression}\` cannot be evaluated: ${outcome.error}`
    return outcome.value ? undefined : `The rule \`${expression}\` does not hold`
  },
}

function approversOf({ verdicts }: Pick<Proposal, 'verdicts'>): string[] {
  return verdicts
    .filter(({ status, outdated }) => status === 'approved' && !outdated)
    .map(({ reviewer }) => reviewer)
}

/** The names; of those who cannot do what is asked of them it says so, because only another rule helps then. */
function listed(users: readonly string[], word: 'and' | 'or', { nameOf, mayReview }: Proposal): string {
  return joined(
    users.map((user) => (mayReview(user) ? nameOf(user) : `${nameOf(user)} (who cannot review here)`)),
    word,
  )
}

function joined(names: readonly string[], word: 'and' | 'or'): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${word} ${last}`
}
