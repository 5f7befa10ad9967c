/** Responses about places in an existing client: spaces, collections, sites and their permissions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, judged } from '../client.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const bob = await world.person('Bob', 'edit')
const client = clientOf(world)
const [orgs, spaces, collections] = ['orgs', 'spaces', 'collections'].map((group) =>
  judged(client, group),
) as [ReturnType<typeof judged>, ReturnType<typeof judged>, ReturnType<typeof judged>]
const elsewhere = (await ada('POST /v1/orgs', { title: 'Elsewhere' })).body.id as string

test('a space from its creation to the trash and back, a copy, a move and a transfer', async () => {
  const space = await orgs('createSpace', organizationId, {
    title: 'A space',
    emoji: '1f4d8',
    language: 'de',
  })
  assert.equal((await spaces('getSpaceById', space.id)).title, 'A space')
  const changes = {
    title: 'Renamed',
    icon: 'https://a.example/i.png',
    editMode: 'live',
    defaultLevel: 'read',
  }
  assert.equal((await spaces('updateSpaceById', space.id, changes)).editMode, 'live')
  assert.equal((await spaces('updateSpaceById', space.id, { defaultLevel: null })).defaultLevel, null)
  const copy = await spaces('duplicateSpace', space.id)
  const collection = await orgs('createCollection', organizationId, { title: 'A collection' })
  const between = { parent: null, position: { after: { type: 'collection', collection: collection.id } } }
  await spaces('moveSpace', copy.id, between)
  const moved = await spaces('moveSpace', copy.id, { parent: collection.id })
  assert.equal(moved.parent, collection.id)
  assert.equal((await spaces('transferSpace', copy.id, { organization: elsewhere })).organization, elsewhere)

  await spaces('deleteSpaceById', space.id)
  await spaces('deleteSpaceById', space.id)
  const trash = await orgs('listSpacesInOrganizationById', organizationId, { deleted: true })
  assert.equal(trash.items[0].id, space.id)
  assert.equal((await spaces('restoreSpace', space.id)).id, space.id)
  assert.equal((await orgs('listSpacesInOrganizationById', organizationId, { limit: 1 })).items.length, 1)
})

test('a collection with its content', async () => {
  const [outer, inner] = [
    await orgs('createCollection', organizationId, { title: 'Outer', description: 'What it is' }),
    await orgs('createCollection', organizationId, { title: 'Inner' }),
  ]
  assert.equal((await collections('moveCollection', inner.id, { parent: outer.id })).parent, outer.id)
  await orgs('createSpace', organizationId, { title: 'Inside', parent: inner.id })
  assert.equal((await collections('listSpacesInCollectionById', inner.id)).items[0].title, 'Inside')
  assert.equal((await collections('getCollectionById', outer.id)).title, 'Outer')
  const changes = { title: 'Around', description: 'Changed', defaultLevel: 'comment' }
  assert.equal((await collections('updateCollectionById', outer.id, changes)).title, 'Around')
  await orgs('listCollectionsInOrganizationById', organizationId, { nested: true })
  assert((await orgs('listCollectionsInOrganizationById', organizationId)).items.length > 0)

  const transferred = await collections('transferCollection', outer.id, { organization: elsewhere })
  assert.equal(transferred.organization, elsewhere)
  await collections('deleteCollectionById', outer.id)
  await collections('deleteCollectionById', outer.id)
})

test('grants on a space and on a collection', async () => {
  const team = await orgs('createOrganizationTeam', organizationId, { title: 'Writers', members: [ada.id] })
  const things = [
    { on: spaces, name: 'Space', id: (await orgs('createSpace', organizationId, { title: 'Granted' })).id },
    {
      on: collections,
      name: 'Collection',
      id: (await orgs('createCollection', organizationId, { title: 'Granted' })).id,
    },
  ]
  for (const { on, name, id } of things) {
    await on(`inviteTo${name}`, id, { users: [bob.id], teams: [team.id], role: 'review' })
    assert.equal((await on(`listUserPermissionsIn${name}`, id)).items[0].permission, 'review')
    assert.equal((await on(`listTeamPermissionsIn${name}`, id)).items[0].team.id, team.id)
    assert.equal((await on(`listPermissionsAggregateIn${name}`, id)).items.length, 2)
    await on(`updateUserPermissionIn${name}`, id, bob.id, { role: 'comment' })
    await on(`updateTeamPermissionIn${name}`, id, team.id, { role: null })
    assert.equal((await on(`listPermissionsAggregateIn${name}`, id, { role: 'comment' })).items.length, 1)
    for (let twice = 0; twice < 2; twice++) {
      await on(`removeUserFrom${name}`, id, bob.id)
      await on(`removeTeamFrom${name}`, id, team.id)
    }
  }
})

test('a site that is changed, published and unpublished', async () => {
  const site = await orgs('createSite', organizationId, { title: 'A site', spaces: 'sample' })
  assert.equal((await orgs('updateSiteById', organizationId, site.id, { title: 'Renamed' })).title, 'Renamed')
  await orgs('publishSite', organizationId, site.id)
  assert.equal((await orgs('getSiteById', organizationId, site.id)).published, true)
  const event = {
    type: 'page_view',
    session: { visitorId: 'a', sessionId: 'b', cookies: {}, userAgent: '', language: null, referrer: null },
    location: {
      url: 'https://docs.example.com/',
      siteSection: null,
      siteSpace: null,
      siteShareKey: null,
      space: null,
      revision: null,
      page: null,
    },
  }
  await orgs('trackEventsInSiteById', organizationId, site.id, { events: [event] })
  const counted = { select: [{ column: 'eventsCount' }], range: 'last7Days' }
  assert.deepEqual(await orgs('aggregateSiteEvents', organizationId, site.id, counted), {
    columns: [{ column: 'eventsCount', values: [1] }],
  })
  assert.equal((await orgs('unpublishSite', organizationId, site.id)).published, false)
  await orgs('listSites', organizationId, { title: 'ren', published: false })
})

test('the appearance of a site and of a space of it', async () => {
  const site = await orgs('createSite', organizationId, { title: 'Looks', spaces: 'empty' })
  const ids = [organizationId, site.id]
  const settings = await orgs('getSiteCustomizationById', ...ids)
  settings.styling.theme = 'bold'
  settings.announcement = { enabled: true, message: 'News', style: 'info' }
  assert.equal((await orgs('updateSiteCustomizationById', ...ids, settings)).styling.theme, 'bold')
  const published = await orgs('getPublishedContentSite', ...ids)
  assert.equal(published.customizations.site.announcement.message, 'News')
  const ofSpace = [...ids, published.structure.structure[0].id]
  const changes = { styling: { corners: 'straight' } }
  const own = await orgs('overrideSiteSpaceCustomizationById', ...ofSpace, changes)
  assert.deepEqual([own.styling.theme, own.styling.corners], ['bold', 'straight'])
  assert.equal((await orgs('getSiteSpaceCustomizationById', ...ofSpace)).styling.corners, 'straight')
  await orgs('deleteSiteSpaceCustomizationById', ...ofSpace)
  await orgs('deleteSiteSpaceCustomizationById', ...ofSpace)
})
