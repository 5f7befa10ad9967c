import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, conforms } from '../client.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, db, organizationId } = world
const client = clientOf(world)
const sites = `/v1/orgs/${organizationId}/sites`
const SITE = '/orgs/{organizationId}/sites/{siteId}'

async function newSite(fields: object = {}) {
  const body = { title: 'Handbook', spaces: 'empty', visibility: 'share-link', ...fields }
  const site = (await ada(`POST ${sites}`, body)).body
  await ada(`POST ${sites}/${site.id}/publish`)
  return { id: site.id as string, at: `${sites}/${site.id}` }
}

const versionOf = async (id: string) =>
  (await db.read.selectFrom('site').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version

test('a share link is created, listed, renamed, revoked, regenerated and deleted', async () => {
  const { id, at } = await newSite()
  const { status, body: link, headers } = await ada(`POST ${at}/share-links`, { name: 'Partners' })
  assert.equal(status, 201)
  assert.equal(headers.get('location'), `${world.url}${at}/share-links/${link.id}`)
  const address = /^http:\/\/docs\.localhost:\d+\/handbook\/share_[0-9a-z]{26}\/$/
  assert.match(link.urls.published, address)
  assert.deepEqual([link.object, link.name, link.active], ['share-link', 'Partners', true])
  assert.deepEqual((await ada(`GET ${at}/share-links`)).body, { count: 1, items: [link] })

  const before = await versionOf(id)
  const renamed = (await ada(`PATCH ${at}/share-links/${link.id}`, { name: 'Customers' })).body
  assert.deepEqual(renamed, { ...link, name: 'Customers' })
  assert.equal(await versionOf(id), before + 1)

  const inactive = (await ada(`PATCH ${at}/share-links/${link.id}`, { active: false })).body
  assert.deepEqual([inactive.active, inactive.urls], [false, {}])
  await ada(`PATCH ${at}/share-links/${link.id}`, { active: true })

  const other = (await ada(`POST ${at}/share-links/${link.id}/regenerate`)).body
  assert.match(other.urls.published, address)
  assert.notEqual(other.urls.published, link.urls.published)
  assert.equal((await ada(`GET ${at}/share-links`)).body.items[0].urls.published, other.urls.published)

  assert.equal((await ada(`DELETE ${at}/share-links/${link.id}`)).status, 205)
  assert.equal((await ada(`DELETE ${at}/share-links/${link.id}`)).status, 204)
  assert.equal((await ada(`PATCH ${at}/share-links/${link.id}`, { active: true })).status, 404)
  assert.equal((await ada(`POST ${at}/share-links/${link.id}/regenerate`)).status, 404)
})

test('no address of a share link leads nowhere, and only those who manage the site see one', async () => {
  const { at } = await newSite()
  await ada(`POST ${at}/share-links`, { name: '' })
  const addressFor = async (person = ada) =>
    (await person(`GET ${at}/share-links`)).body.items[0].urls.published as string | undefined
  assert(await addressFor())
  assert.equal(await addressFor(await world.person('reader', 'read')), undefined)
  assert.equal(await addressFor(await world.person('reviewer', 'review')), undefined)
  assert(await addressFor(await world.person('creator', 'create')))

  await ada(`PATCH ${at}`, { visibility: 'unlisted' })
  assert.equal(await addressFor(), undefined)
  await ada(`PATCH ${at}`, { visibility: 'share-link' })
  await ada(`POST ${at}/unpublish`)
  assert.equal(await addressFor(), undefined)
})

test('a share link of another site is not found', async () => {
  const [one, other] = [await newSite(), await newSite()]
  const link = (await ada(`POST ${one.at}/share-links`, { name: 'x' })).body
  assert.equal((await ada(`PATCH ${other.at}/share-links/${link.id}`, { active: false })).status, 404)
  assert.equal((await ada(`POST ${other.at}/share-links/${link.id}/regenerate`)).status, 404)
  assert.equal((await ada(`DELETE ${other.at}/share-links/${link.id}`)).status, 204)
})

test('neither the database nor the audit log has a key', async () => {
  const { at } = await newSite()
  const link = (await ada(`POST ${at}/share-links`, { name: 'Partners' })).body
  const key = /share_\w+/.exec(link.urls.published)![0]
  const { privateKey } = (await ada(`POST ${at}/publishing/auth/regenerate`)).body
  for (const table of ['siteShareLink', 'sitePublishingAuth', 'auditEvent'] as const) {
    const rows = JSON.stringify(await db.read.selectFrom(table).selectAll().execute())
    assert(!rows.includes(key) && !rows.includes(privateKey), table)
  }
})

test('the private key of a site stays the same until it is regenerated', async () => {
  const { id, at } = await newSite({ visibility: 'visitor-auth' })
  const first = (await ada(`GET ${at}/publishing/auth`)).body
  assert.match(first.privateKey, /^[\w-]{43}$/)
  assert.deepEqual(first, { object: 'publishing-auth', backend: 'custom', privateKey: first.privateKey })
  assert.equal((await ada(`GET ${at}/publishing/auth`)).body.privateKey, first.privateKey)
  assert.notEqual(
    (await ada(`GET ${(await newSite()).at}/publishing/auth`)).body.privateKey,
    first.privateKey,
  )

  const fallbackURL = 'https://app.example.com/login?for=docs'
  const changed = (await ada(`PATCH ${at}/publishing/auth`, { backend: 'custom', fallbackURL })).body
  assert.deepEqual(changed, { ...first, fallbackURL })

  const before = await versionOf(id)
  const regenerated = (await ada(`POST ${at}/publishing/auth/regenerate`)).body
  assert.notEqual(regenerated.privateKey, first.privateKey)
  assert.deepEqual(regenerated, { ...changed, privateKey: regenerated.privateKey })
  assert.equal(await versionOf(id), before + 1)
  assert.deepEqual((await ada(`GET ${at}/publishing/auth`)).body, regenerated)

  const kept = (await ada(`PATCH ${at}/publishing/auth`, { backend: 'custom' })).body
  assert.equal(kept.fallbackURL, fallbackURL)
  const removed = (await ada(`PATCH ${at}/publishing/auth`, { backend: 'custom', fallbackURL: null })).body
  assert.equal(removed.fallbackURL, undefined)
  assert.equal(removed.privateKey, regenerated.privateKey)
})

test('the settings of visitor sign-in are checked, and their key is for those who manage the site', async () => {
  const { at } = await newSite()
  const refused: [object, RegExp][] = [
    [{}, /body\.backend is required/],
    [{ backend: 'integration', integration: 'auth0' }, /body\.backend must be "custom"/],
    [{ backend: 'custom', fallbackURL: 'javascript:alert(1)' }, /body\.fallbackURL must begin with "https/],
    [{ backend: 'custom', fallbackURL: 'https://a.example/?location=x' }, /parameter "location"/],
  ]
  for (const [body, message] of refused) {
    const answer = await ada(`PATCH ${at}/publishing/auth`, body)
    assert.equal(answer.status, 400)
    assert.match(answer.body.error.message, message)
  }
  const reader = await world.person('auth-reader', 'edit')
  assert.equal((await reader(`GET ${at}/publishing/auth`)).status, 403)
})

test('a schema of claims lists a bounded number of values, which are conditions to start from', async () => {
  const { at } = await newSite()
  const put = (claims: number, values: number) => {
    const list = Array.from({ length: values }, (_, i) => `v${i}`)
    const claim = { type: 'string', description: 'A claim', enum: list }
    const properties = Object.fromEntries(Array.from({ length: claims }, (_, i) => [`c${i}`, claim]))
    const jsonSchema = { type: 'object', properties, additionalProperties: false }
    return ada(`PUT ${at}/adaptive-schema`, { jsonSchema })
  }
  const refused = await put(11, 100)
  assert.equal(refused.status, 400)
  assert.match(refused.body.error.message, /at most 1000 values in all, but lists 1100/)
  assert.equal((await put(10, 100)).status, 200)
  const { items } = (await ada(`GET ${at}/adaptive-schema/template-conditions`)).body
  assert.equal(items.length, 1000)
})

test('a site without a schema of claims can be asked for an empty one', async () => {
  const { at } = await newSite()
  const schema = `${at}/adaptive-schema`
  assert.equal((await ada(`GET ${schema}?orEmpty=false`)).status, 404)
  const { status, body } = await ada(`GET ${schema}?orEmpty=true`)
  assert.equal(status, 200)
  assert.equal(body.object, 'site-adaptive-schema')
  const empty = { type: 'object', properties: {}, additionalProperties: false }
  assert.deepEqual(body.jsonSchema, empty)
  assert.equal(body.updatedAt, (await ada(`GET ${at}`)).body.createdAt)
  assert.equal((await ada(`GET ${schema}`)).status, 404, 'reading it stores nothing')

  // It can be sent back, and from then on the site has a schema.
  const beta = { beta: { type: 'boolean', description: 'Uses the beta version' } }
  assert.equal((await ada(`PUT ${schema}`, { jsonSchema: empty })).status, 200)
  assert.equal((await ada(`GET ${schema}`)).status, 200)
  assert.equal((await ada(`PUT ${schema}`, { jsonSchema: { ...empty, properties: beta } })).status, 200)
  assert.deepEqual((await ada(`GET ${schema}?orEmpty=true`)).body.jsonSchema.properties, beta)
})

test('a schema of claims is stored, and each error in one names its position', async () => {
  const { id, at } = await newSite()
  assert.equal((await ada(`GET ${at}/adaptive-schema`)).status, 404)
  assert.deepEqual((await ada(`GET ${at}/adaptive-schema/template-conditions`)).body, { items: [] })
  const closed = { additionalProperties: false }
  const jsonSchema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      beta: { type: 'boolean', description: 'Uses the beta version' },
      plan: { type: 'string', enum: ['free', 'pro'], description: 'The plan' },
      name: { type: 'string', description: 'The name' },
      seats: { type: 'number', description: 'How many' },
      'feature-flags': {
        type: 'array',
        description: 'Flags',
        items: { type: 'string', enum: ['a"b'], description: 'A flag' },
      },
      unsigned: {
        type: 'object',
        description: 'Unsigned claims of the site visitor.',
        properties: { dark: { type: 'boolean', description: 'Prefers dark' } },
        ...closed,
      },
    },
    ...closed,
  }
  const before = await versionOf(id)
  const stored = await ada(`PUT ${at}/adaptive-schema`, { jsonSchema })
  assert.equal(stored.status, 200, stored.text)
  assert.deepEqual(stored.body.jsonSchema, jsonSchema)
  assert.deepEqual((await ada(`GET ${at}/adaptive-schema`)).body, stored.body)
  assert.equal(await versionOf(id), before + 1)
  const { items } = (await ada(`GET ${at}/adaptive-schema/template-conditions`)).body
  assert.deepEqual(
    items.map(({ condition }: { condition: string }) => condition),
    [
      'visitor.claims.beta == true',
      'visitor.claims.beta == false',
      'visitor.claims.plan == "free"',
      'visitor.claims.plan == "pro"',
      'visitor.claims["feature-flags"].includes("a\\"b")',
      'visitor.claims.unsigned.dark == true',
      'visitor.claims.unsigned.dark == false',
    ],
  )

  const withClaim = (claim: unknown) => ({ type: 'object', properties: { plan: claim }, ...closed })
  const deep = (levels: number): object =>
    levels === 0
      ? { type: 'boolean', description: '' }
      : { type: 'object', description: '', properties: { a: deep(levels - 1) }, ...closed }
  const many = Object.fromEntries(
    Array.from({ length: 201 }, (_, i) => [`a${i}`, { type: 'boolean', description: '' }]),
  )
  const refused: [unknown, string][] = [
    [[], 'body.jsonSchema'],
    [{ type: 'array', properties: {}, ...closed }, 'body.jsonSchema.type'],
    [{ type: 'object', properties: {} }, 'body.jsonSchema.additionalProperties'],
    [{ type: 'object', properties: [], ...closed }, 'body.jsonSchema.properties'],
    [{ ...withClaim({ type: 'boolean', description: '' }), allOf: [] }, 'body.jsonSchema.allOf'],
    [{ ...withClaim({ type: 'boolean', description: '' }), $schema: 'x' }, 'body.jsonSchema.$schema'],
    [withClaim(true), 'body.jsonSchema.properties.plan'],
    [withClaim({ type: 'boolean' }), 'body.jsonSchema.properties.plan.description'],
    [withClaim({ type: 'null', description: '' }), 'body.jsonSchema.properties.plan.type'],
    [
      withClaim({ type: 'string', description: '', enum: ['a', 1] }),
      'body.jsonSchema.properties.plan.enum.1',
    ],
    [withClaim({ type: 'string', description: '', enum: [] }), 'body.jsonSchema.properties.plan.enum'],
    [withClaim({ type: 'number', description: '', enum: ['a'] }), 'body.jsonSchema.properties.plan.enum'],
    [withClaim({ type: 'array', description: '' }), 'body.jsonSchema.properties.plan.items'],
    [
      withClaim(deep(4)),
      'body.jsonSchema.properties.plan.properties.a.properties.a.properties.a.properties.a',
    ],
    [
      { type: 'object', properties: { unsigned: { type: 'boolean', description: '' } }, ...closed },
      'body.jsonSchema.properties.unsigned.type',
    ],
    [
      {
        type: 'object',
        properties: { unsigned: { type: 'object', description: 'Mine', properties: {}, ...closed } },
        ...closed,
      },
      'body.jsonSchema.properties.unsigned.description',
    ],
    [
      { type: 'object', properties: { constructor: { type: 'boolean', description: '' } }, ...closed },
      'body.jsonSchema.properties.constructor',
    ],
    [{ type: 'object', properties: many, ...closed }, 'body.jsonSchema'],
  ]
  for (const [schema, path] of refused) {
    const { status, body } = await ada(`PUT ${at}/adaptive-schema`, { jsonSchema: schema })
    assert.equal(status, 400, path)
    assert.equal(body.error.details[0].path, path, JSON.stringify(body))
  }
  assert.deepEqual((await ada(`GET ${at}/adaptive-schema`)).body, stored.body)
})

test('the object of unsigned claims always has its description, whether or not it was sent or stored', async () => {
  const { id, at } = await newSite()
  const description = 'Unsigned claims of the site visitor.'
  const withUnsigned = (fields: object) => ({
    type: 'object',
    properties: { unsigned: { type: 'object', ...fields, properties: {}, additionalProperties: false } },
    additionalProperties: false,
  })
  for (const sent of [{}, { description }]) {
    const put = await ada(`PUT ${at}/adaptive-schema`, { jsonSchema: withUnsigned(sent) })
    assert.equal(put.status, 200, put.text)
    assert.deepEqual(put.body.jsonSchema, withUnsigned({ description }))
    assert.deepEqual((await ada(`GET ${at}/adaptive-schema`)).body.jsonSchema, withUnsigned({ description }))
  }
  for (const wrong of ['Mine', '', null, 1]) {
    const { status, body } = await ada(`PUT ${at}/adaptive-schema`, {
      jsonSchema: withUnsigned({ description: wrong }),
    })
    assert.equal(status, 400)
    assert.equal(body.error.details[0].path, 'body.jsonSchema.properties.unsigned.description')
  }
  // An earlier version stored other descriptions.
  const jsonSchema = JSON.stringify(withUnsigned({ description: 'Mine' }))
  await world.db.write((tx) =>
    tx.updateTable('siteAdaptiveSchema').set({ jsonSchema }).where('siteId', '=', id).execute(),
  )
  assert.deepEqual((await ada(`GET ${at}/adaptive-schema`)).body.jsonSchema, withUnsigned({ description }))
})

test('a preview is for those who manage the site, and refuses claims that cannot be read', async () => {
  const { at } = await newSite()
  const { body } = await ada(`GET ${at}/publishing/preview?claims=${encodeURIComponent('(plan:pro)')}`)
  assert.match(body.url, /^http:\/\/docs\.localhost:\d+\/handbook[\w-]*\/\?preview=[\w-]{60,}$/)
  const reader = await world.person('preview-reader', 'review')
  assert.equal((await reader(`GET ${at}/publishing/preview`)).status, 403)
  assert.equal((await ada(`GET ${at}/publishing/preview?siteSpace=nothing`)).status, 404)
  for (const claims of ['(plan', '!(1)', 'pro'])
    assert.equal((await ada(`GET ${at}/publishing/preview?claims=${encodeURIComponent(claims)}`)).status, 400)
})

test('the client manages the readers of a site', async () => {
  const { id } = await newSite()
  const { data: link } = await client.orgs.createSiteShareLink(organizationId, id, { name: 'Partners' })
  conforms('POST', `${SITE}/share-links`, 201, link)
  const { data: links } = await client.orgs.listSiteShareLinks(organizationId, id)
  conforms('GET', `${SITE}/share-links`, 200, links)
  const { data: off } = await client.orgs.updateSiteShareLinkById(organizationId, id, link.id, {
    active: false,
  })
  conforms('PATCH', `${SITE}/share-links/{shareLinkId}`, 200, off)
  assert.equal((await client.orgs.deleteSiteShareLinkById(organizationId, id, link.id)).status, 205)

  const { data: auth } = await client.orgs.updateSitePublishingAuthById(organizationId, id, {
    backend: 'custom',
    fallbackURL: 'https://app.example.com/login',
  })
  conforms('PATCH', `${SITE}/publishing/auth`, 200, auth)
  const { data: read } = await client.orgs.getSitePublishingAuthById(organizationId, id)
  conforms('GET', `${SITE}/publishing/auth`, 200, read)
  const { data: fresh } = await client.orgs.regenerateSitePublishingAuthById(organizationId, id)
  conforms('POST', `${SITE}/publishing/auth/regenerate`, 200, fresh)
  const { data: preview } = await client.orgs.getSitePublishingPreviewById(organizationId, id, {})
  conforms('GET', `${SITE}/publishing/preview`, 200, preview)

  const { data: schema } = await client.orgs.updateSiteAdaptiveSchema(organizationId, id, {
    jsonSchema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { beta: { type: 'boolean', description: 'Uses the beta version' } },
      additionalProperties: false,
    },
  })
  conforms('PUT', `${SITE}/adaptive-schema`, 200, schema)
  const { data: again } = await client.orgs.getSiteAdaptiveSchema(organizationId, id)
  conforms('GET', `${SITE}/adaptive-schema`, 200, again)
  const { data: templates } = await client.orgs.listSiteAdaptiveTemplateConditions(organizationId, id)
  conforms('GET', `${SITE}/adaptive-schema/template-conditions`, 200, templates)
})
