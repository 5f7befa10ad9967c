import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'

const world = await createWorld({ LECTERN_MAX_PAGE: '20000' })
const { ada, organizationId } = world

test('the largest page is a setting, which threads obey too', async () => {
  const { id } = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { editMode: 'live' })).body
  const insert = (markdown: string) =>
    ada(`POST /v1/spaces/${id}/content`, {
      changes: [{ operation: 'insert_page', title: 'Page', document: { markdown } }],
    })
  assert.equal((await insert('word '.repeat(3900))).status, 200)
  const large = await insert('word '.repeat(4100))
  assert.equal(large.status, 400)
  assert.match(large.body.error.message, /the limit is 20000/)
})
