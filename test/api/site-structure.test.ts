import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isShareKey, SHARE_KEY_PREFIX } from '../../src/http/request/secret-paths.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const sites = `/v1/orgs/${organizationId}/sites`
const newSpace = async (title: string): Promise<string> =>
  (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title })).body.id

/** Without a page, a space is no entry of the site to its readers. */
const spaceWithPage = async (title: string): Promise<string> =>
  (await spaceWith(world, archiveOf({ 'README.md': `# ${title}\n` }), title)).spaceId

/** A published site with spaces of these titles, and the ids of the spaces. */
async function siteWith(title: string, titles: string[], make = newSpace) {
  const spaces = await Promise.all(titles.map(make))
  const { id } = (await ada(`POST ${sites}`, { title, spaces })).body
  const { published } = (await ada(`POST ${sites}/${id}/publish`)).body.urls
  return { path: `${sites}/${id}`, published: published as string, spaces }
}

interface Item {
  object: string
  id: string
  title: string
  path: string
  default: boolean
  urls: { published?: string }
  siteSpaces: Item[]
  children: Item[]
}
const structureOf = async (path: string) =>
  (await ada(`GET ${path}/structure`)).body as { type: string; structure: Item[] }

test('the first section wraps the spaces that are there, and their addresses stay', async () => {
  const { path, published } = await siteWith('Wrapped', ['One', 'Two'])
  const flat = await structureOf(path)
  assert.equal(flat.type, 'siteSpaces')
  const added = await ada(`POST ${path}/sections`, { spaceId: await newSpace('Three'), title: 'API' })
  assert.equal(added.status, 201)
  assert.equal(added.body.siteSpaces[0].title, 'Three')
  assert.equal(added.body.urls.published, `${published}api/`)

  const { type, structure } = await structureOf(path)
  assert.equal(type, 'sections')
  assert.deepEqual(
    structure.map((one) => [one.title, one.default, one.siteSpaces.map(({ urls }) => urls.published)]),
    [
      ['Wrapped', true, [published, `${published}two/`]],
      ['API', false, [`${published}api/`]],
    ],
  )
  assert.deepEqual((await ada(`GET ${path}/published`)).body.structure, { type, structure })
  const again = await ada(`POST ${path}/site-spaces`, { spaceId: structure[0]!.siteSpaces[0]!.id })
  assert.equal(again.status, 400)
})

test('groups without any section leave the spaces of a site in its structure', async () => {
  const { path, published } = await siteWith('Grouped', ['One', 'Two'], spaceWithPage)
  const flat = await structureOf(path)
  const group = await ada(`POST ${path}/section-groups`, { title: 'Empty' })
  assert.equal(group.status, 201)
  assert.deepEqual(await structureOf(path), flat)
  assert.deepEqual((await ada(`GET ${path}/published`)).body.structure, flat)
  const html = await (await fetch(addressOf(published))).text()
  assert.match(html, /href="[^"]*\/two\/\?switch"/)
  assert.doesNotMatch(html, /Empty/)

  const added = await ada(`POST ${path}/sections`, { spaceId: await newSpace('Three') })
  const { type, structure } = await structureOf(path)
  assert.deepEqual([type, structure.length], ['sections', 3])
  for (const { id } of [structure[0]!, structure[1]!, added.body]) await ada(`DELETE ${path}/sections/${id}`)
  assert.deepEqual(await structureOf(path), { type: 'siteSpaces', structure: [] })
  const spaceId = await newSpace('Four')
  const { id } = (await ada(`POST ${path}/site-spaces`, { spaceId })).body
  const {
    type: left,
    structure: [only, none],
  } = await structureOf(path)
  assert.deepEqual([left, only!.id, none], ['siteSpaces', id, undefined])
})

test('a space without a section goes to the default section, and to a site only once', async () => {
  const { path, spaces } = await siteWith('Once', ['One'])
  await ada(`POST ${path}/sections`, { spaceId: await newSpace('Two') })
  const spaceId = await newSpace('Three')
  const { status, body, headers } = await ada(`POST ${path}/site-spaces`, { spaceId })
  assert.equal(status, 201)
  assert.match(headers.get('location') ?? '', new RegExp(`site-spaces/${body.id}$`))
  const { structure } = await structureOf(path)
  assert.equal(body.section, structure[0]!.id)
  for (const twice of [spaceId, spaces[0]])
    assert.equal((await ada(`POST ${path}/site-spaces`, { spaceId: twice })).status, 409)
  assert.equal((await ada(`POST ${path}/sections`, { spaceId })).status, 409)
})

test('paths differ among siblings only, and an old one redirects', async () => {
  const { path, published } = await siteWith('Paths', ['One', 'Two'], spaceWithPage)
  const spaceId = await spaceWithPage('Two')
  const section = (await ada(`POST ${path}/sections`, { spaceId, title: 'Three' })).body
  const { structure } = await structureOf(path)
  assert.equal(section.siteSpaces[0].path, 'two')
  const [one, two] = structure[0]!.siteSpaces
  assert.equal((await ada(`PATCH ${path}/site-spaces/${one!.id}`, { path: 'TWO' })).status, 409)
  for (const wrong of ['a/b', '~x', '..', 'a b', ''])
    assert.equal((await ada(`PATCH ${path}/site-spaces/${one!.id}`, { path: wrong })).status, 400, wrong)
  assert.equal((await ada(`PATCH ${path}/site-spaces/${two!.id}`, { path: 'second' })).body.path, 'second')
  assert.equal((await ada(`PATCH ${path}/sections/${section.id}`, { path: 'more' })).body.path, 'more')

  const at = async (suffix: string) => {
    const response = await fetch(addressOf(`${published}${suffix}`), { redirect: 'manual' })
    return [response.status, response.headers.get('location')]
  }
  const base = new URL(addressOf(published)).pathname
  assert.deepEqual(await at('second/'), [200, null])
  assert.deepEqual(await at('two/'), [301, `${base}second/`])
  assert.deepEqual(await at('two/page'), [301, `${base}second/page`])
  assert.deepEqual(await at('three/page'), [301, `${base}more/page`])
})

test('an empty space has an empty start page, and a site without a readable space no address', async () => {
  const { path, published } = await siteWith('Hollow', ['Blank'])
  const addressNow = async () => {
    const site = (await ada(`GET ${path}`)).body.urls.published
    const { items } = (await ada(`GET /v1/orgs/${organizationId}/sites?limit=100`)).body
    const listed = items.find(({ id }: Item) => path.endsWith(id)).urls.published
    const { body } = await ada(`GET ${path}/published`)
    assert.deepEqual([listed, body.site.urls.published], [site, site])
    return site
  }
  const start = await fetch(addressOf(published))
  const html = await start.text()
  assert.equal(start.status, 200)
  assert.match(html, /<h1>Blank<\/h1>\s*<p class="lead">There is no page to read here yet\.<\/p>/)
  assert.match(html, /<header/)
  assert.doesNotMatch(html, /Page not found/)
  const asMarkdown = await fetch(addressOf(published), { headers: { accept: 'text/markdown' } })
  assert.deepEqual([asMarkdown.status, await asMarkdown.text()], [200, '# Blank\n'])
  assert.equal((await fetch(`${addressOf(published)}gone`)).status, 404)
  assert.equal(await addressNow(), published)

  const [only] = (await structureOf(path)).structure
  await ada(`PATCH ${path}/site-spaces/${only!.id}`, { condition: 'false' })
  assert.equal((await fetch(addressOf(published))).status, 404)
  assert.equal(await addressNow(), undefined)
  await ada(`PATCH ${path}/site-spaces/${only!.id}`, { condition: null })
  assert.equal(await addressNow(), published)
  await ada(`DELETE ${path}/site-spaces/${only!.id}`)
  assert.equal((await fetch(addressOf(published))).status, 404)
  assert.equal(await addressNow(), undefined)
})

/** The address of a site under the path of the API's host, where tests reach it without a name server. */
function addressOf(published: string): string {
  const { hostname, pathname } = new URL(published)
  return `${world.url}/sites/${hostname.split('.')[0]}${pathname}`
}

test('removing a default promotes the next one', async () => {
  const { path, published } = await siteWith('Promoted', ['One', 'Two', 'Three'])
  const { structure: flat } = await structureOf(path)
  assert.equal((await ada(`DELETE ${path}/site-spaces/${flat[0]!.id}`)).status, 205)
  assert.equal((await ada(`DELETE ${path}/site-spaces/${flat[0]!.id}`)).status, 204)
  const left = (await structureOf(path)).structure
  assert.deepEqual(
    left.map((one) => [one.title, one.default, one.urls.published]),
    [
      ['Two', true, published],
      ['Three', false, `${published}three/`],
    ],
  )
  const section = (await ada(`POST ${path}/sections`, { spaceId: await newSpace('Four') })).body
  const [first] = (await structureOf(path)).structure
  assert.equal((await ada(`DELETE ${path}/sections/${first!.id}`)).status, 205)
  const [only] = (await structureOf(path)).structure
  assert.deepEqual([only!.id, only!.default, only!.urls.published], [section.id, true, published])
  assert.deepEqual((await ada(`GET ${path}/site-spaces?default=true`)).body.items.length, 1)
})

test('while every space of the default section is in the trash, the next section is the default', async () => {
  const { path, published, spaces } = await siteWith('Trashed', ['One'])
  await ada(`POST ${path}/sections`, { spaceId: await newSpace('Two'), title: 'Second' })
  await ada(`DELETE /v1/spaces/${spaces[0]}`)
  const { structure } = await structureOf(path)
  assert.deepEqual(
    structure.map((one) => [one.title, one.default, one.urls.published]),
    [
      ['Trashed', false, undefined],
      ['Second', true, published],
    ],
  )
})

test('defaults can be chosen: of the site, of a section', async () => {
  const { path, published } = await siteWith('Chosen', ['One', 'Two'])
  const section = (await ada(`POST ${path}/sections`, { spaceId: await newSpace('Three') })).body
  const two = (await structureOf(path)).structure[0]!.siteSpaces[1]!
  assert.equal((await ada(`PATCH ${path}`, { defaultSiteSection: section.id })).status, 200)
  const [first, second] = (await structureOf(path)).structure
  assert.deepEqual([first!.default, second!.default], [false, true])
  assert.deepEqual(second!.urls.published, published)
  const changed = await ada(`PATCH ${path}/sections/${first!.id}`, { defaultSiteSpace: two.id })
  assert.equal(changed.body.siteSpaces[1].default, true)
  const foreign = await ada(`PATCH ${path}/sections/${section.id}`, { defaultSiteSpace: two.id })
  assert.equal(foreign.status, 400)
  await ada(`PATCH ${path}`, { defaultSiteSpace: two.id })
  assert.equal((await structureOf(path)).structure[0]!.default, true)
})

test('no path has the form of a key of a share link, which readers would lose', async () => {
  const { path } = await siteWith('Keyed', ['One', 'Two'])
  const { items } = (await ada(`GET ${path}/site-spaces`)).body as { items: Item[] }
  const key = `${SHARE_KEY_PREFIX}${'a'.repeat(26)}`
  assert(isShareKey(key))
  const refused = await ada(`PATCH ${path}/site-spaces/${items[1]!.id}`, { path: key })
  assert.deepEqual([refused.status, /share link/.test(refused.text)], [400, true], refused.text)
})

test('the addresses of a former default redirect, unless the new one has such a page', async () => {
  const spaceOf = async (title: string, pages: string[]) => {
    const files = Object.fromEntries(pages.map((name) => [`${name}.md`, `# ${name}\n`]))
    return (await spaceWith(world, archiveOf({ 'README.md': `# ${title}\n`, ...files }), title)).spaceId
  }
  const [one, two, three] = await Promise.all([
    spaceOf('One', ['both', 'only-one']),
    spaceOf('Two', ['both']),
    spaceOf('Three', ['only-three']),
  ])
  const { body } = await ada(`POST ${sites}`, { title: 'Defaults', spaces: [one, two] })
  const path = `${sites}/${body.id}`
  const { published } = (await ada(`POST ${path}/publish`)).body.urls as { published: string }
  const home = `/sites/docs${new URL(published).pathname}`
  const leads = async (rest: string) => {
    const { status, headers } = await world.nobody(`GET ${home}${rest}`)
    const location = headers.get('location')
    const { body: found } = await ada(`POST /v1/urls/published`, { url: published + rest })
    assert.equal(found.redirect?.slice(published.length), location?.slice(home.length), rest)
    return location === null ? status : location.slice(home.length)
  }
  const { items } = (await ada(`GET ${path}/site-spaces`)).body as { items: Item[] }
  const choose = (title: string) =>
    ada(`PATCH ${path}`, { defaultSiteSpace: items.find((item) => item.title === title)!.id })

  assert.equal(await leads('only-one'), 200)
  await choose('Two')
  assert.deepEqual([await leads('only-one'), await leads('both')], ['one/only-one', 200])
  assert.equal((await world.nobody(`GET ${home}nowhere`)).status, 404)
  await choose('One')
  assert.deepEqual([await leads('only-one'), await leads('one/only-one')], [200, 'only-one'])

  const added = await ada(`POST ${path}/sections`, { spaceId: three, title: 'Third' })
  assert.equal(added.status, 201, added.text)
  assert.equal((await ada(`PATCH ${path}`, { defaultSiteSection: added.body.id })).status, 200)
  const first = (await structureOf(path)).structure.find(({ title }) => title === 'Defaults')!
  assert.equal(await leads('only-one'), `${first.path}/only-one`)
  assert.equal(await leads('two/both'), `${first.path}/two/both`)
  assert.equal(await leads('only-three'), 200)
  await ada(`PATCH ${path}/sections/${first.id}`, { defaultSiteSpace: first.siteSpaces[1]!.id })
  assert.equal(await leads('only-one'), `${first.path}/one/only-one`)
  assert.equal(await leads(`${first.path}/only-one`), `${first.path}/one/only-one`)
})

test('groups hold sections in their order; deleting one leaves them in its place', async () => {
  const { path } = await siteWith('Grouped', ['One'])
  const made: string[] = []
  for (const title of ['Alpha', 'Beta', 'Gamma'])
    made.push((await ada(`POST ${path}/sections`, { spaceId: await newSpace(title), title })).body.id)
  const [alpha, beta, gamma] = made
  const { body: group, status } = await ada(`POST ${path}/section-groups`, {
    title: 'Group',
    sections: [gamma, alpha],
  })
  assert.equal(status, 201)
  assert.deepEqual(
    group.children.map((one: Item) => one.title),
    ['Gamma', 'Alpha'],
  )
  const titles = async () =>
    (await structureOf(path)).structure.map((one) =>
      one.children ? [one.title, one.children.map(({ title }) => title)] : one.title,
    )
  assert.deepEqual(await titles(), ['Grouped', 'Beta', ['Group', ['Gamma', 'Alpha']]])

  const sort = (item: object, position: object) => ada(`PATCH ${path}/structure/sort`, { item, position })
  const moved = await sort(
    { type: 'site-section-group', id: group.id },
    { before: { type: 'site-section', id: beta } },
  )
  assert.equal(moved.body.object, 'site-section-group')
  assert.deepEqual(await titles(), ['Grouped', ['Group', ['Gamma', 'Alpha']], 'Beta'])
  const across = await sort(
    { type: 'site-section', id: beta },
    { after: { type: 'site-section', id: alpha } },
  )
  assert.equal(across.status, 400)
  await ada(`POST ${path}/section-groups/${group.id}/sections`, { sectionId: beta })
  await ada(`POST ${path}/sections/${beta}/move`, {
    position: { before: { type: 'site-section', siteSection: alpha } },
  })
  assert.deepEqual(await titles(), ['Grouped', ['Group', ['Gamma', 'Beta', 'Alpha']]])
  const remove = `DELETE ${path}/section-groups/${group.id}/sections/${alpha}`
  assert.deepEqual([(await ada(remove)).status, (await ada(remove)).status], [205, 204])
  await ada(`POST ${path}/sections`, { spaceId: await newSpace('Delta'), title: 'Delta' })
  assert.equal((await ada(`DELETE ${path}/section-groups/${group.id}`)).status, 205)
  assert.deepEqual(await titles(), ['Grouped', 'Gamma', 'Beta', 'Alpha', 'Delta'])
})

test('groups can be nested three deep and no deeper', async () => {
  const { path } = await siteWith('Nested', ['One'])
  let parent: string | undefined
  for (const title of ['1', '2', '3']) {
    const { status, body } = await ada(`POST ${path}/section-groups`, {
      title,
      ...(parent ? { parent } : {}),
    })
    assert.equal(status, 201)
    parent = body.id
  }
  const deeper = await ada(`POST ${path}/section-groups`, { title: '4', parent })
  assert.equal(deeper.status, 400)
  assert.match(deeper.body.error.message, /at most 3 levels/)
})

test('positions: before, after, both as neighbours, or neither', async () => {
  const { path } = await siteWith('Moves', ['One', 'Two', 'Three'])
  const [one, two, three] = (await structureOf(path)).structure.map(({ id }) => id)
  const at = (siteSpace?: string) => ({ type: 'site-space', siteSpace })
  const move = (id: string | undefined, position: object) =>
    ada(`POST ${path}/site-spaces/${id}/move`, { position })
  const titles = async () => (await structureOf(path)).structure.map(({ title }) => title)
  await move(three, { before: at(one) })
  assert.deepEqual(await titles(), ['Three', 'One', 'Two'])
  await move(three, { after: at(one), before: at(two) })
  assert.deepEqual(await titles(), ['One', 'Three', 'Two'])
  assert.equal((await move(one, { after: at(two), before: at(three) })).status, 400)
  assert.equal((await move(one, { after: at('nowhere') })).status, 400)
  await move(one, {})
  assert.deepEqual(await titles(), ['Three', 'Two', 'One'])
})

test('lists page in reading order', async () => {
  const { path } = await siteWith('Paged', ['One', 'Two', 'Three'])
  await ada(`POST ${path}/sections`, { spaceId: await newSpace('Four'), title: 'Later' })
  for (const [list, expected] of [
    ['site-spaces', ['One', 'Two', 'Three', 'Four']],
    ['sections', ['Paged', 'Later']],
  ] as const) {
    const found: string[] = []
    let next = ''
    do {
      const { body } = await ada(`GET ${path}/${list}?limit=1${next}`)
      assert.equal(body.count, expected.length)
      found.push(...body.items.map(({ title }: Item) => title))
      next = body.next ? `&page=${body.next.page}` : ''
    } while (next)
    assert.deepEqual(found, expected)
  }
})

test('a condition that cannot be parsed or evaluated is refused, with the column of the error', async () => {
  const { path } = await siteWith('Conditions', ['One'])
  const section = (await ada(`POST ${path}/sections`, { spaceId: await newSpace('Two') })).body
  const condition = 'visitor.claims.isBetaUser == true'
  for (const one of [`sections/${section.id}`, `site-spaces/${section.siteSpaces[0].id}`]) {
    assert.equal((await ada(`PATCH ${path}/${one}`, { condition })).body.condition, condition)
    const wrong = await ada(`PATCH ${path}/${one}`, { condition: 'visitor.claims.' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.body.error.message, /column/)
    for (const never of ['visitor.claims?.plan', 'a=1', 'import("x")', 'new Date()', 'this']) {
      const refused = await ada(`PATCH ${path}/${one}`, { condition: never })
      assert.equal(refused.status, 400, never)
      assert.match(refused.body.error.message, /^body\.condition .* is not supported at column \d+$/)
    }
    const empty = await ada(`PATCH ${path}/${one}`, { condition: '' })
    assert.deepEqual([empty.status, empty.body.error.details[0].path], [400, 'body.condition'])
    assert.equal((await ada(`PATCH ${path}/${one}`, { condition: null })).body.condition, undefined)
  }
})

test('a deleted site is gone at once, its spaces remain, and deleting it again is 204', async () => {
  const { path, published, spaces } = await siteWith('Deleted', ['One'])
  await ada(`PATCH /v1/orgs/${organizationId}`, {
    defaultContent: { type: 'site', site: path.split('/').at(-1) },
  })
  assert.equal((await ada(`DELETE ${path}`)).status, 205)
  assert.equal((await ada(`DELETE ${path}`)).status, 204)
  assert.equal((await ada(`GET ${path}`)).status, 404)
  assert.equal((await fetch(addressOf(published))).status, 404)
  assert.equal((await ada(`GET /v1/spaces/${spaces[0]}`)).status, 200)
  assert.equal((await ada(`GET /v1/orgs/${organizationId}`)).body.defaultContent, undefined)
})

test('an old base name redirects until another site takes it', async () => {
  const { path, published } = await siteWith('Old name', ['One'])
  await ada(`PATCH ${path}`, { basename: 'new-name' })
  const response = await fetch(addressOf(`${published}a/b`), { redirect: 'manual' })
  assert.deepEqual(
    [response.status, response.headers.get('location')?.endsWith('/new-name/a/b')],
    [301, true],
  )
  await siteWith('Old name', ['One'])
  assert.equal((await fetch(addressOf(`${published}a/b`), { redirect: 'manual' })).status, 404)
})

test('the visibility of a space is that of the most open site that publishes it', async () => {
  const { path, spaces } = await siteWith('Visible', ['One'])
  const visibility = async () => (await ada(`GET /v1/spaces/${spaces[0]}`)).body.visibility
  assert.equal(await visibility(), 'public')
  for (const one of ['unlisted', 'share-link', 'visitor-auth']) {
    await ada(`PATCH ${path}`, { visibility: one })
    assert.equal(await visibility(), one)
  }
  const other = (await ada(`POST ${sites}`, { title: 'Open', spaces })).body
  await ada(`POST ${sites}/${other.id}/publish`)
  assert.equal(await visibility(), 'public')
  assert.match((await ada(`GET /v1/spaces/${spaces[0]}`)).body.urls.published, /\/open\/$/)
  await ada(`POST ${sites}/${other.id}/unpublish`)
  await ada(`POST ${path}/unpublish`)
  assert.equal(await visibility(), 'private')
})
