import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOn, insert, update } from '../batches.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { PNG } from '../picture.ts'
import { createWorld, type Person } from '../world.ts'
import { onlyLong } from '../effort.ts'

const world = await createWorld()
const { ada, organizationId } = world
const stranger = await world.stranger('Stranger')
const bob = await world.person('Bob', 'read')
const elsewhere = (await stranger(`POST /v1/orgs/${stranger.organizationId}/spaces`, { title: 'Far' })).body

const DOCS = {
  'README.md': `# Home\n\n[guide](guide.md#install), [gone](gone.md), [site](https://example.com)\n\n![](logo.png)\n\n[app](${world.url}/app/o/${organizationId})\n`,
  'guide.md':
    '# Guide\n\n## Install\n\n[home](README.md) and [gone](gone.md)\n\n{% include ".gitbook/includes/help.md" %}\n',
  '.gitbook/includes/help.md': '---\ntitle: Help\n---\n\n[home](../../README.md)\n',
  'logo.png': PNG,
}

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

/** The parts of a place or target that a response contains. */
const named = (location: Json): string =>
  location === undefined
    ? '-'
    : [
        location.kind,
        location.page?.title ??
          location.file?.name ??
          location.reusableContent?.title ??
          location.url ??
          location.user?.displayName ??
          location.collection?.title ??
          location.space?.title,
        ...(location.internalLocation?.type === 'anchor' ? [`#${location.internalLocation.anchor}`] : []),
      ].join(' ')
const linesOf = ({ items }: Json): string[] =>
  items.map(
    ({ status, relation, targetReference, locationReferences }: Json) =>
      `${status} ${relation} ${named(targetReference)}: ${locationReferences.map(named).join(', ')}`,
  )

async function get(path: string, person: Person = ada): Promise<Json> {
  const answer = await person(`GET ${path}`)
  assert.equal(answer.status, 200, `${path}: ${answer.text}`)
  return answer.body
}

/** A space with the sample, and the ids of its content. */
async function sample() {
  const { spaceId } = await spaceWith(world, archiveOf(DOCS))
  const { pages, files } = await get(`/v1/spaces/${spaceId}/content`)
  const [guide] = pages.filter(({ title }: Json) => title === 'Guide')
  const [home] = pages.filter(({ title }: Json) => title === 'Home')
  return { spaceId, home: home.id as string, guide: guide.id as string, file: files[0].id as string }
}

test('the links of a space are listed by target, with the places that contain them', async () => {
  const { spaceId } = await sample()
  const links = await get(`/v1/spaces/${spaceId}/links`)
  assert.deepEqual(linesOf(links).toSorted(), [
    'broken reference -: page Home, page Guide',
    `in-app reference url ${world.url}/app/o/${organizationId}: page Home`,
    'ok dependsOn file logo.png: page Home',
    'ok dependsOn reusable-content Help: page Guide',
    'ok reference page Guide #install: page Home',
    'ok reference page Home: page Guide, reusable-content Help',
    'ok reference url https://example.com: page Home',
  ])
  assert.deepEqual([links.count, links.stats], [7, { total: 7, broken: { total: 1 } }])
  const [place] = links.items[0].locationReferences
  assert.equal(place.internalLocation.type, 'node')
  assert.equal(place.organization.id, organizationId)
  assert.equal(place.space.id, spaceId)

  const paged: string[] = []
  for (let page = ''; ;) {
    const part = await get(`/v1/spaces/${spaceId}/links?limit=2${page}`)
    paged.push(...linesOf(part))
    assert.equal(part.count, 7)
    if (!part.next) break
    page = `&page=${part.next.page}`
  }
  assert.deepEqual(paged, linesOf(links))
  const broken = await get(`/v1/spaces/${spaceId}/links?status=broken`)
  assert.deepEqual([broken.count, broken.stats.total, broken.items.length], [1, 7, 1])
  const written = (list: Json) => list.items[0].locationReferences.map(({ link }: Json) => link)
  const places = [
    { address: 'gone.md', text: 'gone', line: 3 },
    { address: 'gone.md', text: 'gone', line: 5 },
  ]
  assert.deepEqual(written(broken), places)
})

test('links stored by an earlier version are read again from the source', async () => {
  const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Old\n\nText\n\n[far](far.md)\n' }))
  await world.db.write(async (tx) => {
    const { links } = await tx
      .selectFrom('document')
      .select('links')
      .where('spaceId', '=', spaceId)
      .executeTakeFirstOrThrow()
    const { references, anchors } = JSON.parse(links)
    const stored = references.map(({ ref, place, key }: Json) => ({ ref, place, key }))
    await tx
      .updateTable('document')
      .set({ links: JSON.stringify({ references: stored, anchors }) })
      .where('spaceId', '=', spaceId)
      .execute()
  })
  const { items } = await get(`/v1/spaces/${spaceId}/links?status=broken`)
  assert.deepEqual(items[0].locationReferences[0].link, { address: 'far.md', text: 'far', line: 5 })
})

test('lists the links of a page, and the pages that link to a page or file', async () => {
  const { spaceId, home, guide, file } = await sample()
  const draft = await draftOn(world, spaceId)
  for (const base of [
    `/v1/spaces/${spaceId}/content`,
    `/v1/spaces/${spaceId}/change-requests/${draft.changeRequest.id}/content`,
  ]) {
    assert.deepEqual(linesOf(await get(`${base}/page/${guide}/links`)).toSorted(), [
      'broken reference -: page Guide',
      'ok dependsOn reusable-content Help: page Guide',
      'ok reference page Home: page Guide',
    ])
    assert.equal((await get(`${base}/page/${guide}/links?status=broken`)).items.length, 1)
    const backlinks = await get(`${base}/page/${home}/backlinks`)
    assert.deepEqual(backlinks.items.map(named), ['page Guide', 'reusable-content Help'])
    assert.deepEqual((await get(`${base}/page/${guide}/backlinks?limit=1`)).items.map(named), ['page Home'])
    const shown = await get(`${base}/files/${file}/backlinks`)
    assert.deepEqual(shown.items.map(named), ['page Home'])
    const { revision } = (await get(`/v1/spaces/${spaceId}`)) as unknown as { revision: string }
    // Every reference to content names the version that it is in: those of links, and those of backlinks.
    const links = (await get(`${base.replace(/.content$/, '')}/links`)).items
    const references = [...backlinks.items, ...shown.items].concat(
      links.flatMap((link: Json) => [link.targetReference ?? [], ...link.locationReferences].flat()),
    )
    assert(references.length > 6)
    for (const { kind, versionContext } of references.filter((one: Json) => one.kind !== 'url'))
      if (base.includes('change-requests'))
        assert.equal(versionContext?.changeRequest.id, draft.changeRequest.id, kind)
      else assert.deepEqual([versionContext?.type, versionContext?.revision.id], ['revision', revision], kind)
    assert.equal((await ada(`GET ${base}/page/${file}/links`)).status, 404)
    assert.equal((await ada(`GET ${base}/page/${file}/backlinks`)).status, 404)
    assert.equal((await ada(`GET ${base}/files/${home}/backlinks`)).status, 404)
  }
})

test('a link to a page still works after a move and a rename, and breaks when the page is deleted', async () => {
  const { spaceId, home, guide } = await sample()
  const draft = await draftOn(world, spaceId)
  const links = () => get(`/v1/spaces/${spaceId}/change-requests/${draft.changeRequest.id}/links`)
  await draft.made(insert('# Part'), update(guide, { title: 'Manual', slug: 'manual', into: home }))
  assert.ok(linesOf(await links()).includes('ok reference page Manual #install: page Home'))

  await draft.send({ operation: 'delete_page', page: guide })
  const after = await links()
  assert.deepEqual(after.stats.broken, { total: 2, changeRequest: 1 })
})

test('distinguishes links that a change request breaks from links that were already broken', async () => {
  const { spaceId, guide } = await sample()
  const draft = await draftOn(world, spaceId)
  const base = `/v1/spaces/${spaceId}/change-requests/${draft.changeRequest.id}/links`
  assert.deepEqual((await get(base)).stats, { total: 7, broken: { total: 1, changeRequest: 0 } })

  await draft.send(
    insert('# New\n\n[nowhere](nowhere.md) and [Guide](./guide.md#gone)'),
    update(guide, { document: { markdown: '# Guide\n\n[gone](gone.md)' } }),
  )
  const list = await get(base)
  // The deleted heading, the missing page, and the missing reusable content.
  assert.deepEqual(list.stats.broken, { total: 4, changeRequest: 3 })
  assert.equal((await get(`${base}?brokenContext=change-request`)).count, 3)
  assert.equal((await get(`${base}?brokenContext=space`)).count, 1)
  assert.equal((await get(`${base}?brokenContext=space&status=ok`)).count, 0)
  assert.equal((await get(`/v1/spaces/${spaceId}/links`)).stats.broken.total, 1)
})

test('links reveal nothing about content that the caller cannot see', async () => {
  const secret = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Secret', editMode: 'live' }))
    .body
  await ada(`PATCH /v1/spaces/${secret.id}`, { defaultLevel: null })
  const inside = await ada(`POST /v1/spaces/${secret.id}/content?compat=false`, {
    changes: [insert('# Hidden page')],
  })
  const page = inside.body.changes[0].page.id
  const collection = (await ada(`POST /v1/orgs/${organizationId}/collections`, { title: 'Shelf' })).body

  const draft = await draftOn(world)
  await draft.send(
    insert(
      [
        `[s](/spaces/${secret.id}) [p](/spaces/${secret.id}/pages/${page})`,
        `[far](/spaces/${elsewhere.id}) [c](/collections/${collection.id})`,
        `[me](/users/${ada.id} "mention") [them](/users/${stranger.id} "mention") [spec](/-/openapi/pets)`,
      ].join(' '),
    ),
  )
  const path = `/v1/spaces/${draft.spaceId}/change-requests/${draft.changeRequest.id}/links`
  const seen = await get(path)
  assert.equal(seen.stats.total, 7)
  assert.deepEqual(
    seen.items
      .filter(({ status }: Json) => status === 'ok')
      .map(({ targetReference }: Json) => named(targetReference))
      .toSorted(),
    ['collection Shelf', 'page Hidden page', 'space Secret', `user ${await nameOf(ada)}`],
  )
  assert.equal(seen.stats.broken.total, 3)

  const answer = await bob(`GET ${path}`)
  assert.equal(answer.status, 200)
  assert.equal(answer.body.stats.broken.total, 5)
  for (const word of ['Secret', 'Hidden page', 'Far', 'Stranger', secret.id, elsewhere.id, stranger.id, page])
    assert.ok(!answer.text.includes(word), word)
})

test('links to OpenAPI specifications are broken unless the organization has them, and for guests', async () => {
  const source = { text: '{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{}}' }
  await ada(`PUT /v1/orgs/${organizationId}/openapi/known`, { source })
  const draft = await draftOn(world)
  const operation = (spec: string) =>
    `{% openapi-operation spec="${spec}" path="/a" method="get" %}\n[${spec}](https://example.com)\n{% endopenapi-operation %}`
  await draft.made(insert(`# A\n\n${operation('known')}\n\n${operation('unknown')}\n`))
  const path = `/v1/spaces/${draft.spaceId}/change-requests/${draft.changeRequest.id}/links`
  const seen = await get(path)
  const shown = seen.items.map(({ status, targetReference }: Json) => [
    status,
    targetReference?.kind,
    targetReference?.openAPISpec?.slug,
  ])
  assert.deepEqual(shown, [
    ['ok', 'openapi', 'known'],
    ['broken', undefined, undefined],
  ])
  const guest = await world.person('spec-guest', null)
  await ada(`POST /v1/spaces/${draft.spaceId}/permissions`, { users: [guest.id], role: 'read' })
  const { body } = await guest(`GET ${path}`)
  assert.equal(body.stats.broken.total, 2)
})

test('an anchor of a page in another space is broken if the page does not have it', async () => {
  const { spaceId, guide } = await sample()
  const draft = await draftOn(world)
  const to = `/spaces/${spaceId}/pages/${guide}`
  await draft.made(insert(`# A\n\n[a](${to}#install) [b](${to}#removed) [c](${to})`))
  const path = `/v1/spaces/${draft.spaceId}/change-requests/${draft.changeRequest.id}/links`
  const links = await get(path)
  assert.deepEqual(linesOf(links), [
    'ok reference page Guide #install: page A',
    'ok reference page Guide: page A',
    'broken reference -: page A',
  ])
  const broken = (list: Json) =>
    list.items
      .filter(({ status }: Json) => status === 'broken')
      .map(({ reason, locationReferences: [{ link }] }: Json) => [reason, link.address])
  assert.deepEqual(broken(links), [['anchor', `${to}#removed`]])
  // Somebody who cannot see the page learns nothing about it.
  const guest = await world.person('anchor-guest', null)
  await ada(`POST /v1/spaces/${draft.spaceId}/permissions`, { users: [guest.id], role: 'read' })
  const hidden = ['target', undefined]
  assert.deepEqual(broken((await guest(`GET ${path}`)).body), [hidden, hidden, hidden])
})

test('an address of this installation leads to its page, or is broken', async () => {
  const { spaceId } = await sample()
  const { siteId, address } = await publish(world, spaceId, 'Manual')
  const { pathname, host } = new URL(address)
  const site = `/v1/orgs/${organizationId}/sites/${siteId}`
  const proxied = await ada(`PATCH ${site}`, { proxy: 'docs.example.org/manual' })
  assert.equal(proxied.status, 200, proxied.text)
  await world.db.write((tx) =>
    tx
      .insertInto('customHostname')
      .values({
        hostname: 'manual.example.org',
        siteId,
        organizationId,
        challenge: '',
        isActive: 1,
        status: 'active',
        checkedAt: null,
        createdAt: new Date().toISOString(),
      })
      .execute(),
  )
  const { basename } = proxied.body as { basename: string }
  const [organization = ''] = host.split('.')
  const bases = [
    address,
    `${world.url}/sites/${organization}/${basename}/`,
    'https://docs.example.org/manual/',
    'https://manual.example.org/',
  ]
  assert.match(pathname, /^\/.+\/$/)
  const app = `${world.url}/app/s/${spaceId}`
  const ours = bases.flatMap((base) => [
    `${base}guide`,
    `${base}guide#install`,
    `${base}guide#removed`,
    `${base}nowhere`,
    `${base}llms.txt`,
  ])
  const addresses = [
    ...ours,
    app,
    `${app}/guide`,
    `${app}/nowhere`,
    `${world.url}/app/s/none`,
    'https://docs.example.org/else',
    'mailto:a@example.org',
  ]
  const draft = await draftOn(world)
  const [page] = await draft.made(insert(`# A\n\n${addresses.map((one) => `[x](${one})`).join('\n\n')}\n`))
  const base = `/v1/spaces/${draft.spaceId}/change-requests/${draft.changeRequest.id}`
  const statusOf = async (person: Person) => {
    const { items } = await get(`${base}/content/page/${page}/links?limit=100`, person)
    return new Map<string, string>(
      items.map(({ status, targetReference, locationReferences }: Json) => [
        locationReferences[0].link.address,
        `${status} ${named(targetReference)}`,
      ]),
    )
  }
  const seen = await statusOf(ada)
  for (const one of bases) {
    assert.equal(seen.get(`${one}guide`), 'ok page Guide', one)
    assert.equal(seen.get(`${one}guide#install`), 'ok page Guide #install')
    assert.equal(seen.get(`${one}guide#removed`), 'broken -')
    assert.equal(seen.get(`${one}nowhere`), 'broken -')
    assert.equal(seen.get(`${one}llms.txt`), `ok url ${one}llms.txt`)
  }
  assert.equal(seen.get(app), 'in-app space Imported')
  assert.equal(seen.get(`${app}/guide`), 'in-app page Guide')
  assert.equal(seen.get(`${app}/nowhere`), 'broken -')
  assert.equal(seen.get(`${world.url}/app/s/none`), 'broken -')
  assert.equal(seen.get('https://docs.example.org/else'), 'ok url https://docs.example.org/else')
  assert.equal(seen.get('mailto:a@example.org'), 'ok url mailto:a@example.org')

  // What everyone can read on the site is there for a caller who cannot see its space; nothing else is.
  await ada(`PATCH /v1/spaces/${spaceId}`, { defaultLevel: null })
  const seenByBob = await statusOf(bob)
  assert.equal(seenByBob.get(`${address}guide#install`), `ok url ${address}guide#install`)
  assert.equal(seenByBob.get(`${address}guide#removed`), 'broken -')
  assert.equal(seenByBob.get(`${app}/guide`), 'broken -')
  await ada(`PATCH ${site}`, { visibility: 'visitor-auth' })
  assert.equal((await statusOf(bob)).get(`${address}guide`), 'broken -')
  assert.equal((await statusOf(ada)).get(`${address}guide`), 'ok page Guide')
})

async function nameOf(person: Person): Promise<string> {
  return (await person('GET /v1/user')).body.displayName
}

test('the copy of a space has separate links', async () => {
  const { spaceId } = await sample()
  const copy = (await ada(`POST /v1/spaces/${spaceId}/duplicate`)).body
  assert.deepEqual(
    linesOf(await get(`/v1/spaces/${copy.id}/links`)).toSorted(),
    linesOf(await get(`/v1/spaces/${spaceId}/links`)).toSorted(),
  )
})

/** The largest response of a list of links, as the manual has it. The envelope and one place come on top. */
const LARGEST = 4_000_000 + 100_000

/** All pages of a list of links, none of which is too large. */
async function walkLinks(base: string): Promise<Json[]> {
  const items: Json[] = []
  for (let page = ''; ;) {
    const { text, body } = await ada(`GET ${base}/links?limit=1000${page}`)
    assert(text.length < LARGEST, `${text.length} characters`)
    items.push(...body.items)
    if (!body.next) {
      assert.equal(items.length, body.count)
      return items
    }
    page = `&page=${body.next.page}`
  }
}

test('the page of a location has no descendants', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 50 }, (_, i) => [`part/p${i}.md`, `# P ${i}\n\n[up](README.md)\n`]),
  )
  const { spaceId } = await spaceWith(world, archiveOf({ 'part/README.md': '# Part', ...files }))
  const [record] = await walkLinks(`/v1/spaces/${spaceId}`)
  assert.deepEqual(record.targetReference.page.pages, [])
  assert.equal(record.locationReferences.length, 50)
  for (const { versionContext } of [record.targetReference, ...record.locationReferences])
    assert.deepEqual(versionContext.revision.pages[0].pages, [])
  const { id } = record.targetReference.page
  const backlinks = await ada(`GET /v1/spaces/${spaceId}/content/page/${id}/backlinks?limit=1`)
  assert(backlinks.text.length < 20_000)
})

test('a response with long links ends at its limit, and the count has the places that it leaves out', async () => {
  const long = (name: string) => `https://example.com/${name}/${'x'.repeat(20_000)}`
  const links = [...Array(240).fill(long('a')), ...Array(30).fill(long('b'))]
  const pages = Object.fromEntries(links.map((link, i) => [`p${i}.md`, `# P ${i}\n\n[to](${link})\n`]))
  const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Home', ...pages }))
  const items = await walkLinks(`/v1/spaces/${spaceId}`)
  assert.deepEqual(
    items.map(({ locationCount }) => locationCount),
    [240, 30],
  )
  assert(items[0].locationReferences.length < 240)
  assert.equal(items[1].locationReferences.length, 30)
})

test(
  'a page of results ends before the response is too large, and the next page continues',
  onlyLong,
  async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 1500 }, (_, i) => [
        `p${i}.md`,
        `# Page ${i}\n\n[a](https://example.com/${i % 40})\n`,
      ]),
    )
    const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Home', ...pages }))
    const items = await walkLinks(`/v1/spaces/${spaceId}`)
    assert.equal(new Set(linesOf({ items })).size, 40)
    for (const { locationCount, locationReferences } of items)
      assert.equal(locationReferences.length, locationCount)
  },
)
