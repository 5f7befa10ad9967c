/** Templates of pages: those of Lectern, and those that an organization keeps. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { PAGE_TEMPLATE_IDS } from '../../src/model/content/page-template.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada } = world
const org = `/v1/orgs/${world.organizationId}`
const path = `${org}/page-templates`
const { hostname } = (await ada(`GET ${org}`)).body

const keep = async (fields: object) => {
  const made = await ada(`POST ${path}`, fields)
  assert.equal(made.status, 201, made.text)
  return made.body
}

test('every file is a template, and the list has them page by page, without their texts', async () => {
  const files = readdirSync(new URL('../../src/model/content/page-templates/', import.meta.url))
  assert.deepEqual(files.map((one) => one.replace(/\.md$/, '')).toSorted(), PAGE_TEMPLATE_IDS)
  const own = await keep({ title: 'Interview', markdown: '## Questions\n' })
  const all = (await ada(`GET ${path}`)).body
  assert.equal(all.count, PAGE_TEMPLATE_IDS.length + 1)
  assert.deepEqual(
    all.items.map(({ id }: { id: string }) => id),
    [own.id, ...PAGE_TEMPLATE_IDS],
  )
  for (const one of all.items) assert.equal(one.markdown, undefined)
  const first = (await ada(`GET ${path}?limit=3`)).body
  const next = (await ada(`GET ${path}?limit=100&page=${encodeURIComponent(first.next.page)}`)).body
  assert.deepEqual([...first.items, ...next.items], all.items)
  assert.equal((await ada(`DELETE ${path}/${own.id}`)).status, 204)
})

test('a page that begins with a template of Lectern shows its blocks to readers', async () => {
  const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Home\n' }), 'From templates')
  await ada(`PATCH /v1/spaces/${spaceId}`, { editMode: 'live' })
  for (const id of PAGE_TEMPLATE_IDS) {
    const { title, markdown, emoji, builtIn } = (await ada(`GET ${path}/${id}`)).body
    assert.equal(builtIn, true)
    assert.doesNotMatch(markdown, /^# /m, 'the title is not in the text')
    const changes = [{ operation: 'insert_page', title, emoji, slug: id, document: { markdown } }]
    const added = await ada(`POST /v1/spaces/${spaceId}/content?compat=false`, { changes })
    assert.equal(added.status, 200, added.text)
  }
  const { address } = await publish(world, spaceId, 'From templates')
  for (const id of PAGE_TEMPLATE_IDS) {
    const read = await world.nobody(`GET /sites/${hostname}${new URL(address).pathname}${id}`)
    assert.equal(read.status, 200, id)
    assert.doesNotMatch(read.text, /\{%/, id)
  }
  const links = (await ada(`GET /v1/spaces/${spaceId}/links?status=broken`)).body
  assert.deepEqual(links.items, [], JSON.stringify(links))
})

test('a page is kept as a template, renamed and deleted by members who can create, and read by the others', async () => {
  const writer = await world.person('writer', 'create')
  const reader = await world.person('reader', 'read')
  const fields = { title: 'Interview', description: 'For users', emoji: '1f399', markdown: '## Questions\n' }
  const made = await writer(`POST ${path}`, fields)
  assert.equal(made.status, 201, made.text)
  const at = `${path}/${made.body.id}`
  const read = (await reader(`GET ${at}`)).body
  for (const [name, value] of Object.entries(fields)) assert.equal(read[name], value, name)
  assert.equal(read.builtIn, false)
  for (const request of [`POST ${path}`, `PATCH ${at}`] as const)
    assert.equal((await reader(request, fields)).status, 403)
  assert.equal((await reader(`DELETE ${at}`)).status, 403)

  const renamed = await writer(`PATCH ${at}`, { title: 'User interview' })
  assert.deepEqual([renamed.body.title, renamed.body.markdown], ['User interview', fields.markdown])
  assert.equal((await writer(`PATCH ${at}`, {})).status, 400)
  assert.equal((await writer(`DELETE ${at}`)).status, 204)
  assert.equal((await reader(`GET ${at}`)).status, 404)
})

test('templates of Lectern and of other organizations cannot be changed, and texts and numbers are bounded', async () => {
  for (const refused of [
    await ada(`PATCH ${path}/how-to`, { title: 'Mine' }),
    await ada(`DELETE ${path}/how-to`),
  ]) {
    assert.equal(refused.status, 409)
    assert.match(refused.text, /how-to is one of Lectern/)
  }
  const other = (await ada('POST /v1/orgs', { title: 'Other' })).body
  const theirs = await ada(`POST /v1/orgs/${other.id}/page-templates`, { title: 'Theirs', markdown: 'x' })
  assert.equal(theirs.status, 201, theirs.text)
  assert.equal((await ada(`GET ${path}/${theirs.body.id}`)).status, 404)
  await ada(`DELETE ${path}/${theirs.body.id}`)
  assert.equal((await ada(`GET /v1/orgs/${other.id}/page-templates/${theirs.body.id}`)).status, 200)
  assert.equal((await ada(`PATCH ${path}/${theirs.body.id}`, { title: 'Mine' })).status, 404)

  const longest = 'é'.repeat(100_000)
  const long = await keep({ title: 'Long', markdown: longest })
  assert.equal((await ada(`GET ${path}/${long.id}`)).body.markdown, longest)
  const tooLong = await ada(`POST ${path}`, { title: 'Longer', markdown: `${longest}x` })
  assert.equal(tooLong.status, 400)
  assert.match(tooLong.text, /body\.markdown/)
  assert.equal((await ada(`POST ${path}`, { title: ' ', markdown: 'x' })).status, 400)

  for (let more = (await ada(`GET ${path}`)).body.count - PAGE_TEMPLATE_IDS.length; more < 200; more++)
    await keep({ title: `Template ${more}`, markdown: '' })
  const full = await ada(`POST ${path}`, { title: 'One more', markdown: '' })
  assert.equal(full.status, 409)
  assert.match(full.text, /at most 200 are allowed, so delete some first/)
})
