/** Links to other websites beside the sections of a site: their places, and who sees them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const sites = `/v1/orgs/${organizationId}/sites`

const spaceOf = async (title: string, files = {}) =>
  (await spaceWith(world, archiveOf({ 'README.md': `# ${title}\n\nText.\n`, ...files }), title)).spaceId

/** A published site with the sections "Guides" and "API", and "Group" with "CLI". */
async function siteWithSections(title: string, files = {}) {
  const { id } = (await ada(`POST ${sites}`, { title, spaces: [await spaceOf('Guides', files)] })).body
  const at = `${sites}/${id}`
  const api = (await ada(`POST ${at}/sections`, { spaceId: await spaceOf('API'), title: 'API' })).body
  const cli = (await ada(`POST ${at}/sections`, { spaceId: await spaceOf('CLI'), title: 'CLI' })).body
  const group = (await ada(`POST ${at}/section-groups`, { title: 'Group', sections: [cli.id] })).body
  const { published } = (await ada(`POST ${at}/publish`)).body.urls as { published: string }
  const base = `${world.url}/sites/docs${new URL(published).pathname}`
  const navigation = async () => {
    const page = await (await fetch(base)).text()
    return /<nav class="sections".*?<\/nav>/s.exec(page)?.[0] ?? ''
  }
  const add = (name: string, fields = {}) =>
    ada(`POST ${at}/external-links`, {
      title: name,
      url: `https://${name.toLowerCase()}.example.com/`,
      ...fields,
    })
  return { at, api, cli, group, published, navigation, add }
}

interface Item {
  title: string
  children?: Item[]
}
const outline = async (at: string) => {
  const titles = (items: Item[]): unknown[] =>
    items.map(({ title, children }) => (children ? [title, titles(children)] : title))
  return titles((await ada(`GET ${at}/structure`)).body.structure)
}

test('links stand beside sections and in groups, move as they do, and readers follow them', async () => {
  const { at, api, group, navigation, add } = await siteWithSections('Placed')
  const status = await add('Status', { icon: 'signal', description: 'Is it up?' })
  assert.equal(status.status, 201, status.text)
  assert(status.headers.get('location')?.endsWith(`/external-links/${status.body.id}`))
  assert.deepEqual(status.body, {
    object: 'site-external-link',
    id: status.body.id,
    title: 'Status',
    description: 'Is it up?',
    icon: 'signal',
    url: 'https://status.example.com/',
    draft: false,
  })
  const shop = (await add('Shop', { parent: group.id })).body
  assert.equal(shop.sectionGroup, group.id)
  assert.deepEqual(await outline(at), ['Placed', 'API', ['Group', ['CLI', 'Shop']], 'Status'])
  const menu = await navigation()
  assert.match(menu, /<a href="https:\/\/status\.example\.com\/" rel="noopener"[^>]*>.*?Status<\/a>/s)
  assert.match(menu, /Is it up\?|Shop/)

  const item = (id: string, type = 'site-external-link') => ({ type, id })
  const sort = (id: string, position: object) =>
    ada(`PATCH ${at}/structure/sort`, { item: item(id), position })
  const moved = await sort(status.body.id, { before: item(api.id, 'site-section') })
  assert.deepEqual([moved.status, moved.body.id], [200, status.body.id], moved.text)
  assert.deepEqual(await outline(at), ['Placed', 'Status', 'API', ['Group', ['CLI', 'Shop']]])
  assert.equal((await sort(status.body.id, { after: item(shop.id) })).status, 400)
  const link = `${at}/external-links/${status.body.id}`
  assert.equal((await ada(`PATCH ${link}`, { parent: group.id, title: 'State' })).body.sectionGroup, group.id)
  assert.deepEqual(await outline(at), ['Placed', 'API', ['Group', ['CLI', 'Shop', 'State']]])
  assert.equal((await ada(`PATCH ${link}`, { parent: null })).body.sectionGroup, undefined)
  assert.equal((await ada(`DELETE ${at}/section-groups/${group.id}`)).status, 205)
  assert.deepEqual(await outline(at), ['Placed', 'API', 'CLI', 'Shop', 'State'])
  assert.deepEqual([(await ada(`DELETE ${link}`)).status, (await ada(`DELETE ${link}`)).status], [205, 204])
  assert.equal((await ada(`GET ${link}`)).status, 404)
  assert.doesNotMatch(await navigation(), /State/)
})

test('a group with links alone is shown, and one whose links are hidden is not', async () => {
  const { at, navigation, add } = await siteWithSections('Menus')
  const more = (await ada(`POST ${at}/section-groups`, { title: 'More' })).body
  assert.doesNotMatch(await navigation(), /More/)
  const { id } = (await add('Forum', { parent: more.id })).body
  assert.match(await navigation(), /More.*Forum/s)
  await ada(`PATCH ${at}/external-links/${id}`, { draft: true })
  assert.doesNotMatch(await navigation(), /More|Forum/)
})

const HIDES: Record<
  string,
  (site: { at: string; id: string; group: Item & { id: string } }) => Promise<unknown>
> = {
  'a draft': ({ at, id }) => ada(`PATCH ${at}/external-links/${id}`, { draft: true }),
  'in a group that is a draft': ({ at, group }) =>
    ada(`PATCH ${at}/section-groups/${group.id}`, { draft: true }),
  'under a condition that is not met': ({ at, id }) =>
    ada(`PATCH ${at}/external-links/${id}`, { condition: 'visitor.claims.plan == "pro"' }),
}
for (const [name, hide] of Object.entries(HIDES))
  test(`no reader sees a link that is ${name}, at any surface`, async () => {
    const { at, group, published, navigation, add } = await siteWithSections('Hidden')
    const { id } = (await add('Secret', { parent: group.id })).body
    const token = (await world.nobody('POST /v1/urls/published', { url: published })).body.apiToken as string
    const reader = (request: string) => world.nobody(request, undefined, { authorization: `Bearer ${token}` })
    const surfaces = [`${at}/structure`, `${at}/external-links`, `${at}/section-groups`, `${at}/published`]
    const seenBy = async (who: (request: string) => ReturnType<typeof ada>) => {
      const texts = await Promise.all(surfaces.map(async (path) => (await who(`GET ${path}`)).text))
      return [
        ...texts.map((text) => /Secret/.test(text)),
        (await who(`GET ${at}/external-links/${id}`)).status,
      ]
    }
    assert.deepEqual(await seenBy(reader), [true, true, true, true, 200])
    await hide({ at, id, group })
    assert.deepEqual(await seenBy(reader), [false, false, false, false, 404])
    assert.doesNotMatch(await navigation(), /Secret/)
    assert.equal((await ada(`GET ${at}/external-links/${id}`)).status, 200)
    assert(published)
  })

test('a link to a page of the site that a reader may not see is left out', async () => {
  const files = { 'secret.md': '---\nif: \'visitor.claims.plan == "pro"\'\n---\n\n# Secret\n\nText.\n' }
  const { navigation, published, add } = await siteWithSections('Own', files)
  assert.equal((await add('Open', { url: published })).status, 201)
  assert.equal((await add('Closed', { url: `${published}secret` })).status, 201)
  assert.match(await navigation(), /Open/)
  assert.doesNotMatch(await navigation(), /Closed|secret/)
})

test('what is no link is refused, with its place', async () => {
  const { at, add } = await siteWithSections('Refused')
  const REFUSED: [fields: object, path: RegExp][] = [
    [{ url: 'javascript:alert(1)' }, /url/],
    [{ url: '/docs' }, /url/],
    [{ url: `https://example.com/${'a'.repeat(2048)}` }, /url/],
    [{ title: ' ' }, /title/],
    [{ title: '{% if visitor.claims.a %}x{% endif %}' }, /title/],
    [{ condition: 'visitor.' }, /condition/],
    [{ parent: 'no-such-group' }, /parent/],
    [{ draft: 'yes' }, /draft/],
  ]
  for (const [fields, path] of REFUSED) {
    const refused = await add('Link', fields)
    assert.equal(refused.status, 400, JSON.stringify(fields))
    assert.match(refused.body.error.details[0].path, path)
  }
  assert.deepEqual((await ada(`GET ${at}/external-links`)).body.items, [])
  const flat = (await ada(`POST ${sites}`, { title: 'Flat', spaces: [await spaceOf('Flat')] })).body
  const early = await ada(`POST ${sites}/${flat.id}/external-links`, {
    title: 'Link',
    url: 'https://example.com',
  })
  assert.deepEqual([early.status, early.body.error.reason], [409, 'external-link-without-section'])
})

test('a condition in a URL that readers see is refused, in every field of a site', async () => {
  const { at, add } = await siteWithSections('Unconditional')
  const condition = '{% if visitor.claims.plan %}zq{% endif %}'
  for (const part of [condition, encodeURIComponent(condition)]) {
    const url = `https://example.com/${part}`
    const link = { title: 'L', to: { kind: 'url', url } }
    const requests: [string, object][] = [
      [`POST ${at}/redirects`, { source: '/old', destination: { kind: 'external', url } }],
      [`PUT ${at}/customization`, { header: { links: [{ ...link, links: [] }] } }],
      [`PUT ${at}/customization`, { footer: { groups: [{ title: 'G', links: [link] }] } }],
      [`PUT ${at}/customization`, { privacyPolicy: { url } }],
    ]
    assert.equal((await add('Link', { url })).status, 400, url)
    for (const [request, body] of requests) {
      const { status, text } = await ada(request, body)
      assert.equal(status, 400, `${request} ${text}`)
      assert.match(text, /condition|URL/, request)
    }
  }
})

test('a URL that was stored with a condition, before such URLs were refused, is shown to nobody', async () => {
  const { at, published, navigation, add } = await siteWithSections('Stored')
  const url = 'https://example.com/SLOT'
  const link = { title: 'L', to: { kind: 'url', url } }
  const made = [
    await add('Link', { url }),
    await ada(`POST ${at}/redirects`, { source: '/old', destination: { kind: 'external', url } }),
    await ada(`PUT ${at}/customization`, {
      header: { links: [{ ...link, links: [] }] },
      footer: { groups: [{ title: 'G', links: [link] }] },
      privacyPolicy: { url },
    }),
  ]
  for (const { status, text } of made) assert(status < 300, text)
  const base = `${world.url}/sites/docs${new URL(published).pathname}`
  const shown = async () => {
    const moved = await fetch(`${base}old`, { redirect: 'manual' })
    return [await (await fetch(base)).text(), await navigation(), moved.headers.get('location') ?? ''].map(
      (text) => text.split('example.com/').length - 1,
    )
  }
  assert.deepEqual(await shown(), [6, 2, 1])

  const condition = encodeURIComponent('{% if visitor.claims.plan %}zq{% endif %}')
  const { db } = world
  const siteId = at.split('/').at(-1)!
  await db.write(async (tx) => {
    const filled = (text: string) => text.replaceAll('SLOT', condition)
    const [redirect] = await tx.selectFrom('siteRedirect').selectAll().where('siteId', '=', siteId).execute()
    const destination = filled(redirect!.destination)
    await tx.updateTable('siteRedirect').set({ destination }).where('siteId', '=', siteId).execute()
    const [look] = await tx.selectFrom('siteCustomization').selectAll().where('siteId', '=', siteId).execute()
    const settings = filled(look!.settings)
    await tx.updateTable('siteCustomization').set({ settings }).where('siteId', '=', siteId).execute()
    await tx
      .updateTable('siteExternalLink')
      .set({ url: filled(url) })
      .where('siteId', '=', siteId)
      .execute()
  })
  // A change of the site makes a version of it that reads them.
  assert.equal((await ada(`PATCH ${at}`, { title: 'Changed' })).status, 200)
  assert.deepEqual(await shown(), [0, 0, 0])
})
