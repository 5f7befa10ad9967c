/** Files about a project are pages that no navigation shows, byte for byte. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'
import { contentAt, synced } from './syncing.ts'

const world = await createWorld()

test('a LICENSE is in no navigation, also after an edit and a sync, unless a member shows it', async () => {
  const { ada, organizationId } = world
  const { body: space } = await ada(`POST /v1/orgs/${organizationId}/spaces`, { editMode: 'live' })
  const files = { 'README.md': '# Home\n\n[License](LICENSE.md)\n', 'LICENSE.md': '# License\n' }
  await synced(world, space.id, files)
  const license = async () => {
    const { pages, texts } = await contentAt(world, `/v1/spaces/${space.id}`)
    const page = pages.find(({ title }) => title === 'License') as { id: string; hidden?: boolean }
    return { id: page.id, hidden: page.hidden, text: texts['LICENSE.md'] }
  }
  const { id, ...first } = await license()
  assert.deepEqual(first, { hidden: true, text: files['LICENSE.md'] })

  const edit = async (fields: object) => {
    const changes = [{ operation: 'update_page', page: id, ...fields }]
    const { status, text } = await ada(`POST /v1/spaces/${space.id}/content`, { changes })
    assert.equal(status, 200, text)
  }
  await edit({ document: { markdown: '# License\n\nMIT\n' } })
  await synced(world, space.id, { ...files, 'README.md': '# Home\n' })
  assert.deepEqual(await license(), { id, hidden: true, text: '# License\n\nMIT\n' })

  await edit({ hidden: false })
  await synced(world, space.id, { ...files, 'README.md': '# Front\n' })
  assert.equal((await license()).hidden, undefined)
})
