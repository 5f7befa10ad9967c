/** Texts of pages that were stored before conditions in them were refused show nothing of what the conditions would hide. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idSource } from '../../src/core/data/id.ts'
import { commitRevision, needRevision } from '../../src/model/content/commit.ts'
import { pagesOf } from '../../src/model/content/content.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { resolveFor } from './reader-surfaces.ts'

const world = await createWorld()
const newId = idSource(() => Date.now())
const HIDDEN = '{% if visitor.claims.plan == "pro" %} SECRET {% endif %}'

test('titles and descriptions that were stored with conditions are cut for readers', async () => {
  const files = { 'README.md': '# Start\n', 'plans.md': 'Text\n', 'other.md': 'Text\n' }
  const { spaceId, revision } = await spaceWith(world, archiveOf(files))
  // As an earlier version wrote it.
  await world.db.write(async (tx) => {
    const parent = await needRevision(tx, spaceId, revision)
    const tree = await pagesOf(tx, parent)
    const [plans, other] = [tree.byPath('plans'), tree.byPath('other')]
    const pages = new Map([
      [
        plans!.id,
        { ...plans!, title: `Plans ${HIDDEN}`, linkTitle: `To ${HIDDEN}`, description: `All ${HIDDEN}` },
      ],
      [other!.id, { ...other!, title: HIDDEN }],
    ])
    const reason = { id: newId(), type: 'edits' as const, message: '', userId: world.ada.id, now: new Date() }
    await commitRevision(tx, parent, { pages }, reason)
  })
  const { address, siteId } = await publish(world, spaceId, 'Stored')
  const base = `/sites/docs${new URL(address).pathname}`
  const at = `/v1/orgs/${world.organizationId}/sites/${siteId}`
  const { apiToken } = (await resolveFor(world, { at, address } as never, { headers: {} })).body
  const api = (path: string) =>
    world.nobody(`GET /v1/spaces/${spaceId}/content${path}`, undefined, {
      authorization: `Bearer ${apiToken}`,
    })
  const texts = {
    'a page': await world.nobody(`GET ${base}plans`),
    'its Markdown': await world.nobody(`GET ${base}plans.md`),
    'the list for models': await world.nobody(`GET ${base}llms.txt`),
    'all texts for models': await world.nobody(`GET ${base}llms-full.txt`),
    'the tree of the API': await api('/pages'),
  }
  for (const [surface, { status, text }] of Object.entries(texts)) {
    assert.equal(status, 200, surface)
    assert.match(text, /Plans/, surface)
    assert.doesNotMatch(text, /SECRET|visitor\.claims/, surface)
  }
  assert.match(texts['the tree of the API'].text, /Untitled/)
})
