/** OpenAPI specifications: the operations, the job that processes them, and their versions. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { processOpenApi, refreshOpenApi } from '../../src/jobs/process-openapi.ts'
import { removeBlob } from '../../src/jobs/remove-blob.ts'
import { clientOf, judged } from '../client.ts'
import { createWorld, type Person } from '../world.ts'
import { onlyLong } from '../effort.ts'

const world = await createWorld()
const { ada, db, organizationId } = world
const { services } = world.app
const reader = await world.person('reader', 'read')
const guest = await world.person('guest', null)
const base = `/v1/orgs/${organizationId}/openapi`

async function process() {
  await processOpenApi(services, 60_000)({ organizationId } as never, {} as never)
  await db.write((tx) => tx.deleteFrom('job').where('kind', '=', 'process-openapi').execute())
}
const pets = (more: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: { '/pets': { get: { operationId: 'listPets', responses: { 200: { description: 'Pets' } } } } },
  ...more,
})

/** Sets a source and processes it. @returns the specification afterwards */
async function put(slug: string, source: object, by: Person = ada) {
  const answer = await by(`PUT ${base}/${slug}`, { source })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.processingState, 'pending')
  await process()
  return (await by(`GET ${base}/${slug}`)).body
}
const text = (document: unknown) => ({ text: JSON.stringify(document) })
const versionsOf = async (slug: string) => (await ada(`GET ${base}/${slug}/versions`)).body.items

/** A server of sources, whose responses each test sets. */
let respond: (
  path: string,
  etag: string | undefined,
) => { status?: number; body?: string; etag?: string; to?: string }
const requested: string[] = []
const outside = createServer((request, response) => {
  requested.push(request.url ?? '')
  const { status = 200, body = '', etag, to } = respond(request.url ?? '', request.headers['if-none-match'])
  response.writeHead(status, { ...(etag ? { etag } : {}), ...(to ? { location: to } : {}) }).end(body)
})
await new Promise<void>((done) => outside.listen(0, '127.0.0.1', done))
after(() => outside.close())
const origin = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`

test('each turn processes a specification, however short it is', async () => {
  for (const slug of ['turn-one', 'turn-two'])
    await ada(`PUT ${base}/${slug}`, { source: { text: JSON.stringify(pets()) } })
  assert.equal(await processOpenApi(services, 0)({ organizationId } as never, {} as never), undefined)
  for (const slug of ['turn-one', 'turn-two']) {
    assert.equal((await ada(`GET ${base}/${slug}`)).body.processingState, 'complete')
    await ada(`DELETE ${base}/${slug}`)
  }
})

test('a specification is created, processed, read, published and deleted', async () => {
  const made = await ada(`POST ${base}`, { slug: 'pets', source: text(pets()) })
  assert.equal(made.status, 201, made.text)
  const { id, createdAt } = made.body
  const location = `${world.url}${base}/pets`
  assert.deepEqual(made.body, {
    object: 'openapi-spec',
    id,
    slug: 'pets',
    visibility: 'private',
    requestProxy: false,
    processingState: 'pending',
    lastProcessedErrorCount: 0,
    createdAt,
    updatedAt: createdAt,
    permissions: { view: true, edit: true },
    urls: { location, app: `${world.url}/app/o/${organizationId}/openapi/pets` },
  })
  assert.equal(made.headers.get('location'), location)
  assert.equal((await ada(`GET ${base}/pets/versions/latest`)).status, 404)
  assert.equal((await ada(`POST ${base}`, { slug: 'pets', source: text(pets()) })).status, 409)

  await process()
  const done = (await ada(`GET ${base}/pets`)).body
  assert.deepEqual([done.processingState, done.lastProcessErrorCode], ['complete', undefined])
  const version = (await ada(`GET ${base}/pets/versions/latest`)).body
  assert.equal(done.lastVersion, version.id)
  assert.deepEqual((await ada(`GET ${base}/pets/versions/${version.id}`)).body, version)
  assert.deepEqual((await ada(`GET ${base}/pets/versions`)).body, { count: 1, items: [version] })

  const content = await ada(`GET ${base}/pets/versions/latest/content`)
  assert.deepEqual(content.body, {
    filesystem: [
      { dir: '.', isEntrypoint: true, references: [], filename: 'openapi.json', specification: pets() },
    ],
    url: version.url,
    urls: { source: version.url, public: null },
  })
  const fixed = await ada(`GET ${base}/pets/versions/${version.id}/content`)
  assert.equal(fixed.text, content.text)
  const etag = content.headers.get('etag') ?? ''
  const again = await ada(`GET ${base}/pets/versions/latest/content`, undefined, { 'if-none-match': etag })
  assert.equal(again.status, 304)

  const raw = await ada(`GET ${base}/pets/versions/latest/content/raw`)
  assert.deepEqual(raw.body, { format: 'json', text: JSON.stringify(pets()) })
  assert.equal((await ada(`GET ${base}/pets/versions/${version.id}/content/raw`)).text, raw.text)

  // The signed address needs no token; the public one exists only for a public specification.
  assert.deepEqual((await world.nobody(`GET ${version.url}`)).body, pets())
  const unsigned = `${location}/versions/${version.id}/openapi.json`
  const latest = `${location}/versions/latest/openapi.json`
  for (const url of [unsigned, latest, `${unsigned}?signature=wrong`])
    assert.equal((await world.nobody(`GET ${url}`)).status, 404, url)
  const published = await ada(`PATCH ${base}/pets`, { visibility: 'public' })
  assert.equal(published.body.urls.published, latest)
  for (const url of [unsigned, latest]) assert.deepEqual((await world.nobody(`GET ${url}`)).body, pets())
  assert.equal((await ada(`GET ${base}/pets/versions/latest/content`)).body.urls.public, latest)
  await ada(`PATCH ${base}/pets`, { visibility: 'private' })
  assert.equal((await world.nobody(`GET ${latest}`)).status, 404)

  assert.equal((await ada(`DELETE ${base}/pets`)).status, 205)
  assert.equal((await ada(`DELETE ${base}/pets`)).status, 204)
  for (const path of ['', '/versions', '/versions/latest', `/versions/${version.id}`])
    assert.equal((await ada(`GET ${base}/pets${path}`)).status, 404)
  assert.equal((await world.nobody(`GET ${version.url}`)).status, 404)
})

test('blobs of a deleted specification are removed, and those of others stay', async () => {
  await put('kept', text(pets({ 'x-one': 1 })))
  await put('gone', text(pets({ 'x-one': 1 })))
  const rows = await db.read.selectFrom('openapiVersion').select('blob').distinct().execute()
  assert.equal(rows.length, 1, 'equal bundles are one blob')
  const { blob } = rows[0]!
  const later = new Date(Date.now() + 2 * 3_600_000)
  const remove = () => removeBlob({ ...services, now: () => later })({ hash: blob } as never, {} as never)
  await ada(`DELETE ${base}/gone`)
  await remove()
  assert.equal(await services.blobs.has(blob), true)
  await ada(`DELETE ${base}/kept`)
  await remove()
  assert.equal(await services.blobs.has(blob), false)
})

test('members read, members with "create" change, guests see nothing, and only they see where the source is', async () => {
  respond = () => ({ body: JSON.stringify(pets()) })
  await put('access', { url: `${origin}/a?key=secret` })
  assert.equal((await ada(`GET ${base}/access`)).body.sourceURL, `${origin}/a?key=secret`)
  const seen = (await reader(`GET ${base}/access`)).body
  assert.deepEqual([seen.permissions, seen.sourceURL], [{ view: true, edit: false }, undefined])
  assert.equal((await reader(`GET ${base}/access/versions/latest/content`)).status, 200)
  for (const [request, body] of [
    [`POST ${base}`, { slug: 'x', source: text(pets()) }],
    [`PUT ${base}/access`, { source: text(pets()) }],
    [`PATCH ${base}/access`, { visibility: 'public' }],
    [`DELETE ${base}/access`, undefined],
  ] as const)
    assert.equal((await reader(request, body)).status, 403, request)
  assert.equal((await guest(`GET ${base}/access`)).status, 403)
  assert.equal((await guest(`GET ${base}`)).status, 403)
})

test('what is no source is refused', async () => {
  for (const source of [{}, { text: '' }, { url: 'ftp://example.com/a' }, { url: 'no address' }, { text: 5 }])
    assert.equal((await ada(`PUT ${base}/x`, { source })).status, 400, JSON.stringify(source))
  for (const slug of ['', 'Pets', 'a--b', '-a', 'a_b', 'x'.repeat(101)])
    assert.equal((await ada(`POST ${base}`, { slug, source: text(pets()) })).status, 400, slug)
  assert.equal((await ada(`PUT ${base}/Not_a_slug`, { source: text(pets()) })).status, 400)
})

test('a source that did not change makes no version, however it is written', async () => {
  const first = await put('same', text(pets()))
  const second = await put('same', { text: JSON.stringify(pets(), null, 2) })
  assert.equal(second.lastVersion, first.lastVersion)
  const yaml = `openapi: 3.1.0
info: {title: Pets, version: "1"}
paths:
  /pets:
    get: {operationId: listPets, responses: {200: {description: Pets}}}
`
  assert.equal((await put('same', { text: yaml })).lastVersion, first.lastVersion)
  const changed = await put('same', text(pets({ servers: [{ url: 'https://example.com' }] })))
  assert.notEqual(changed.lastVersion, first.lastVersion)
  const ids = (await versionsOf('same')).map(({ id }: { id: string }) => id)
  assert.deepEqual(ids, [changed.lastVersion, first.lastVersion], 'newest first')
  const old = await ada(`GET ${base}/same/versions/${first.lastVersion}/content`)
  assert.deepEqual(old.body.filesystem[0].specification, pets())
})

test('a failed run keeps the newest version and gives the reason', async () => {
  const good = await put('failing', text(pets()))
  for (const [source, problem] of [
    ['{"openapi": ', /not valid JSON/],
    ['openapi: [', /not valid YAML/],
    ['just text', /not an object/],
    ['{"openapi":"4.0.0","paths":{}}', /"openapi" with a version/],
    ['{"openapi":3.1,"paths":{}}', /"openapi" with a version/],
    ['{"openapi":"3.1.0","paths":[]}', /"paths" must be an object/],
    [
      JSON.stringify(pets({ components: { schemas: { A: { $ref: 'other.json#/A' } } } })),
      /other files are refused/,
    ],
    [JSON.stringify(pets({ components: { schemas: { A: { $ref: 'file:///etc/passwd' } } } })), /refused/],
  ] as const) {
    const spec = await put('failing', { text: source })
    assert.deepEqual([spec.processingState, spec.lastProcessErrorCode], ['complete', 'PARSE_ERROR'], source)
    assert.match(spec.lastProcessedErrors[0].message, problem)
    assert.equal(spec.lastVersion, good.lastVersion)
  }
  const healed = await put('failing', text(pets()))
  assert.deepEqual([healed.lastProcessErrorCode, healed.lastProcessedErrors], [undefined, undefined])
})

test('a specification with mistakes is used, and the mistakes are listed with their places', async () => {
  const spec = await put(
    'mistakes',
    text({
      openapi: '3.0.3',
      paths: {
        pets: {},
        '/a': { get: { operationId: 'one', responses: { 200: { $ref: '#/components/responses/None' } } } },
        '/b': { post: { operationId: 'one', responses: {} } },
        '/c': { get: { responses: { 200: { content: { 'a/b': { example: { $ref: '#/nowhere' } } } } } } },
      },
    }),
  )
  assert.equal(spec.lastProcessErrorCode, undefined)
  assert.equal(typeof spec.lastVersion, 'string')
  assert.deepEqual(
    spec.lastProcessedErrors.map(({ code }: { code: string }) => code),
    ['NO_TITLE', 'WRONG_PATH', 'DUPLICATE_ID', 'UNRESOLVED_REFERENCE'],
  )
  assert.match(spec.lastProcessedErrors[3].message, /^\/paths\/~1a\/get\/responses\/200 refers to/)
})

test('Swagger 2.0 and OpenAPI 3.0 become OpenAPI 3.1, and later versions stay', async () => {
  await put(
    'swagger',
    text({
      swagger: '2.0',
      info: { title: 'Old', version: '1' },
      host: 'api.example.com',
      basePath: '/v2',
      schemes: ['https'],
      paths: {
        '/pets': {
          post: {
            consumes: ['application/json'],
            parameters: [{ in: 'body', name: 'pet', schema: { $ref: '#/definitions/Pet' } }],
            responses: { 200: { description: 'OK' } },
          },
        },
      },
      definitions: { Pet: { type: 'object' } },
    }),
  )
  const document = (await ada(`GET ${base}/swagger/versions/latest/content`)).body.filesystem[0].specification
  assert.match(document.openapi, /^3\.1/)
  assert.deepEqual(document.servers, [{ url: 'https://api.example.com/v2' }])
  assert.deepEqual(document.paths['/pets'].post.requestBody.content['application/json'].schema, {
    $ref: '#/components/schemas/Pet',
  })
  await put('newest', text({ ...pets(), openapi: '3.2.0' }))
  const newest = (await ada(`GET ${base}/newest/versions/latest/content`)).body.filesystem[0].specification
  assert.equal(newest.openapi, '3.2.0')
})

test('a URL is fetched again after six hours, with its ETag, and by PUT', async () => {
  let document = pets()
  let etag = '"1"'
  respond = (_, known) => (known === etag ? { status: 304 } : { body: JSON.stringify(document), etag })
  const first = await put('fetched', { url: `${origin}/spec` })
  assert.equal(first.sourceURL, `${origin}/spec`)
  const start = Date.now()
  const pass = async (hours: number) => {
    world.clock.now = new Date(start + hours * 3_600_000)
    const jobs = async () =>
      db.read.selectFrom('job').selectAll().where('kind', '=', 'process-openapi').execute()
    await refreshOpenApi(services)({} as never, {} as never)
    const isDue = (await jobs()).length > 0
    await process()
    return isDue
  }
  requested.length = 0
  assert.equal(await pass(5.9), false)
  assert.deepEqual(requested, [])
  assert.equal(await pass(6.1), true)
  assert.deepEqual(
    requested.filter((path) => path === '/spec'),
    ['/spec'],
  )
  const unchanged = (await ada(`GET ${base}/fetched`)).body
  assert.equal(unchanged.lastVersion, first.lastVersion)
  assert.notEqual(unchanged.lastProcessedAt, first.lastProcessedAt)
  assert.equal(unchanged.updatedAt, first.updatedAt)

  document = pets({ servers: [{ url: 'https://example.com' }] })
  etag = '"2"'
  await pass(13)
  const changed = (await ada(`GET ${base}/fetched`)).body
  assert.notEqual(changed.lastVersion, first.lastVersion)
  world.clock.now = undefined

  document = pets()
  etag = '"3"'
  assert.notEqual((await put('fetched', { url: `${origin}/spec` })).lastVersion, changed.lastVersion)
})

test('once a source can be fetched again, its failure is no longer listed, although it has not changed', async () => {
  const etag = '"same"'
  let isDown = false
  respond = (_, known) =>
    isDown ? { status: 500 } : known === etag ? { status: 304 } : { body: JSON.stringify(pets()), etag }
  await put('again', { url: `${origin}/again` })
  const refreshed = async (hours: number) => {
    world.clock.now = new Date(Date.now() + hours * 3_600_000)
    await refreshOpenApi(services)({} as never, {} as never)
    await process()
    return (await ada(`GET ${base}/again`)).body
  }
  isDown = true
  const failed = await refreshed(7)
  assert.deepEqual([failed.lastProcessErrorCode, failed.lastProcessedErrors.length], ['FETCH_ERROR', 1])
  isDown = false
  const { lastProcessErrorCode, lastProcessedErrors, lastVersion } = await refreshed(14)
  world.clock.now = undefined
  assert.deepEqual([lastProcessErrorCode, lastProcessedErrors], [undefined, undefined])
  assert.equal(lastVersion, failed.lastVersion)
})

test('a source that cannot be fetched is FETCH_ERROR, and the newest version stays', async () => {
  respond = () => ({ body: JSON.stringify(pets()) })
  const { lastVersion } = await put('unreachable', { url: `${origin}/spec` })
  for (const [answer, message] of [
    [{ status: 500 }, /returned 500/],
    [{ status: 302, to: 'http://10.0.0.1/' }, /not public/],
    [{ status: 302, to: 'file:///etc/passwd' }, /must begin with http/],
  ] as const) {
    respond = () => answer
    const spec = await put('unreachable', { url: `${origin}/spec` })
    assert.deepEqual([spec.lastProcessErrorCode, spec.lastVersion], ['FETCH_ERROR', lastVersion])
    assert.match(spec.lastProcessedErrors[0].message, message)
  }
  const gone = await put('unreachable', { url: 'http://127.0.0.1:1/' })
  assert.equal(gone.lastProcessErrorCode, 'FETCH_ERROR')
})

test('files of the same origin are fetched if the caller asks for it, and no others', async () => {
  const files: Record<string, unknown> = {
    '/main.json': pets({
      components: {
        schemas: { Pet: { $ref: 'parts/pet.yaml#/Pet' }, Own: { $ref: '#/components/schemas/Pet' } },
      },
    }),
    '/parts/pet.yaml': { Pet: { properties: { owner: { $ref: './owner.json' }, next: { $ref: '#/Pet' } } } },
    '/parts/owner.json': { type: 'object', properties: { spec: { $ref: '../main.json#/info' } } },
  }
  respond = (path) => (files[path] ? { body: JSON.stringify(files[path]) } : { status: 404 })
  const source = { url: `${origin}/main.json`, externalReferences: true }
  const spec = await put('parts', source)
  assert.deepEqual([spec.lastProcessErrorCode, spec.lastProcessedErrors], [undefined, undefined])
  const document = (await ada(`GET ${base}/parts/versions/latest/content`)).body.filesystem[0].specification
  assert.equal(document.components.schemas.Pet.$ref, '#/x-external/1/Pet')
  const pet = document['x-external']['1'].Pet
  assert.deepEqual(
    [pet.properties.owner.$ref, pet.properties.next.$ref],
    ['#/x-external/2', '#/x-external/1/Pet'],
  )
  assert.equal(document['x-external']['2'].properties.spec.$ref, '#/info')

  requested.length = 0
  for (const reference of ['https://example.org/x.json', 'file:///etc/passwd', 'http://127.0.0.1:1/x']) {
    files['/main.json'] = pets({ components: { schemas: { A: { $ref: reference } } } })
    const refused = await put('parts', source)
    assert.equal(refused.lastProcessErrorCode, 'PARSE_ERROR', reference)
    assert.match(refused.lastProcessedErrors[0].message, /origin of the source/)
    assert.equal(refused.lastVersion, spec.lastVersion)
  }
  files['/main.json'] = pets({ components: { schemas: { A: { $ref: '/none.json' } } } })
  assert.equal((await put('parts', source)).lastProcessErrorCode, 'FETCH_ERROR')
})

test('lists return pages of results', async () => {
  const one = await world.stranger('lister')
  const list = `/v1/orgs/${one.organizationId}/openapi`
  for (const slug of ['a', 'b', 'c']) await one(`POST ${list}`, { slug, source: text(pets()) })
  const first = (await one(`GET ${list}?limit=2`)).body
  const second = (await one(`GET ${list}?limit=2&page=${first.next.page}`)).body
  assert.deepEqual(
    [...first.items, ...second.items].map(({ slug }: { slug: string }) => slug),
    ['a', 'b', 'c'],
  )
})

test('the specification of a real API has the same bundle as JSON and as YAML', onlyLong, async () => {
  const { resolve } = createRequire(import.meta.url)
  const source = (name: string) => ({ text: readFileSync(resolve(`@gitbook/api/spec/${name}`), 'utf8') })
  const json = await put('real', source('openapi.json'))
  assert.deepEqual([json.lastProcessErrorCode, json.lastProcessedErrors], [undefined, undefined])
  const yaml = await put('real', source('openapi.yaml'))
  assert.equal(yaml.lastVersion, json.lastVersion)
  const raw = await ada(`GET ${base}/real/versions/latest/content/raw`)
  assert.equal(raw.body.text, source('openapi.json').text)
})

test('an existing client manages specifications', async () => {
  const client = clientOf(world)
  const orgs = judged(client, 'orgs')
  const made = await orgs('createOpenApiSpec', organizationId, { slug: 'client', source: text(pets()) })
  assert.equal(made.slug, 'client')
  await process()
  assert.equal((await orgs('getOpenApiSpecBySlug', organizationId, 'client')).processingState, 'complete')
  await orgs('createOrUpdateOpenApiSpecBySlug', organizationId, 'client', { source: text(pets()) })
  await orgs('updateOpenApiSpecBySlug', organizationId, 'client', { visibility: 'public' })
  assert.ok((await orgs('listOpenApiSpecs', organizationId)).items.length > 0)
  const latest = await orgs('getLatestOpenApiSpecVersion', organizationId, 'client')
  const [version] = (await orgs('listOpenApiSpecVersions', organizationId, 'client')).items
  assert.deepEqual(version, latest)
  assert.deepEqual(await orgs('getOpenApiSpecVersionById', organizationId, 'client', latest.id), latest)
  // The client's description calls the list of files an object.
  const { data } = await client.orgs.getLatestOpenApiSpecVersionContent(organizationId, 'client')
  assert.deepEqual(data.filesystem[0].specification, pets())
  const byId = await client.orgs.getOpenApiSpecVersionContentById(organizationId, 'client', latest.id)
  assert.deepEqual(byId.data, data)
  await orgs('deleteOpenApiSpecBySlug', organizationId, 'client')
})
