import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { failing, type MergeRule, type Proposal, type Verdict } from './merge-rules.ts'

const approved = (reviewer: string): Verdict => ({ reviewer, status: 'approved', outdated: false })
const outdated = (reviewer: string): Verdict => ({ ...approved(reviewer), outdated: true })
const against = (reviewer: string): Verdict => ({ reviewer, status: 'changes-requested', outdated: false })

const PLAIN: Proposal = {
  actor: 'actor',
  subject: 'Say more',
  description: 'Because',
  upToDate: true,
  writers: new Set(['author']),
  verdicts: [],
  mayReview: (user) => user !== 'gone',
  nameOf: (user) => user[0]?.toUpperCase() + user.slice(1),
  scope: {},
}

function faults(rule: MergeRule, proposal: Partial<Proposal>): string[] {
  return failing([rule], { ...PLAIN, ...proposal })
}

const all: MergeRule = { rule: 'require_specific_reviewers', users: ['ann', 'bob'] }

test('specific reviewers must all have approved the present content', () => {
  assert.deepEqual(faults(all, { verdicts: [approved('ann'), approved('bob')] }), [])
  assert.deepEqual(faults(all, { verdicts: [approved('ann'), outdated('bob')] }), [
    'It needs an approval of its present content by Bob',
  ])
  assert.deepEqual(faults(all, { verdicts: [approved('cy'), against('ann')] }), [
    'It needs an approval of its present content by Ann and Bob',
  ])
})

test('who is named but cannot review is told apart, because only another rule helps', () => {
  const rule: MergeRule = { rule: 'require_one_of_specific_reviewers', users: ['ann', 'bob', 'gone'] }
  assert.deepEqual(faults(rule, {}), [
    'It needs an approval of its present content by Ann, Bob or Gone (who cannot review here)',
  ])
})

test('one of several reviewers is enough, if the approval is of the present content', () => {
  const rule: MergeRule = { rule: 'require_one_of_specific_reviewers', users: ['ann', 'bob'] }
  assert.deepEqual(faults(rule, { verdicts: [approved('bob')] }), [])
  for (const verdicts of [[], [outdated('bob')], [against('bob')], [approved('cy')]])
    assert.equal(faults(rule, { verdicts }).length, 1)
})

test('the approval that is asked for is not by who alone has written it', () => {
  const rule: MergeRule = { rule: 'require_at_least_one_review' }
  const writers = new Set(['author', 'ann'])
  assert.deepEqual(faults(rule, { writers, verdicts: [approved('bob')] }), [])
  assert.deepEqual(faults(rule, { writers, verdicts: [approved('ann'), approved('author')] }), [])
  assert.deepEqual(faults(rule, { writers, verdicts: [approved('ann')] }), [
    'It needs an approval of its present content by somebody who has not written in it',
  ])
  for (const verdicts of [[], [outdated('bob')], [against('bob')]])
    assert.deepEqual(faults(rule, { verdicts }), ['It needs an approval of its present content'])
})

test('who asked for changes is against it until they approve, whatever has changed meanwhile', () => {
  const rule: MergeRule = { rule: 'require_all_reviews_approved' }
  assert.deepEqual(faults(rule, { verdicts: [] }), [])
  assert.deepEqual(faults(rule, { verdicts: [outdated('ann'), approved('bob')] }), [])
  assert.deepEqual(faults(rule, { verdicts: [{ ...against('ann'), outdated: true }, approved('bob')] }), [
    'Ann asked for changes and has not approved it since',
  ])
  assert.deepEqual(faults(rule, { verdicts: [against('ann'), against('bob')] }), [
    'Ann and Bob asked for changes and have not approved it since',
  ])
})

test('a subject and a description are more than blanks', () => {
  for (const [name, field] of [
    ['require_change_request_subject', 'subject'],
    ['require_change_request_description', 'description'],
  ] as const) {
    assert.deepEqual(faults({ rule: name }, {}), [])
    assert.deepEqual(faults({ rule: name }, { [field]: ' \n' }), [`It needs a ${field}`])
  }
})

test('what is not up to date is told what to do', () => {
  const rule: MergeRule = { rule: 'require_up_to_date_change_request' }
  assert.deepEqual(faults(rule, {}), [])
  assert.match(faults(rule, { upToDate: false }).join(), /update it first/)
})

test('a custom expression holds, does not hold, or says why it cannot be evaluated', () => {
  const scope = { reviews: [{ status: 'approved' }], changeRequest: { subject: 'Fix' } }
  const of = (expression: string) => faults({ rule: 'custom', expression }, { scope })
  assert.deepEqual(of('reviews.length > 0 && changeRequest.subject == "Fix"'), [])
  assert.deepEqual(of('reviews.length > 1'), ['The rule `reviews.length > 1` does not hold'])
  assert.deepEqual(of('changeRequest.nothing.inside'), [
    'The rule `changeRequest.nothing.inside` does not hold',
  ])
  assert.match(of('new Date()').join(), /^The rule `new Date\(\)` cannot be evaluated: new is not supported$/)
  const endless = '[1,2,3,4,5,6,7,8].'.concat(
    'map((x) => [1,2,3,4,5,6,7,8].'.repeat(12),
    'length',
    ')'.repeat(12),
  )
  assert.match(of(endless).join(), /cannot be evaluated/)
})

const User: fc.Arbitrary<string> = fc.constantFrom('ann', 'bob', 'cy', 'author', 'gone')
const Users = fc.uniqueArray(User, { minLength: 1 })
const Rule: fc.Arbitrary<MergeRule> = fc.oneof(
  fc.record({
    rule: fc.constantFrom(
      'require_specific_reviewers' as const,
      'require_one_of_specific_reviewers' as const,
    ),
    users: Users,
  }),
  fc.record({
    rule: fc.constantFrom(
      'require_at_least_one_review' as const,
      'require_all_reviews_approved' as const,
      'require_up_to_date_change_request' as const,
      'require_change_request_subject' as const,
      'require_change_request_description' as const,
    ),
  }),
  fc.record({
    rule: fc.constant('custom' as const),
    expression: fc.constantFrom('true', 'false', 'x.y', '!'),
  }),
)
const AnyProposal: fc.Arbitrary<Proposal> = fc.record({
  actor: User,
  subject: fc.constantFrom('', 'x'),
  description: fc.constantFrom('', 'x'),
  upToDate: fc.boolean(),
  writers: Users.map((users) => new Set(users)),
  verdicts: fc.uniqueArray(
    fc.record({
      reviewer: User,
      status: fc.constantFrom('approved' as const, 'changes-requested' as const),
      outdated: fc.boolean(),
    }),
    { selector: ({ reviewer }) => reviewer },
  ),
  mayReview: fc.constant(PLAIN.mayReview),
  nameOf: fc.constant(PLAIN.nameOf),
  scope: fc.constant({}),
})

test('every rule counts for itself, and only a bypass of the one who merges takes the others away', () => {
  fc.assert(
    fc.property(fc.array(Rule, { maxLength: 6 }), AnyProposal, Users, (rules, proposal, users) => {
      const faultsOfAll = failing(rules, proposal)
      assert.deepEqual(
        faultsOfAll,
        rules.flatMap((rule) => failing([rule], proposal)),
      )
      const bypassing = failing([...rules, { rule: 'allow_bypass', users }], proposal)
      assert.deepEqual(bypassing, users.includes(proposal.actor) ? [] : faultsOfAll)
    }),
  )
})

test('one more approval of the present content by somebody new never makes a rule fail', () => {
  fc.assert(
    fc.property(Rule, AnyProposal, (rule, proposal) => {
      fc.pre(failing([rule], proposal).length === 0)
      const verdicts = [...proposal.verdicts, approved('newcomer')]
      assert.deepEqual(failing([rule], { ...proposal, verdicts }), [])
    }),
  )
})
