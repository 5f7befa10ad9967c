/** Spaces and organizations that are created from the URL of an OpenAPI specification. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { processOpenApi } from '../../src/jobs/process-openapi.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const guest = await world.person('guest', null)
const base = `/v1/orgs/${organizationId}/openapi`

const PETS = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: { '/pets': { get: { operationId: 'listPets', responses: {} } } },
  components: { schemas: { Pet: { type: 'object' } } },
}
const outside = createServer((_, response) => response.end(JSON.stringify(PETS)))
await new Promise<void>((done) => outside.listen(0, '127.0.0.1', done))
after(() => outside.close())
const openapiUrl = `http://127.0.0.1:${(outside.address() as AddressInfo).port}/made.json`
const process = (id: string) =>
  processOpenApi(world.app.services, 60_000)({ organizationId: id } as never, {} as never)

test('a space and an organization are created from the URL of a specification', async () => {
  const spaces = `/v1/orgs/${organizationId}/spaces`
  const pagesOf = async (id: string) => {
    const { body } = await ada(`GET /v1/spaces/${id}/content/pages`)
    return body.pages.map(({ title, type }: { title: string; type: string }) => `${type} ${title}`)
  }
  const made = []
  for (const body of [{ openapiUrl }, { openapiUrl, title: 'Our Pets!' }, { openapiUrl, title: 'Ünser' }]) {
    const answer = await ada(`POST ${spaces}`, body)
    assert.equal(answer.status, 201, answer.text)
    made.push(answer.body)
    assert.deepEqual(await pagesOf(answer.body.id), [`computed ${answer.body.title}`])
  }
  const again = (await ada(`POST ${spaces}`, { openapiUrl })).body
  assert.deepEqual(
    made.map(({ title }) => title),
    ['API reference', 'Our Pets!', 'Ünser'],
  )
  await process(organizationId)
  for (const { id } of [...made, again])
    assert.deepEqual(await pagesOf(id), ['document Operations', 'document Models'])
  for (const slug of ['api-reference', 'api-reference-1', 'our-pets', 'nser']) {
    const spec = await ada(`GET ${base}/${slug}`)
    assert.deepEqual([spec.status, spec.body.sourceURL], [200, openapiUrl], slug)
  }

  const sourceOf = (spec: string) => ({
    type: 'builtin:openapi',
    props: { models: false },
    dependencies: { spec: { ref: { kind: 'openapi', spec } } },
  })
  const shown = await ada(`POST ${spaces}`, { title: 'Shown', computedSource: sourceOf('our-pets') })
  assert.equal(shown.status, 201, shown.text)
  assert.deepEqual(await pagesOf(shown.body.id), ['document Operations'])
  for (const body of [
    { computedSource: sourceOf('nothing') },
    { computedSource: sourceOf('our-pets'), openapiUrl },
    { computedSource: { ...sourceOf('our-pets'), type: 'other' } },
  ])
    assert.equal((await ada(`POST ${spaces}`, body)).status, 400)

  const { body: collection } = await ada(`POST /v1/orgs/${organizationId}/collections`, { title: 'Theirs' })
  await ada(`POST /v1/collections/${collection.id}/permissions`, { users: [guest.id], role: 'create' })
  assert.equal((await guest(`POST ${spaces}`, { parent: collection.id })).status, 201)
  assert.equal((await guest(`POST ${spaces}`, { parent: collection.id, openapiUrl })).status, 403)
  const byGuest = { parent: collection.id, computedSource: sourceOf('our-pets') }
  assert.equal((await guest(`POST ${spaces}`, byGuest)).status, 403)
  for (const wrong of ['ftp://example.com', 'none', 7])
    assert.equal((await ada(`POST ${spaces}`, { openapiUrl: wrong })).status, 400)

  const query = `?withDefaultSite=true&openapiUrl=${encodeURIComponent(openapiUrl)}`
  const own = (await ada(`POST /v1/orgs${query}`, { title: 'Pets Ltd' })).body.id
  await process(own)
  const { items } = (await ada(`GET /v1/orgs/${own}/spaces`)).body
  assert.deepEqual(
    items.map(({ title }: { title: string }) => title),
    ['API reference'],
  )
  assert.deepEqual(await pagesOf(items[0].id), ['document Operations', 'document Models'])
  const { items: sites } = (await ada(`GET /v1/orgs/${own}/sites`)).body
  const { body: onSite } = await ada(`GET /v1/orgs/${own}/sites/${sites[0].id}/site-spaces`)
  assert.equal(onSite.items[0].space.id, items[0].id)
})
