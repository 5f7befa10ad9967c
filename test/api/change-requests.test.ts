import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Guide' })).body
const base = `/v1/spaces/${space.id}/change-requests`

test('a change request starts as a draft on the current content, under the next number', async () => {
  const first = await ada(`POST ${base}`, { subject: 'Say more' })
  assert.equal(first.status, 201, first.text)
  assert.equal(first.headers.get('location'), first.body.urls.location)
  const { number, status, subject, revision, revisionInitial, comments, outdated } = first.body
  assert.deepEqual(
    { number, status, subject, revision, revisionInitial, comments, outdated },
    {
      number: 1,
      status: 'draft',
      subject: 'Say more',
      revision: space.revision,
      revisionInitial: space.revision,
      comments: 0,
      outdated: false,
    },
  )
  assert.equal((await ada(`POST ${base}`)).body.number, 2)
})

test('a change request is found by its id and by its number', async () => {
  const { body } = await ada(`POST ${base}`, { subject: 'Twice' })
  assert.deepEqual((await ada(`GET ${base}/${body.id}`)).body, body)
  assert.deepEqual((await ada(`GET ${base}/${body.number}`)).body, body)
  assert.equal((await ada(`GET ${base}/999`)).status, 404)
})
