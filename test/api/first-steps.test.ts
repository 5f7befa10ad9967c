/** Whether a user has closed the list of first steps in the console. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada } = world

test('a user closes the list of first steps for all browsers, and opens it again', async () => {
  const bob = await world.person('bob')
  const profile = `/v1/users/${bob.id}`
  assert.equal((await bob('GET /v1/user')).body.firstSteps, undefined)
  assert.equal((await bob(`PATCH ${profile}`, { firstSteps: 'closed' })).body.firstSteps, 'closed')
  assert.equal((await bob(`PATCH ${profile}`, { language: 'de' })).body.firstSteps, 'closed')
  assert.equal((await bob('GET /v1/user')).body.firstSteps, 'closed')
  // Nobody else sees it.
  assert.equal((await ada(`GET ${profile}`)).body.firstSteps, undefined)
  assert.equal((await ada(`PATCH ${profile}`, { firstSteps: null })).status, 404)
  assert.equal((await bob(`PATCH ${profile}`, { firstSteps: null })).body.firstSteps, undefined)
  assert.equal((await bob(`PATCH ${profile}`, { firstSteps: 'open' })).status, 400)
})
