import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const org = `/v1/orgs/${organizationId}`
const mallory = await world.stranger('mallory')
const creator = await world.person('creator', 'create')
const space = (await ada(`POST ${org}/spaces`, { title: 'Guide' })).body
const here = `/v1/spaces/${space.id}`

const set = (mergeRules: unknown, person: Person = ada, address = here) =>
  person(`PATCH ${address}`, { mergeRules })
const rules = (...list: object[]) => ({ type: 'rules', rules: list })
const EVERY = [
  { rule: 'require_specific_reviewers', users: [ada.id, creator.id] },
  { rule: 'require_one_of_specific_reviewers', users: [creator.id] },
  { rule: 'allow_bypass', users: [ada.id] },
  { rule: 'require_at_least_one_review' },
  { rule: 'require_all_reviews_approved' },
  { rule: 'require_up_to_date_change_request' },
  { rule: 'require_change_request_subject' },
  { rule: 'require_change_request_description' },
  { rule: 'custom', expression: 'reviews.length > 1 || actor.displayName == "Ada"' },
]

test('an organization starts without rules, and a space with the rules of its organization', async () => {
  assert.deepEqual((await ada(`GET ${org}`)).body.mergeRules, { type: 'none' })
  assert.deepEqual((await ada(`GET ${here}`)).body.mergeRules, { type: 'inherit' })
})

test('every rule is returned as it was sent, on the organization and on the space', async () => {
  for (const address of [org, here]) {
    const { status, body, text } = await set(rules(...EVERY), ada, address)
    assert.equal(status, 200, text)
    assert.deepEqual(body.mergeRules, rules(...EVERY))
    assert.deepEqual((await ada(`GET ${address}`)).body.mergeRules, rules(...EVERY))
    assert.deepEqual((await set({ type: 'none' }, ada, address)).body.mergeRules, { type: 'none' })
  }
  assert.deepEqual((await set({ type: 'inherit' })).body.mergeRules, { type: 'inherit' })
  assert.equal((await set({ type: 'inherit' }, ada, org)).status, 400)
})

test('updating other fields keeps the rules', async () => {
  await set(rules(...EVERY))
  assert.deepEqual((await ada(`PATCH ${here}`, { title: 'Manual' })).body.mergeRules, rules(...EVERY))
})

test('fields that a rule does not have are dropped', async () => {
  const sent = { rule: 'require_at_least_one_review', users: [ada.id], secret: 'x' }
  const { body } = await set({ ...rules(sent), more: 1 })
  assert.deepEqual(body.mergeRules, rules({ rule: 'require_at_least_one_review' }))
  assert.deepEqual((await set({ type: 'none', rules: [] })).body.mergeRules, { type: 'none' })
})

test('each invalid rule is named by its path', async () => {
  const faults = async (mergeRules: unknown) => {
    const { status, body, text } = await set(mergeRules)
    assert.equal(status, 400, text)
    return body.error.details as { path: string; message: string }[]
  }
  const bad = await faults(
    rules(
      { rule: 'require_specific_reviewers', users: [ada.id, mallory.id, 'nobody'] },
      { rule: 'custom', expression: 'reviews.length >' },
      { rule: 'custom', expression: '' },
      { rule: 'custom', expression: 'secret.word' },
    ),
  )
  assert.deepEqual(
    bad.map(({ path }) => path),
    [
      'body.mergeRules.rules.0.users.1',
      'body.mergeRules.rules.0.users.2',
      'body.mergeRules.rules.1.expression',
      'body.mergeRules.rules.2.expression',
      'body.mergeRules.rules.3.expression',
    ],
  )
  assert.match(bad[2]?.message ?? '', /at column 17/, 'it says where')

  const unknown = await faults(rules({ rule: 'require_agent_review' }, { rule: 'allow_bypass' }))
  assert.deepEqual(
    unknown.map(({ path }) => path),
    ['body.mergeRules.rules.0.rule', 'body.mergeRules.rules.1.users'],
  )
  assert.match(unknown[0]?.message ?? '', /"require_specific_reviewers", .*"custom"$/)

  const long = { rule: 'custom', expression: 'true'.padEnd(1025) }
  assert.equal((await faults(rules(long)))[0]?.path, 'body.mergeRules.rules.0.expression')
  for (const wrong of [
    null,
    'none',
    {},
    { type: 'rules' },
    { type: 'other' },
    rules(...Array.from({ length: 21 }, () => EVERY[3]!)),
  ])
    assert((await faults(wrong)).length > 0)
})

test('only administrators of a space can change its rules, or make a space with rules live', async () => {
  await set(rules({ rule: 'require_at_least_one_review' }))
  const rulesChanged = await set({ type: 'none' }, creator)
  assert.deepEqual([rulesChanged.status, /"admin"/.test(rulesChanged.body.error.message)], [403, true])
  assert.equal((await creator(`PATCH ${here}`, { editMode: 'live' })).status, 403)
  assert.equal((await creator(`PATCH ${here}`, { title: 'Guide' })).status, 200)
  assert.equal((await ada(`PATCH ${here}`, { editMode: 'live' })).status, 200)
  assert.equal((await creator(`PATCH ${here}`, { editMode: 'live' })).status, 200, 'it is live already')
  assert.equal((await creator(`PATCH ${here}`, { editMode: 'locked' })).status, 200)

  await set({ type: 'inherit' })
  await set(rules({ rule: 'require_at_least_one_review' }), ada, org)
  assert.equal((await creator(`PATCH ${here}`, { editMode: 'live' })).status, 403)
  await set({ type: 'none' }, ada, org)
  assert.equal((await creator(`PATCH ${here}`, { editMode: 'live' })).status, 200)
  assert.equal((await creator(`PATCH ${here}`, { editMode: 'locked' })).status, 200)
  assert.equal((await set({ type: 'none' }, creator, org)).status, 403)
})

test('a copy of a space has the same rules', async () => {
  await set(rules(...EVERY))
  const { body } = await creator(`POST ${here}/duplicate`)
  assert.deepEqual(body.mergeRules, rules(...EVERY))
})

test('the audit log has the rules before and after', async () => {
  await set({ type: 'none' })
  await set(rules({ rule: 'allow_bypass', users: [ada.id] }))
  for (const [address, target] of [
    [here, space.id],
    [org, organizationId],
  ]) {
    await set({ type: 'none' }, ada, address)
    await set(rules({ rule: 'allow_bypass', users: [ada.id] }), ada, address)
    const { items } = (await ada(`GET ${org}/audit-events?target=${target}&limit=1`)).body
    const { payload } = (await ada(`GET ${org}/audit-events/${items[0].id}`)).body
    assert.deepEqual(payload.before.mergeRules, { type: 'none' })
    assert.deepEqual(payload.after.mergeRules, rules({ rule: 'allow_bypass', users: [ada.id] }))
  }
})

test('a transferred space keeps its rules, whatever users they list, and other fields can be changed', async () => {
  const { body: moved } = await ada(`POST ${org}/spaces`, { title: 'Moved' })
  const kept = rules({ rule: 'require_specific_reviewers', users: [creator.id] })
  await set(kept, ada, `/v1/spaces/${moved.id}`)
  const { body: other } = await ada('POST /v1/orgs', { title: 'Other' })
  const transferred = await ada(`POST /v1/spaces/${moved.id}/transfer`, { organization: other.id })
  assert.deepEqual([transferred.status, transferred.body.mergeRules], [200, kept])
  const { body: renamed } = await ada(`PATCH /v1/spaces/${moved.id}`, { title: 'Renamed' })
  assert.deepEqual([renamed.title, renamed.mergeRules], ['Renamed', kept])
  assert.equal((await set(kept, ada, `/v1/spaces/${moved.id}`)).status, 400, 'nobody of these is a member')
})
