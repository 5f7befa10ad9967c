/** Duplicating a space of a site: where the copy stands, and that no reader sees more of it than of the original. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const sites = `/v1/orgs/${organizationId}/sites`

const spaceOf = async (title: string) =>
  (await spaceWith(world, archiveOf({ 'README.md': `# ${title}\n\nText.\n` }), title)).spaceId

interface Item {
  object: string
  id: string
  title: string
  draft: boolean
  condition?: string
  siteSpaces?: Item[]
  children?: Item[]
}

/** A published site with sections: two variants in the first, one space in "API", and one in a group. */
async function siteWithSections(name: string) {
  const spaces = [await spaceOf('One'), await spaceOf('Two')]
  const { id } = (await ada(`POST ${sites}`, { title: name, spaces })).body
  const at = `${sites}/${id}`
  const section = async (title: string, fields = {}) =>
    (await ada(`POST ${at}/sections`, { spaceId: await spaceOf(title), title, ...fields })).body
  const api = await section('API', { icon: 'code', description: 'All calls' })
  const cli = await section('CLI')
  const last = await section('Last')
  const group = (await ada(`POST ${at}/section-groups`, { title: 'Group', sections: [cli.id, last.id] })).body
  const { published } = (await ada(`POST ${at}/publish`)).body.urls as { published: string }
  return { at, api, cli, group, base: `${world.url}/sites/docs${new URL(published).pathname}` }
}

/** The titles of the sections, each with the titles of its spaces. */
async function outline(at: string) {
  const titles = (items: Item[]): unknown[] =>
    items.map(({ title, siteSpaces, children }) => [
      title,
      children ? titles(children) : siteSpaces?.map((one) => one.title),
    ])
  return titles((await ada(`GET ${at}/structure`)).body.structure)
}

const duplicate = (at: string, id: string, body: object = {}) =>
  ada(`POST ${at}/site-spaces/${id}/duplicate`, body)

test('the copy of one of several spaces is a variant behind it', async () => {
  const flat = (
    await ada(`POST ${sites}`, { title: 'Flat', spaces: [await spaceOf('A'), await spaceOf('B')] })
  ).body
  const at = `${sites}/${flat.id}`
  const [a] = (await ada(`GET ${at}/site-spaces`)).body.items
  const made = await duplicate(at, a.id)
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(
    [made.body.object, made.body.title, made.body.default, made.body.draft, made.body.path],
    ['site-space', 'Copy of A', false, false, 'copy-of-a'],
  )
  assert(made.headers.get('location')?.endsWith(`/site-spaces/${made.body.id}`))
  assert.notEqual(made.body.space.id, a.space.id)
  const pages = (await ada(`GET /v1/spaces/${made.body.space.id}/content/pages`)).body.pages
  assert.deepEqual(
    pages.map(({ title }: Item) => title),
    ['A'],
  )
  const { items } = (await ada(`GET ${at}/site-spaces`)).body
  assert.deepEqual(
    items.map(({ title }: Item) => title),
    ['A', 'Copy of A', 'B'],
  )

  const { at: nested } = await siteWithSections('Nested')
  const [first] = (await ada(`GET ${nested}/site-spaces`)).body.items
  assert.equal((await duplicate(nested, first.id)).body.section, first.section)
  assert.deepEqual((await outline(nested))[0], ['Nested', ['One', 'Copy of One', 'Two']])
})

test('the copy of the only space of a section is in a section behind it, in the same group', async () => {
  const { at, api, cli } = await siteWithSections('Sections')
  const made = await duplicate(at, api.siteSpaces[0].id)
  assert.deepEqual([made.status, made.body.default], [201, true], made.text)
  await duplicate(at, cli.siteSpaces[0].id)
  assert.deepEqual(await outline(at), [
    ['Sections', ['One', 'Two']],
    ['API', ['API']],
    ['Copy of API', ['Copy of API']],
    [
      'Group',
      [
        ['CLI', ['CLI']],
        ['Copy of CLI', ['Copy of CLI']],
        ['Last', ['Last']],
      ],
    ],
  ])
  const { icon, description, path } = (await ada(`GET ${at}/sections/${made.body.section}`)).body
  assert.deepEqual([icon, description, path], ['code', 'All calls', 'copy-of-api'])
})

test('readers see no more of a copy than of its original', async () => {
  const { at, api, cli, base } = await siteWithSections('Hidden')
  const statusOf = async (path: string) => (await fetch(base + path, { redirect: 'manual' })).status
  const shown = (await duplicate(at, cli.siteSpaces[0].id)).body
  assert.deepEqual([shown.draft, await statusOf('copy-of-cli/')], [false, 200])
  const drafted = (await duplicate(at, cli.siteSpaces[0].id, { draft: true })).body
  const section = (await ada(`GET ${at}/sections/${drafted.section}`)).body
  assert.deepEqual([drafted.draft, section.draft, section.path], [true, true, 'copy-of-cli-1'])
  assert.equal(await statusOf('copy-of-cli-1/'), 404)

  const [space] = api.siteSpaces
  const never = 'visitor.claims.plan == "none"'
  const parts = [`${at}/site-spaces/${space.id}`, `${at}/sections/${api.id}`]
  for (const part of parts)
    for (const hides of [{ condition: never }, { draft: true }]) {
      assert.equal((await ada(`PATCH ${part}`, hides)).status, 200)
      const copy = (await duplicate(at, space.id)).body
      const { path, ...its } = (await ada(`GET ${at}/sections/${copy.section}`)).body
      const [of, kept] = part.includes('/sections/') ? [its, its] : [copy, copy]
      assert.deepEqual([of.condition, kept.draft], [hides.condition, hides.draft ?? false])
      assert.equal(await statusOf(`${path}/`), 404)
      assert.equal((await ada(`PATCH ${part}`, { condition: null, draft: false })).status, 200)
    }
})

test('the copy has the look that the original overrides', async () => {
  const { at, cli } = await siteWithSections('Look')
  const [space] = cli.siteSpaces
  const look = { styling: { primaryColor: { light: '#7c3aed', dark: '#a78bfa' } } }
  assert.equal((await ada(`PATCH ${at}/site-spaces/${space.id}/customization`, look)).status, 200)
  const { id } = (await duplicate(at, space.id)).body
  const { styling } = (await ada(`GET ${at}/site-spaces/${id}/customization`)).body
  assert.deepEqual(styling.primaryColor, look.styling.primaryColor)
})

test('a copy that cannot be made changes nothing', async () => {
  const { at, cli } = await siteWithSections('Refused')
  const [{ id, space }] = cli.siteSpaces
  const before = await outline(at)
  const missing = await duplicate(at, 'no-such-space')
  assert.equal(missing.status, 404)
  const wrong = await duplicate(at, id, { draft: 'yes' })
  assert.deepEqual([wrong.status, /draft/.test(wrong.text)], [400, true])
  await ada(`DELETE /v1/spaces/${space.id}`)
  assert.equal((await duplicate(at, id)).status, 404)
  await ada(`POST /v1/spaces/${space.id}/restore`)
  assert.deepEqual(await outline(at), before)
})
