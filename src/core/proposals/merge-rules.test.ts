import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { failing, type MergeRule, type MergeCandidate, type Verdict } from './merge-rules.ts'
import { holds } from '../../../test/property.ts'

const approved = (reviewer: string): Verdict => ({ reviewer, status: 'approved', outdated: false })
const outdated = (reviewer: string): Verdict => ({ ...approved(reviewer), outdated: true })
const against = (reviewer: string): Verdict => ({ reviewer, status: 'changes-requested', outdated: false })

const PLAIN: MergeCandidate = {
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

function faults(rule: MergeRule, proposal: Partial<MergeCandidate>): string[] {
  return failing([rule], { ...PLAIN, ...proposal }).map(({ message }) => message)
}

const all: MergeRule = { rule: 'require_specific_reviewers', users: ['ann', 'bob'] }

test('all specific reviewers must have approved the current content', () => {
  assert.deepEqual(faults(all, { verdicts: [approved('ann'), approved('bob')] }), [])
  assert.deepEqual(faults(all, { verdicts: [approved('ann'), outdated('bob')] }), [
    'The current content must be approved by Bob',
  ])
  assert.deepEqual(faults(all, { verdicts: [approved('cy'), against('ann')] }), [
    'The current content must be approved by all of these users: Ann, Bob',
  ])
})

test('a message marks reviewers who cannot review, because only a change of the rule helps', () => {
  const rule: MergeRule = { rule: 'require_one_of_specific_reviewers', users: ['ann', 'bob', 'gone'] }
  assert.deepEqual(faults(rule, {}), [
    'The current content must be approved by one of these users: Ann, Bob, Gone (Gone cannot review here)',
  ])
})

test('the approval of one of several reviewers is enough if it is of the current content', () => {
  const rule: MergeRule = { rule: 'require_one_of_specific_reviewers', users: ['ann', 'bob'] }
  assert.deepEqual(faults(rule, { verdicts: [approved('bob')] }), [])
  for (const verdicts of [[], [outdated('bob')], [against('bob')], [approved('cy')]])
    assert.equal(faults(rule, { verdicts }).length, 1)
})

test('a user who edited the content alone cannot give the required approval', () => {
  const rule: MergeRule = { rule: 'require_at_least_one_review' }
  const writers = new Set(['author', 'ann'])
  assert.deepEqual(faults(rule, { writers, verdicts: [approved('bob')] }), [])
  assert.deepEqual(faults(rule, { writers, verdicts: [approved('ann'), approved('author')] }), [])
  assert.deepEqual(faults(rule, { writers, verdicts: [approved('ann')] }), [
    'The current content must be approved by somebody who did not edit it',
  ])
  for (const verdicts of [[], [outdated('bob')], [against('bob')]])
    assert.deepEqual(faults(rule, { verdicts }), ['The current content must be approved'])
})

test('a request for changes prevents the merge until the same reviewer approves, whatever changed since', () => {
  const rule: MergeRule = { rule: 'require_all_reviews_approved' }
  assert.deepEqual(faults(rule, { verdicts: [] }), [])
  assert.deepEqual(faults(rule, { verdicts: [outdated('ann'), approved('bob')] }), [])
  assert.deepEqual(faults(rule, { verdicts: [{ ...against('ann'), outdated: true }, approved('bob')] }), [
    'Ann requested changes, and must approve the content',
  ])
  assert.deepEqual(faults(rule, { verdicts: [against('ann'), against('bob')] }), [
    'Ann, Bob requested changes, and must approve the content',
  ])
})

test('a subject and a description of spaces alone count as missing', () => {
  for (const [name, field] of [
    ['require_change_request_subject', 'subject'],
    ['require_change_request_description', 'description'],
  ] as const) {
    assert.deepEqual(faults({ rule: name }, {}), [])
    assert.deepEqual(faults({ rule: name }, { [field]: ' \n' }), [`The change request needs a ${field}`])
  }
})

test('an outdated change request fails with advice to update it', () => {
  const rule: MergeRule = { rule: 'require_up_to_date_change_request' }
  assert.deepEqual(faults(rule, {}), [])
  assert.match(faults(rule, { upToDate: false }).join(), /update it first/)
})

test('a custom expression passes, fails, or fails with the reason why it cannot be evaluated', () => {
  const scope = { reviews: [{ status: 'approved' }], changeRequest: { subject: 'Fix' } }
  const of = (expression: string) => faults({ rule: 'custom', expression }, { scope })
  assert.deepEqual(of('reviews.length > 0 && changeRequest.subject == "Fix"'), [])
  assert.deepEqual(of('reviews.length > 1'), ['The rule `reviews.length > 1` is not satisfied'])
  assert.deepEqual(of('changeRequest.nothing.inside'), [
    'The rule `changeRequest.nothing.inside` is not satisfied',
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
const AnyProposal: fc.Arbitrary<MergeCandidate> = fc.record({
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

test('each rule is evaluated separately, and only a bypass of the merging user disables the others', () => {
  holds(
    fc.property(fc.array(Rule, { maxLength: 6 }), AnyProposal, Users, (rules, proposal, users) => {
      const faultsOfAll = failing(rules, proposal)
      assert.deepEqual(
        faultsOfAll,
        rules.flatMap((rule, index) => failing([rule], proposal).map((one) => ({ ...one, index }))),
      )
      const bypassing = failing([...rules, { rule: 'allow_bypass', users }], proposal)
      assert.deepEqual(bypassing, users.includes(proposal.actor) ? [] : faultsOfAll)
    }),
  )
})

test('an approval of the current content by another user never makes a rule fail', () => {
  holds(
    fc.property(Rule, AnyProposal, (rule, proposal) => {
      fc.pre(failing([rule], proposal).length === 0)
      const verdicts = [...proposal.verdicts, approved('newcomer')]
      assert.deepEqual(failing([rule], { ...proposal, verdicts }), [])
    }),
  )
})
