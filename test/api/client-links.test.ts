/** Links of every kind in an existing client: its description judges each field of their targets and places. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insert } from '../batches.ts'
import { clientOf, judged } from '../client.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { PNG } from '../picture.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const spaces = judged(clientOf(world), 'spaces')

const other = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Other' })).body.id as string
const shelf = (await ada(`POST /v1/orgs/${organizationId}/collections`, { title: 'Shelf' })).body.id as string
const { spaceId } = await spaceWith(
  world,
  archiveOf({
    'README.md': `# Home\n\n[guide](guide.md#install) [gone](gone.md) [here](#part) [out](https://example.com)\n\n![](logo.png)\n\n[app](${world.url}/app/o/${organizationId}) [space](/spaces/${other}) [shelf](/collections/${shelf}) [me](/users/${ada.id} "mention")\n\n## Part\n`,
    'guide.md':
      '# Guide\n\n## Install\n\n[home](README.md)\n\n{% include ".gitbook/includes/help.md" %}\n\n| [home](README.md) | ![](logo.png) |\n|-|-|\n',
    '.gitbook/includes/help.md': '---\ntitle: Help\n---\n\n[home](../../README.md)\n',
    'logo.png': PNG,
  }),
)

interface Place {
  kind: string
  page?: { id: string; title: string }
  file?: { id: string }
}
interface Link {
  status: string
  targetReference?: Place
  locationReferences: Place[]
}

test('the links of a space have targets of every kind', async () => {
  const { items, stats, count } = await spaces('listSpaceLinks', spaceId)
  const kinds = (items as Link[]).map(({ status, targetReference }) => targetReference?.kind ?? status)
  const [all, places] = [new Set(kinds), new Set<string>()]
  for (const { locationReferences } of items as Link[])
    for (const { kind } of locationReferences) places.add(kind)
  const targets = ['broken', 'collection', 'file', 'page', 'reusable-content', 'space', 'url', 'user']
  assert.deepEqual([...all].toSorted(), targets)
  assert.deepEqual([...places].toSorted(), ['page', 'reusable-content'])
  assert.deepEqual([count, stats.total, stats.broken.total], [items.length, items.length, 1])
  for (const status of ['ok', 'broken', 'in-app']) {
    const some = await spaces('listSpaceLinks', spaceId, { status })
    assert(some.items.length > 0)
    assert((some.items as Link[]).every((link) => link.status === status))
  }
  const first = await spaces('listSpaceLinks', spaceId, { limit: 3 })
  const second = await spaces('listSpaceLinks', spaceId, { limit: 3, page: first.next.page })
  assert.deepEqual([...first.items, ...second.items], items.slice(0, 6))
})

test('the links of a page, and what links to a page and to a file, in a space and in a change request', async () => {
  const { items } = await spaces('listSpaceLinks', spaceId)
  const found = (kind: string) =>
    (items as Link[]).flatMap(({ targetReference: target }) => (target?.kind === kind ? [target] : []))
  const home = found('page').find(({ page }) => page?.title === 'Home')!.page!.id
  const file = found('file')[0]!.file!.id
  const change = (await spaces('createChangeRequest', spaceId, { subject: 'More links' })).id as string
  const changes = [insert('# More\n\n[home](README.md) [gone](nowhere.md)\n\n![](logo.png)')]
  const path = `/v1/spaces/${spaceId}/change-requests/${change}`
  const edited = await ada(`POST ${path}/content?compat=false`, { changes })
  assert(edited.status < 300, edited.text)

  const inSpace = await spaces('listPageLinksInSpace', spaceId, home)
  const inChange = await spaces('listPageLinksInChangeRequest', spaceId, change, home)
  assert.equal(inSpace.items.length, inChange.items.length)
  assert(inSpace.items.length >= 8, String(inSpace.items.length))
  const toHome = (await spaces('listSpacePageBacklinks', spaceId, home)).items.length
  assert.equal(
    (await spaces('listChangeRequestPageBacklinks', spaceId, change, home)).items.length,
    toHome + 1,
  )
  const toFile = (await spaces('listSpaceFileBacklinks', spaceId, file)).items.length
  assert.equal(
    (await spaces('listChangeRequestFileBacklinks', spaceId, change, file)).items.length,
    toFile + 1,
  )
  const ofChange = await spaces('listChangeRequestLinks', spaceId, change)
  assert.deepEqual(ofChange.stats.broken, { total: 2, changeRequest: 1 })
})
