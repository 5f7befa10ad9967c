/**
 * The calls of the open-source renderer, with a site token. Each response has the fields that the types of its client
 * require: a renderer fails where one is absent, and ignores nothing but 404.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexed } from '../search/indexing.ts'
import { createWorld } from '../world.ts'
import { siteForRenderer, tokenCaller } from './renderer-site.ts'

const world = await createWorld()
const { ada, organizationId } = world
const site = await siteForRenderer(world, 'Shop')
await indexed(world)
const space = `/v1/spaces/${site.spaceId}`
const at = `${space}/revisions/${site.revision}`

/** What a value is, by its path: `*` is each item of a list. */
type Shape = Record<string, 'string' | 'number' | 'boolean' | 'object' | 'array'>

const kindOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value)

/** The values at a path of a response. */
function valuesAt(value: unknown, [key, ...rest]: string[]): unknown[] {
  if (key === undefined) return [value]
  if (key === '*') return (value as unknown[]).flatMap((item) => valuesAt(item, rest))
  return valuesAt((value as Record<string, unknown> | undefined)?.[key], rest)
}

function assertShape(what: string, body: unknown, shape: Shape): void {
  for (const [path, kind] of Object.entries(shape)) {
    const values = valuesAt(body, path.split('.'))
    assert(values.length > 0, `${what}: nothing at ${path}`)
    for (const value of values)
      assert.equal(kindOf(value), kind, `${what}: ${path} is ${JSON.stringify(value)}`)
  }
}

const DOCUMENT: Shape = { object: 'string', data: 'object', nodes: 'array', 'nodes.*.object': 'string' }
const PAGE: Shape = { id: 'string', title: 'string', type: 'string', path: 'string', pages: 'array' }
const CHANGES: Shape = { changes: 'array', 'changes.*.type': 'string', 'changes.*.page.id': 'string' }

interface Call {
  what: string
  request: string
  body?: unknown
  /** 200 by default. */
  status?: number
  shape?: Shape
}

const pagesOf = async () => {
  const below = (some: Page[]): Page[] => some.flatMap((page) => [page, ...below(page.pages ?? [])])
  return below((await ada(`GET ${at}`)).body.pages as Page[])
}
interface Page {
  id: string
  type: string
  path?: string
  documentId?: string
  computed?: object
  computedSeed?: string
  pages?: Page[]
}
const pages = await pagesOf()
const pageAt = (path: string) => pages.find((page) => page.path === path)!
const computed = pages.find((page) => page.computed && page.path)!
const redirect = await ada(`POST ${site.at}/redirects`, {
  source: '/old',
  destination: { kind: 'external', url: 'https://example.com/' },
})
assert.equal(redirect.status, 201, redirect.text)

const CALLS: Call[] = [
  {
    what: 'the site',
    request: `GET ${site.at}/published`,
    shape: {
      'site.id': 'string',
      'structure.type': 'string',
      'structure.structure': 'array',
      'customizations.site': 'object',
      'customizations.siteSpaces': 'object',
      scripts: 'array',
    },
  },
  {
    what: 'the space',
    request: `GET ${space}`,
    shape: { object: 'string', id: 'string', title: 'string', revision: 'string', 'urls.app': 'string' },
  },
  {
    what: 'the revision',
    request: `GET ${at}?metadata=true`,
    shape: {
      id: 'string',
      pages: 'array',
      'pages.*.type': 'string',
      files: 'array',
      reusableContents: 'array',
    },
  },
  { what: 'a page at a path', request: `GET ${at}/path/operation`, shape: PAGE },
  { what: 'a path that is nothing', request: `GET ${at}/path/some%2Fwhere`, status: 404 },
  { what: 'a page that is hidden', request: `GET ${at}/path/pro`, status: 404 },
  {
    what: 'a redirect',
    request: `GET ${site.at}/redirect?source=%2Fold`,
    shape: { target: 'string', 'redirect.id': 'string' },
  },
  { what: 'no redirect', request: `GET ${site.at}/redirect?source=%2Fnothing`, status: 404 },
  ...pages
    .filter(({ type, path = '' }) => type === 'document' && !['pro', 'mixed', 'empty'].includes(path))
    .map(({ id, path, documentId }) => ({
      what: `the document of ${path}`,
      request: `GET ${at}/page/${id}/document?evaluated=deterministic-only&dereferenced=reusable-contents`,
      ...(documentId === undefined ? {} : { shape: DOCUMENT }),
    })),
  {
    what: 'a page as Markdown',
    request: `GET ${at}/page/${pageAt('blocks').id}?format=markdown&format.markdown.refs=stable`,
    shape: { ...PAGE, markdown: 'string' },
  },
  {
    what: 'the other languages',
    request: `GET ${at}/page/${pageAt('operation').id}/meta-links`,
    shape: { alternates: 'array' },
  },
  {
    what: 'an embed',
    request: `GET ${space}/embed?url=${encodeURIComponent('https://gist.github.com/ada/0123456789abcdef0123')}`,
    shape: { type: 'string', title: 'string', site: 'string', html: 'string' },
  },
  { what: 'an embed on no page', request: `GET ${space}/embed?url=https://example.com/other`, status: 404 },
  {
    what: 'a specification',
    request: `GET /v1/orgs/${organizationId}/openapi/shop/versions/latest/content`,
    shape: {
      'filesystem.*.filename': 'string',
      'filesystem.*.isEntrypoint': 'boolean',
      'filesystem.*.references': 'array',
      'filesystem.*.specification.openapi': 'string',
      'filesystem.*.specification.paths': 'object',
      'urls.source': 'string',
    },
  },
  {
    what: 'a user',
    request: `GET /v1/users/${site.people.mentioned.id}`,
    shape: { object: 'string', id: 'string', displayName: 'string', 'urls.location': 'string' },
  },
  { what: 'another user', request: `GET /v1/users/${site.people.silent.id}`, status: 404 },
  {
    what: 'a document',
    request: `GET ${space}/documents/${pageAt('operation').documentId}`,
    shape: DOCUMENT,
  },
  { what: 'no document', request: `GET ${space}/documents/nothing`, status: 404 },
  {
    what: 'a computed document',
    request: `POST ${space}/content/computed/document`,
    body: { source: computed.computed, seed: computed.computedSeed },
    shape: DOCUMENT,
  },
  {
    what: 'a reusable content',
    request: `GET ${at}/reusable-contents/${site.reusables['Note']}/document?evaluated=deterministic-only`,
    shape: DOCUMENT,
  },
  {
    what: 'a search of the site',
    request: `POST ${site.at}/search`,
    body: { query: 'orders', mode: 'all' },
    shape: {
      items: 'array',
      'items.*.type': 'string',
      'items.*.id': 'string',
      'items.*.pages': 'array',
      'items.*.pages.*.path': 'string',
    },
  },
  { what: 'the changes of a revision', request: `GET ${at}/changes`, status: 404 },
]

const call = await tokenCaller(world, site.address)

test('the address of a page is resolved', () => {
  assertShape('resolved', call.resolved, {
    organization: 'string',
    site: 'string',
    siteSpace: 'string',
    space: 'string',
    pathname: 'string',
    basePath: 'string',
    siteBasePath: 'string',
    apiToken: 'string',
    canonicalUrl: 'string',
    complete: 'boolean',
  })
})

for (const { what, request, body, status = 200, shape = {} } of CALLS)
  test(`the renderer asks for ${what}`, async () => {
    const answer = await call(request, body)
    assert.equal(answer.status, status, answer.text)
    if (status !== 200) return
    assertShape(what, answer.body, shape)
    const tags = answer.headers.get('x-gitbook-cache-tag')?.split(',') ?? []
    assert(tags.includes(`site:${site.siteId}`), 'it is forgotten when the site changes')
    assert.match(answer.headers.get('x-gitbook-cache-control') ?? '', /^max-age=\d+$/)
  })

test('the renderer asks for a preview of a change request', async () => {
  const { body: draft } = await ada(`POST ${space}/change-requests`, { subject: 'New' })
  const changes = [{ operation: 'insert_page', title: 'New', document: { markdown: 'Text.' } }]
  const written = await ada(`POST ${space}/change-requests/${draft.id}/content`, { changes })
  assert.equal(written.status, 200, written.text)
  const { url } = (await ada(`GET ${site.at}/publishing/preview`)).body
  const preview = await tokenCaller(world, url)
  assert.equal(preview.resolved.preview, true)

  const change = await preview(`GET ${space}/change-requests/${draft.id}`)
  assertShape('a change request', change.body, { id: 'string', number: 'number', revision: 'string' })
  const shown = `${space}/revisions/${change.body.revision}`
  const expected: [request: string, shape: Shape][] = [
    [`GET ${space}/change-requests/${draft.id}/changes?limit=10`, CHANGES],
    [`GET ${shown}/changes?computed=false&limit=10&metadata=false`, CHANGES],
    [`GET ${shown}?metadata=true`, { pages: 'array' }],
    [`GET ${shown}/path/new`, PAGE],
  ]
  for (const [request, shape] of expected) {
    const answer = await preview(request)
    assert.equal(answer.status, 200, `${request}: ${answer.text}`)
    assertShape(request, answer.body, shape)
    assert.equal((await call(request)).status, 404, `${request}: only in a preview`)
  }
})
