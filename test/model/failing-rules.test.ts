import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyringOf } from '../../src/access/credentials/keyring.ts'
import { addressesOf } from '../../src/installation/urls.ts'
import { needSpace } from '../../src/access/checks/on.ts'
import { failingRules } from '../../src/model/proposals/failing-rules.ts'
import { edit, propose, type Proposed } from '../reviewing.ts'
import { createWorld, type Person } from '../world.ts'
import { cpuTime } from '../cpu.ts'

const world = await createWorld()
const { ada, organizationId, db } = world
const urls = addressesOf({ url: () => world.url, sitesHost: () => 'sites.example', keyring: keyringOf('x') })
const org = `/v1/orgs/${organizationId}`
const author = await world.person('Author', 'review')
const rita = await world.person('Rita', 'review')
const rob = await world.person('Rob', 'review')
const reader = await world.person('Reader', 'read')

let count = 0

/** A space with these rules, and a change request in it. */
async function proposal(...rules: object[]): Promise<Proposed & { spaceId: string; revision: string }> {
  const { body: space } = await ada(`POST ${org}/spaces`, { title: `Space ${(count += 1)}` })
  const { status, text } = await ada(`PATCH /v1/spaces/${space.id}`, { mergeRules: { type: 'rules', rules } })
  assert.equal(status, 200, text)
  return { ...(await propose(author, space.id)), spaceId: space.id }
}

async function faults(change: Proposed & { spaceId: string }, actor: Person = rob): Promise<string[]> {
  const me = { userId: actor.id, tokenId: '', readOnly: false }
  const { space, role } = await needSpace(db.read, me, change.spaceId)
  const changeRequest = await db.read
    .selectFrom('changeRequest')
    .selectAll()
    .where('id', '=', change.id)
    .executeTakeFirstOrThrow()
  const failing = await failingRules(urls, db.read, { space, changeRequest, me, role })
  return failing.map(({ message }) => message)
}

const review = (by: Person, { address }: Proposed, status = 'approved') =>
  by(`POST ${address}/reviews`, { status })

const NEEDS = 'The current content must be approved'

test('the rules are those of the space, or of its organization if the space inherits them', async () => {
  const change = await proposal({ rule: 'require_at_least_one_review' })
  assert.deepEqual(await faults(change), [NEEDS])
  await ada(`PATCH /v1/spaces/${change.spaceId}`, { mergeRules: { type: 'inherit' } })
  assert.deepEqual(await faults(change), [])
  const mergeRules = { type: 'rules', rules: [{ rule: 'require_change_request_description' }] }
  await ada(`PATCH ${org}`, { mergeRules })
  assert.deepEqual(await faults(change), ['The change request needs a description'])
  await ada(`PATCH /v1/spaces/${change.spaceId}`, { mergeRules: { type: 'none' } })
  assert.deepEqual(await faults(change), [])
  await ada(`PATCH ${org}`, { mergeRules: { type: 'none' } })
})

test('an approval counts until the content changes or a new review is requested', async () => {
  const change = await proposal({ rule: 'require_specific_reviewers', users: [rita.id] })
  assert.deepEqual(await faults(change), [`${NEEDS} by Rita`])
  await review(rita, change)
  assert.deepEqual(await faults(change), [])
  await edit(world, change, author)
  assert.deepEqual(await faults(change), [`${NEEDS} by Rita`])
  await review(rita, change)
  await author(`POST ${change.address}/requested-reviewers`, { users: [rita.id] })
  assert.deepEqual(await faults(change), [`${NEEDS} by Rita`])
  await review(rita, change)
  assert.deepEqual(await faults(change), [])
  await review(rita, change, 'changes-requested')
  assert.deepEqual(await faults(change), [`${NEEDS} by Rita`])
})

test('users who changed the content count as writers; users who only updated it do not', async () => {
  const change = await proposal({ rule: 'require_at_least_one_review' })
  await review(author, change)
  const wrote = [`${NEEDS} by somebody who did not edit it`]
  assert.deepEqual(await faults(change), wrote)
  await edit(world, change, rita, 'update')
  await review(rita, change)
  assert.deepEqual(await faults(change), [])
  await edit(world, change, rita)
  await review(rita, change)
  assert.deepEqual(await faults(change), wrote)
  await review(author, change)
  assert.deepEqual(await faults(change), [], 'each has approved what the other wrote')
})

test('a request for changes prevents the merge until the same reviewer approves', async () => {
  const change = await proposal({ rule: 'require_all_reviews_approved' })
  assert.deepEqual(await faults(change), [])
  await review(rita, change, 'changes-requested')
  await review(rob, change)
  await edit(world, change, author)
  assert.deepEqual(await faults(change), ['Rita requested changes, and must approve the content'])
  await review(rita, change)
  assert.deepEqual(await faults(change), [])
})

test('a review counts while its reviewer has the permission to review', async () => {
  const sam = await world.person('Sam', 'review')
  const change = await proposal(
    { rule: 'require_one_of_specific_reviewers', users: [sam.id, rita.id] },
    { rule: 'require_all_reviews_approved' },
  )
  await review(sam, change)
  assert.deepEqual(await faults(change), [])
  await ada(`PATCH ${org}/members/${sam.id}`, { role: 'edit' })
  assert.deepEqual(await faults(change), [
    `${NEEDS} by one of these users: Sam, Rita (Sam cannot review here)`,
  ])
  await ada(`PATCH ${org}/members/${sam.id}`, { role: 'review' })
  await review(sam, change, 'changes-requested')
  await review(rita, change)
  assert.equal((await faults(change)).length, 1)
  await ada(`DELETE ${org}/members/${sam.id}`)
  assert.deepEqual(await faults(change), [])
})

test('reviews of a user with a grant on the space count', async () => {
  const change = await proposal({ rule: 'require_at_least_one_review' })
  await ada(`POST /v1/spaces/${change.spaceId}/permissions`, { users: [reader.id], role: 'review' })
  assert.equal((await review(reader, change)).status, 201)
  assert.deepEqual(await faults(change), [])
})

test('a change request must be up to date, with a subject and a description', async () => {
  const change = await proposal(
    { rule: 'require_up_to_date_change_request' },
    { rule: 'require_change_request_subject' },
    { rule: 'require_change_request_description' },
  )
  assert.deepEqual(await faults(change), ['The change request needs a description'])
  const ask = (description: object) =>
    author(`POST ${change.address}/requested-reviewers`, { users: [], subject: ' ', description })
  const document = (text: string) => ({
    object: 'document',
    data: {},
    nodes: [
      {
        object: 'block',
        type: 'paragraph',
        data: {},
        nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
      },
    ],
  })
  assert.equal((await ask(document(' '))).status, 200)
  await edit(world, change, ada, 'primary')
  assert.deepEqual(await faults(change), [
    'The change request is not up to date with the space: update it first',
    'The change request needs a subject',
    'The change request needs a description',
  ])
  await ask(document('Because'))
  assert.equal((await faults(change)).length, 2)
})

test('an incomplete description document counts as missing, and the rule still reports it', async () => {
  const change = await proposal({ rule: 'require_change_request_description' })
  for (const nodes of [
    [],
    [{ object: 'block', type: 'weird', data: {} }],
    [{ object: 'block', type: 'paragraph', data: {}, nodes: [null, 7, { leaves: [null, { text: 7 }] }] }],
  ]) {
    const description = { object: 'document', data: {}, nodes }
    const { status } = await author(`POST ${change.address}/requested-reviewers`, { users: [], description })
    if (status === 200) assert.deepEqual(await faults(change), ['The change request needs a description'])
  }
})

test('a custom rule reads the change request, its reviews, the actor and the space in the shape of the API', async () => {
  const holds = async (expression: string, actor = rob) => {
    await ada(`PATCH /v1/spaces/${change.spaceId}`, {
      mergeRules: { type: 'rules', rules: [{ rule: 'custom', expression }] },
    })
    const found = await faults(change, actor)
    if (found.length > 0) assert.deepEqual(found, [`The rule \`${expression}\` is not satisfied`])
    return found.length === 0
  }
  const change = await proposal()
  await rita(`POST ${change.address}/reviews`, { status: 'approved', comment: { markdown: 'Good' } })
  await review(author, change, 'changes-requested')
  for (const expression of [
    'changeRequest.status == "draft" && changeRequest.createdBy.displayName == "Author"',
    'reviews.length == 2 && reviews[0].status == "changes-requested"',
    'reviews[1].comment.body.markdown == "Good"',
    'reviews.filter((review) => review.status == "approved" && !review.outdated).length == 1',
    `actor.id == "${rob.id}" && actor.email == "rob@example.com"`,
    `space.id == "${change.spaceId}" && space.permissions.merge`,
  ])
    assert(await holds(expression), expression)
  for (const expression of ['reviews.length > 2', 'changeRequest.nothing', 'actor.constructor'])
    assert(!(await holds(expression)), expression)

  const guest = await world.person('Guest', null)
  await ada(`POST /v1/spaces/${change.spaceId}/permissions`, { users: [guest.id], role: 'review' })
  const byAddress = 'reviews[1].reviewer.email == "rita@example.com"'
  assert(await holds(byAddress, guest), 'it does not depend on what the actor is shown')
})

test('a custom rule that cannot be evaluated fails with the reason, in bounded time', async () => {
  const endless = `${'[1, 2, 3, 4, 5, 6].map((x) => '.repeat(12)}reviews${')'.repeat(12)}`
  const change = await proposal(
    { rule: 'custom', expression: '[1].map(1)' },
    { rule: 'custom', expression: endless },
  )
  await review(rita, change)
  const start = cpuTime()
  const [first = '', second = ''] = await faults(change)
  assert.match(first, /^The rule `\[1\]\.map\(1\)` cannot be evaluated: An arrow function is needed/)
  assert.match(second, /cannot be evaluated: The expression takes too many steps/)
  assert(cpuTime() - start < 2_000)
})

test('users with a bypass can merge although rules fail', async () => {
  const change = await proposal(
    { rule: 'require_at_least_one_review' },
    { rule: 'allow_bypass', users: [rita.id] },
  )
  assert.deepEqual(await faults(change, rita), [])
  assert.deepEqual(await faults(change, rob), [NEEDS])
  assert.deepEqual(await faults(change, ada), [NEEDS], 'administrators too')
})
