/** What holds for every route because it is declared, looped over all of them. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import fc from 'fast-check'
import type { Role } from '../src/db/schema.ts'
import { loadRoutes, type NamedRoute } from '../src/server/routes.ts'
import { createWorld, type Person } from './world.ts'
import { firstOf, onlyLong } from './effort.ts'
import { anyText, holds } from './property.ts'

const SOURCE = resolve(import.meta.dirname, '../src')
const routes = await loadRoutes()
const world = await createWorld()
const { ada, organizationId } = world

// Everything is set up before the first test, so that the world is not closed in between.
const closed = routes.filter(({ route }) => !route.access.open)
const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Guarded' })).body
const collection = (await ada(`POST /v1/orgs/${organizationId}/collections`, { title: 'Guarded' })).body
const site = (await ada(`POST /v1/orgs/${organizationId}/sites`, { title: 'Guarded', spaces: [space.id] }))
  .body
const shareLink = (
  await ada(`POST /v1/orgs/${organizationId}/sites/${site.id}/share-links`, { name: 'Guarded' })
).body
await ada(`PATCH /v1/orgs/${organizationId}/sites/${site.id}`, { hostname: 'guarded.example.org' })
const team = (await ada(`PUT /v1/orgs/${organizationId}/teams`, { title: 'Guarded' })).body
const invite = (await ada(`POST /v1/orgs/${organizationId}/link-invites`, { role: 'read' })).body
const changeRequest = (await ada(`POST /v1/spaces/${space.id}/change-requests`, { subject: 'Guarded' })).body
const said = { body: { markdown: 'Guarded' } }
const discussed = [`/v1/spaces/${space.id}`, `/v1/spaces/${space.id}/change-requests/${changeRequest.id}`]
const [onSpace, onChangeRequest] = await Promise.all(
  discussed.map(async (base) => {
    const commentId = (await ada(`POST ${base}/comments`, said)).body.id as string
    const reply = (await ada(`POST ${base}/comments/${commentId}/replies`, said)).body
    return { commentId, commentReplyId: reply.id as string }
  }),
)
const stranger = await world.stranger('mallory')

const IDS: Record<string, string> = {
  organizationId,
  spaceId: space.id,
  collectionId: collection.id,
  siteId: site.id,
  shareLinkId: shareLink.id,
  hostname: 'guarded.example.org',
  teamId: team.id,
  revisionId: space.revision,
  changeRequestId: changeRequest.id,
  ...onSpace,
}

const words = (path: string) =>
  path.split('/').filter((word) => word && word !== 'v1' && !word.startsWith(':'))

test('the URL gives the file: the longest prefix of its words that is a file under src/api', () => {
  for (const { route, file, name } of routes) {
    const prefixes = words(route.path).map((_, i, all) => all.slice(0, all.length - i).join('/'))
    const expected = prefixes.find((prefix) => existsSync(join(SOURCE, 'api', `${prefix}.ts`))) ?? 'root'
    assert.equal(file, expected, `${name} serves ${route.path}`)
  }
})

test('files under src/api export routes and nothing else, each under a name of its own', () => {
  const names = routes.map(({ name }) => name)
  assert.deepEqual(
    names.filter((name, i) => names.indexOf(name) !== i),
    [],
  )
  for (const { name, route } of routes) assert.equal(route.object, 'route', name)
})

test('the OpenAPI document is valid and has every route', async () => {
  const document = world.app.server.swagger() as unknown as { paths: Record<string, Record<string, unknown>> }
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  assert(valid, JSON.stringify(errors))
  for (const { route, name } of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    const operation = document.paths[path]?.[route.method.toLowerCase()] as
      | { operationId: string }
      | undefined
    assert.equal(operation?.operationId, name, `${route.method} ${path}`)
  }
})

/** The queries of routes that require one. */
const QUERIES: Record<string, string> = {
  getSiteRedirectBySource: '?source=/old',
  searchSpaceContent: '?query=word',
  searchOrganizationContent: '?query=word',
  getContentByUrl: '?url=http://elsewhere.example/',
  getEmbedByUrlInSpace: '?url=http://10.0.0.1/',
}

/** The route's address; ids that have no thing of their own here are of nothing. */
function addressOf({ route, name: operation }: NamedRoute, given: Record<string, string> = IDS): string {
  const isProposed = given.commentId !== undefined && route.path.includes('/:changeRequestId/')
  const ids = isProposed ? { ...given, ...onChangeRequest } : given
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? 'nothing')
  return `${route.method} ${path}${QUERIES[operation] ?? ''}`
}

test('without a token, or with a wrong one, the answer is 401 in the same words', async () => {
  for (const one of closed) {
    const without = await world.nobody(addressOf(one), bodyFor(one))
    const bad = await world.nobody(addressOf(one), bodyFor(one), { authorization: 'Bearer lec_wrong' })
    assert.equal(without.status, 401, addressOf(one))
    assert.deepEqual([bad.status, bad.body], [401, without.body], addressOf(one))
    assert.deepEqual(without.body.error.code, 401)
  }
})

test('a site token is refused by every route that does not admit readers', onlyLong, async () => {
  const { body: published } = await ada(`POST /v1/orgs/${organizationId}/sites/${site.id}/publish`)
  const { body } = await world.nobody('POST /v1/urls/published', { url: published.urls.published })
  const headers = { authorization: `Bearer ${body.apiToken}` }
  const readers = closed.filter(({ route }) => route.readers)
  for (const one of closed) {
    const { status } = await world.nobody(addressOf(one), bodyFor(one), headers)
    // The body of a POST names what this reader does not see, which is checked after the reader is admitted.
    const admitted = one.route.method === 'POST' ? [200, 400, 404] : [200, 404]
    if (readers.includes(one)) assert(admitted.includes(status), `${addressOf(one)}: ${status}`)
    else assert.equal(status, 403, addressOf(one))
  }
  assert(readers.length > 20 && readers.every(({ route }) => route.method === 'GET' || route.audit === false))
  await ada(`POST /v1/orgs/${organizationId}/sites/${site.id}/unpublish`)
})

test(
  'what belongs to another organization is not there: 404, with the same body as for an unknown id',
  onlyLong,
  async () => {
    const subjects = closed.filter(({ route }) => /:(organizationId|spaceId|collectionId)/.test(route.path))
    for (const one of subjects) {
      const foreign = await stranger(addressOf(one), bodyFor(one))
      const unknown = await stranger(addressOf(one, { revisionId: 'x' }), bodyFor(one))
      // What was deleted and what never was are one: gone.
      const expected = ['deleteCollectionById', 'deleteSpaceById'].includes(one.name) ? 204 : 404
      assert.deepEqual([foreign.status, foreign.body], [expected, unknown.body], addressOf(one))
    }
  },
)

const LOWER: Record<string, Role | null> = {
  admin: 'create',
  create: 'review',
  review: 'edit',
  edit: 'comment',
  comment: 'read',
  read: null,
  owner: 'create',
}

test('what is visible but not allowed is 403 and names the permission', async () => {
  const people = new Map<Role | null, Person>()
  for (const one of closed) {
    const [, subject = '', needed = ''] = /^(\w+): (\w+)/.exec(one.route.access.needs) ?? []
    const lower = LOWER[needed]
    // A guest sees no space and no site, so there is nothing to be forbidden: that is the 404 of another test.
    if (lower === undefined || (lower === null && subject !== 'organization')) continue
    const person = people.get(lower) ?? (await world.person(`lower-${lower}`, lower))
    people.set(lower, person)
    const { status, body } = await person(addressOf(one, { ...IDS, inviteId: invite.id }), bodyFor(one))
    assert.equal(status, 403, `${addressOf(one)} as ${lower}: ${JSON.stringify(body)}`)
    assert.match(body.error.message, new RegExp(`"${needed}"`))
  }
})

test('a read-only token changes nothing', async () => {
  const { body } = await ada('POST /v1/user/tokens', { label: 'reader', readOnly: true })
  for (const one of closed.filter(({ route }) => route.method !== 'GET')) {
    // What is not visible would be 404, so the ids are of things that are.
    const address = addressOf(one, { ...IDS, userId: ada.id })
    const answer = await world.nobody(address, bodyFor(one), { authorization: `Bearer ${body.token}` })
    if (one.route.reads) assert.notEqual(answer.status, 403, address)
    else assert.equal(answer.status, 403, address)
  }
  const reading = closed.filter(({ route }) => route.reads)
  assert(reading.length > 1)
  for (const { route } of reading) assert.deepEqual([route.method, route.audit], ['POST', false])
  const read = await world.nobody('GET /v1/user', undefined, { authorization: `Bearer ${body.token}` })
  assert.equal(read.status, 200)
})

test('a PATCH without fields changes nothing, not even the time of the last change', async () => {
  const stored = async (
    name:
      | 'space'
      | 'collection'
      | 'organization'
      | 'site'
      | 'user'
      | 'changeRequest'
      | 'customField'
      | 'auditEvent',
  ) => world.db.read.selectFrom(name).selectAll().orderBy('id').execute()
  const field = { name: 'patched', type: 'text' }
  await ada(`POST /v1/orgs/${organizationId}/custom-fields`, field)
  const tables = [
    'space',
    'collection',
    'organization',
    'site',
    'user',
    'changeRequest',
    'customField',
    'auditEvent',
  ] as const
  const before = await Promise.all(tables.map(stored))
  world.clock.now = new Date('2040-01-01T00:00:00.000Z')
  const patched: string[] = []
  // A PATCH that takes no body is not a change of fields.
  for (const one of closed.filter(({ route }) => route.method === 'PATCH' && route.body)) {
    const ids = { ...IDS, userId: ada.id, fieldName: field.name, inviteId: invite.id }
    const { status } = await ada(addressOf(one, ids), {})
    assert([200, 204, 400, 404].includes(status), `${addressOf(one)} returned ${status}`)
    if (status < 300) patched.push(one.name)
  }
  world.clock.now = undefined
  assert.deepEqual(await Promise.all(tables.map(stored)), before)
  assert(patched.length >= 7, patched.join())
})

/** The address with a further query. */
function asking(address: string, query: string): string {
  return address + (address.includes('?') ? '&' : '?') + query
}

const lists = closed.filter(({ route }) => {
  const query: { properties?: object } | undefined = route.query
  return query?.properties && 'page' in query.properties && 'limit' in query.properties
})

test('every list pages: limit and page are checked', async () => {
  assert(lists.length >= 5)
  for (const one of lists) {
    const limit = await ada(asking(addressOf(one), 'limit=1001'))
    assert.equal(limit.status, 400, addressOf(one))
    assert.deepEqual(limit.body.error.details[0].path, 'query.limit')
    const page = await ada(asking(addressOf(one), 'page=nonsense'))
    assert.equal(page.status, 400, addressOf(one))
  }
})

const cursorOf = (values: unknown) => Buffer.from(JSON.stringify(values)).toString('base64url')

test('a cursor with another number of values than a list is ordered by is refused', async () => {
  for (const one of lists) {
    const status = async (query = '') =>
      (await ada(asking(addressOf(one, { ...IDS, userId: ada.id }), query))).status
    // A list of what is not there answers 404 whatever the cursor.
    if ((await status()) !== 200) continue
    const taken: number[] = []
    for (const values of [['7'], ['7', '7'], ['7', '7', '7']])
      if ((await status(`page=${cursorOf(values)}`)) === 200) taken.push(values.length)
    assert(taken.length === 1 && taken[0] !== 3, `${addressOf(one)} takes ${String(taken)} values`)
  }
})

test('whatever a cursor holds, no list fails by it', async () => {
  const value = fc.oneof(
    fc.constantFrom(
      '\0',
      'a\0b',
      '\ud800',
      '',
      '0',
      '-1',
      '1.5',
      '1e999',
      '2147483648',
      '99999999999',
      'NaN',
    ),
    anyText(),
    fc.integer().map(String),
  )
  const cursor = fc.oneof(
    { weight: 4, arbitrary: fc.array(value, { maxLength: 3 }).map(cursorOf) },
    fc.jsonValue().map(cursorOf),
    fc.base64String().map(encodeURIComponent),
  )
  const addresses = lists.map((one) => addressOf(one, { ...IDS, userId: ada.id }))
  const texts = firstOf(['\0', '1.5', '1e999', '99999999999'], 1)
  const examples = addresses.flatMap((address) =>
    texts.map((text): [string, string] => [address, cursorOf([text])]),
  )
  const asks = async (address: string, page: string) => {
    const { status } = await ada(asking(address, `page=${page}`))
    assert([200, 400, 404].includes(status), `${address} answered ${status}`)
  }
  for (const example of examples) await asks(...example)
  await holds(fc.asyncProperty(fc.constantFrom(...addresses), cursor, asks), { cases: 25 * lists.length })
})

const computed = (props: object) => ({
  source: {
    type: 'builtin:openapi',
    props,
    dependencies: { spec: { ref: { kind: 'openapi', spec: 'x' } } },
  },
  seed: 'x',
})

/** A body that passes validation, so that what is tested is who may call. */
function bodyFor({ route, name }: NamedRoute): unknown {
  if (!route.body) return undefined
  const bodies: Record<string, object> = {
    createToken: { label: 'x' },
    createOrganization: { title: 'Acme' },
    postCommentInSpace: said,
    postCommentInChangeRequest: said,
    postCommentReplyInSpace: said,
    postCommentReplyInChangeRequest: said,
    generateStorageUploadURL: {
      file: { name: 'a.zip', type: 'application/zip', size: 1 },
      kind: 'import_file',
    },
    uploadSitePicture: { base64: 'PHN2ZyAvPg==' },
    createSiteShareLink: { name: 'x' },
    updateSitePublishingAuthById: { backend: 'custom' },
    updateSiteAdaptiveSchema: {
      jsonSchema: { type: 'object', properties: {}, additionalProperties: false },
    },
    createOpenAPISpec: { slug: 'x', source: { text: '{}' } },
    createOrUpdateOpenAPISpecBySlug: { source: { text: '{}' } },
    getComputedDocument: computed({ doc: 'models' }),
    getComputedRevision: computed({}),
    convertMarkdown: { markdown: '# x' },
    convertDocument: { document: { object: 'document', data: {}, nodes: [] } },
    createTranslation: { title: 'x' },
    updateTranslation: { title: 'x' },
    createOrganizationCustomField: { name: 'x', type: 'text' },
    updateSpaceCustomFields: { values: {} },
    inviteToSpace: { users: ['nobody'], role: 'read' },
    inviteToCollection: { users: ['nobody'], role: 'read' },
    transferSpace: { organization: 'nowhere' },
    transferCollection: { organization: 'nowhere' },
    createOrganizationTeam: { title: 'x' },
    updateTeamInOrganizationById: { title: 'x' },
    inviteUsersToOrganization: { emails: ['x@example.com'] },
    createOrganizationInvite: { role: 'read' },
    updateOrganizationInviteById: { role: 'read' },
    changePassword: { password: 'a long password' },
    updateContent: { changes: [{ operation: 'delete_page', page: 'nothing' }] },
    updateContentInChangeRequest: { changes: [{ operation: 'delete_page', page: 'nothing' }] },
    submitChangeRequestReview: { status: 'approved' },
    requestReviewersForChangeRequest: { users: [] },
    updatePresenceInSpace: { client: 'tab' },
    updatePresenceInChangeRequest: { client: 'tab' },
    importContent: { url: 'https://example.com/a.zip', source: 'zip' },
    importContentInPageById: { url: 'https://example.com/a.zip', source: 'zip' },
    importContentInChangeRequestPageById: { url: 'https://example.com/a.zip', source: 'zip' },
    importGitRepository: { url: 'https://example.com/a.git', ref: 'refs/heads/main' },
    connectGitRepository: { url: 'https://example.com/a.git', ref: 'refs/heads/main' },
    exportToGitRepository: {
      url: 'https://example.com/a.git',
      ref: 'refs/heads/main',
      commitMessage: 'Change',
    },
    resolveMergeConflict: { side: 'own' },
    importContentInChangeRequest: { url: 'https://example.com/a.zip', source: 'zip' },
  }
  return bodies[name] ?? {}
}

/** The paths of a route. */
const patternOf = ({ route }: NamedRoute) => new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`)

test('whatever a response names in Location can be read there', () => {
  const urls = { api: (path: string) => `/v1${path}` } as Parameters<
    NonNullable<NamedRoute['route']['location']>
  >[1]
  const made = { id: 'one', revision: 'one', url: '', urls: { location: '' } }
  const params = new Proxy({}, { get: () => 'in' })
  for (const { route, name } of routes.filter((one) => one.route.location)) {
    const location = route.location?.(made, urls, params) ?? ''
    if (!location.startsWith('/v1')) continue
    const isRead = routes.some((one) => one.route.method === 'GET' && patternOf(one).test(location))
    assert(isRead, `${name}: ${location}`)
  }
})

test('a path with another method is 405 with the methods that it has; an unknown path is 404', async () => {
  const pathOf = (path: string) => path.replace(/:(\w+)/g, (_, name: string) => IDS[name] ?? 'x')
  const methodsAt = new Map<string, Set<string>>()
  for (const { route } of routes) {
    const path = pathOf(route.path)
    const methods = methodsAt.get(path) ?? new Set()
    methodsAt.set(path, methods.add(route.method))
    if (route.method === 'GET') methods.add('HEAD')
  }
  // A word of one path can be the id of another.
  for (const [path, methods] of methodsAt)
    for (const one of routes) if (patternOf(one).test(path)) methods.add(one.route.method)
  for (const [path, methods] of methodsAt) {
    const missing = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].find((method) => !methods.has(method))
    if (missing === undefined) continue
    const { status, headers, body } = await ada(`${missing} ${path}`)
    assert.equal(status, 405, `${missing} ${path}`)
    const allowed = headers.get('allow')!.split(', ')
    for (const method of methods)
      assert.ok(allowed.includes(method), `${path}: ${method} in ${allowed.join()}`)
    assert.ok(!allowed.includes(missing))
    assert.equal(body.error.code, 405)
  }
  for (const path of ['/v1/nothing', '/v1/spaces/x/nothing', '/v1'])
    assert.equal(
      (await ada(`PATCH ${path}`)).status,
      path === '/v1' && methodsAt.has('/v1') ? 405 : 404,
      path,
    )
})
