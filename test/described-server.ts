/** A small server that answers as the description of the API says, with pages of two items, limits of requests and gaps. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

const PAGE = 2

/** The responses of a server by path, without `/v1`: an array is a list, which is returned in pages of results. */
export type Described = Record<string, unknown>

/** A running server, and what its clients did. */
export interface DescribedServer {
  url: string
  /** Requests that came before the time of `Retry-After` was over. */
  impatient: number
  /** How often it returned 429 or 503. */
  limited: number
  /** Requests without the token, and writes. */
  wrong: string[]
  /** Paths that it does not have. */
  missing: Set<string>
  answers: Described
}

/** Starts a server whose token is `source-token`. @param limitedAt the numbers of the requests that it refuses for now */
export async function describedServer(
  answers: Described,
  limitedAt: ReadonlyMap<number, { status: number; headers: Record<string, string> }> = new Map(),
): Promise<DescribedServer> {
  let requests = 0
  let patience = 0
  const server = createServer((request, response) => answer(request, response))
  const state: DescribedServer = { url: '', impatient: 0, limited: 0, wrong: [], missing: new Set(), answers }

  function answer({ url = '', method, headers }: IncomingMessage, response: ServerResponse): void {
    const send = (status: number, body: unknown, more: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...more })
      response.end(JSON.stringify(body))
    }
    const fault = (code: number, message: string) => ({ error: { code, message } })
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const bytes = answers[pathname]
    if (bytes instanceof Uint8Array) return void response.end(bytes)
    if (headers.authorization !== 'Bearer source-token' || method !== 'GET')
      state.wrong.push(`${method} ${pathname}`)
    if (performance.now() < patience) state.impatient++
    const limit = limitedAt.get(++requests)
    if (limit) {
      state.limited++
      patience = performance.now() + 1000 * Number(limit.headers['retry-after'] ?? 0)
      return send(limit.status, fault(limit.status, 'Slow down'), limit.headers)
    }
    const format = searchParams.get('format')
    const path = pathname.replace(/^\/v1/, '') + (format === null ? '' : ` ${format}`)
    const found = answers[path]
    if (found === undefined) {
      state.missing.add(path)
      return send(404, fault(404, 'Not found'))
    }
    if (typeof found === 'number') return send(found, fault(found, 'You may not read this'))
    if (!Array.isArray(found)) return send(200, found)
    const start = Number((searchParams.get('page') ?? 'c0').slice(1))
    const end = start + PAGE
    return send(200, {
      items: (found as unknown[]).slice(start, end),
      ...(end < found.length && { next: { page: `c${end}` } }),
    })
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const { port } = server.address() as AddressInfo
  state.url = `http://127.0.0.1:${port}`
  return state
}

const text = (words: string) => ({ object: 'text', leaves: [{ object: 'leaf', text: words, marks: [] }] })
const paragraph = (...nodes: object[]) => ({ object: 'block', type: 'paragraph', key: 'k1', data: {}, nodes })
const link = (words: string, ref: object) => ({
  object: 'inline',
  type: 'link',
  data: { ref, unknown: true },
  nodes: [text(words)],
})
const documentOf = (...nodes: object[]) => ({
  object: 'document',
  data: { schemaVersion: 6 },
  nodes,
  meta: {},
})

/** A page of the type `document`, with fields that Lectern does not know. */
const page = (id: string, title: string, more: object = {}) => ({
  object: 'page',
  id,
  title,
  type: 'document',
  kind: 'sheet',
  slug: title.toLowerCase(),
  path: title.toLowerCase(),
  pages: [],
  documentId: `document-${id}`,
  layout: { width: 'default', coverMask: 'none', outline: id !== 'p1', tableOfContents: true },
  someday: { unknown: true },
  ...more,
})

const section = (id: string, title: string, space: string) => ({
  object: 'site-section',
  id,
  title,
  path: title.toLowerCase(),
  siteSpaces: [{ object: 'site-space', id: `${id}s`, path: 'x', title, default: true, space: { id: space } }],
  urls: {},
})

const SHOP = { openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths: {} }

/** An organization of a server that is not Lectern. */
export function describedOrganization(url: () => string): Described {
  const file = {
    id: 'f1',
    name: 'map.svg',
    contentType: 'image/svg+xml',
    size: 60,
    get downloadURL() {
      return `${url()}/files/map.svg`
    },
  }
  const member = (id: string, email: string | undefined, role: string | null) => ({
    object: 'member',
    id,
    role,
    disabled: false,
    user: { object: 'user', id, displayName: `User ${id}`, ...(email && { email }), urls: {} },
  })
  const image = { object: 'block', type: 'image', isVoid: true, data: { ref: { kind: 'file', file: 'f1' } } }
  return {
    '/files/map.svg': new TextEncoder().encode(
      '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="5"/>',
    ),
    '/user': { object: 'user', id: 'u1', urls: { location: '/users/u1' } },
    '/orgs': [{ object: 'organization', id: 'o1', title: 'Acme' }],
    '/orgs/o1/members': [
      member('u1', 'admin@localhost', 'admin'),
      member('u2', 'Wil@Example.com', 'edit'),
      member('u3', undefined, 'read'),
    ],
    '/orgs/o1/teams': [{ object: 'team', id: 't1', title: 'Writers', someday: 1 }],
    '/orgs/o1/teams/t1/members': [
      { organization: member('u2', 'wil@example.com', 'edit'), team: { role: 'owner' } },
    ],
    '/orgs/o1/collections': [
      { object: 'collection', id: 'c2', title: 'Inner', parent: 'c1', defaultLevel: 'inherit' },
      { object: 'collection', id: 'c1', title: 'Outer', defaultLevel: 'read' },
      { object: 'collection', id: 'c3', title: 'Lost', parent: 'c9', defaultLevel: null },
    ],
    '/orgs/o1/spaces': [
      {
        object: 'space',
        id: 's1',
        title: 'Guide',
        emoji: '1f3e0',
        parent: 'c2',
        editMode: 'locked',
        language: 'xx',
      },
      { object: 'space', id: 's2', title: 'Other', editMode: 'live', unknown: [] },
      { object: 'space', id: 's3', title: 'Forbidden' },
    ],
    '/spaces/s1/content': {
      object: 'revision',
      pages: [
        page('p1', 'Home', {
          cover: { ref: { kind: 'file', file: 'f1' }, yPos: 3 },
          description: 'First',
          pages: [page('p4', 'Below')],
        }),
        {
          object: 'page',
          id: 'g1',
          title: 'Group',
          type: 'group',
          slug: 'group',
          path: 'group',
          pages: [
            page('p5', 'Odd'),
            { id: 'l1', title: 'A link', type: 'link', target: { kind: 'page', page: 'p3', space: 's2' } },
          ],
        },
        page('p6', 'Secret'),
        {
          object: 'page',
          id: 'x1',
          title: 'Computed',
          type: 'computed',
          computed: { type: 'builtin:openapi' },
        },
      ],
      files: [file],
      reusableContents: [{ id: 'r1', title: 'Part', document: 'document-r1' }],
      variables: { season: 'summer' },
    },
    '/spaces/s1/content/page/p1 document': {
      ...page('p1', 'Home'),
      document: documentOf(
        paragraph(
          text('To '),
          link('the other', { kind: 'anchor', anchor: 'part', page: 'p3', space: 's2' }),
          text(' and '),
          link('below', { kind: 'page', page: 'p4' }),
          text('.'),
        ),
        { object: 'block', type: 'images', data: {}, nodes: [image] },
        {
          object: 'block',
          type: 'reusable-content',
          isVoid: true,
          data: { ref: { kind: 'reusable-content', reusableContent: 'r1' } },
          meta: { token: 't' },
        },
      ),
    },
    '/spaces/s1/content/page/p4 document': {
      ...page('p4', 'Below'),
      document: documentOf(
        paragraph(
          text('By '),
          {
            object: 'inline',
            type: 'mention',
            isVoid: true,
            data: { ref: { kind: 'user', user: 'u2' } },
            nodes: [],
          },
          text(''),
        ),
      ),
    },
    '/spaces/s1/content/page/p5 document': {
      ...page('p5', 'Odd'),
      document: documentOf({ object: 'block', type: 'hologram', data: {}, nodes: [] }),
    },
    '/spaces/s1/content/page/p5 markdown': {
      ...page('p5', 'Odd'),
      markdown: '# Odd\n\nAs [text](/spaces/s2/pages/p3).\n',
    },
    '/spaces/s1/content/page/p6 document': 403,
    '/spaces/s1/content/reusable-contents/r1': { id: 'r1', title: 'Part', document: 'document-r1' },
    '/spaces/s1/documents/document-r1': documentOf(paragraph(text('Shared words.'))),
    '/spaces/s1/change-requests': [
      {
        object: 'change-request',
        id: 'q1',
        number: 7,
        status: 'open',
        subject: 'Better',
        outdated: true,
        revision: 'v2',
        revisionInitial: 'v1',
      },
    ],
    '/spaces/s1/change-requests/q1/content': {
      object: 'revision',
      pages: [page('p1', 'Better home', { slug: 'home', documentId: 'document-new' }), page('n1', 'New')],
      files: [file],
      reusableContents: [],
    },
    '/spaces/s1/revisions/v1': {
      object: 'revision',
      pages: [page('p1', 'Home'), page('p4', 'Below')],
      files: [file],
      reusableContents: [],
    },
    '/spaces/s1/change-requests/q1/content/page/p1 document': {
      ...page('p1', 'Better home'),
      document: documentOf(
        paragraph(text('Better, see '), link('new', { kind: 'page', page: 'n1' }), text('.')),
      ),
    },
    '/spaces/s1/change-requests/q1/content/page/n1 document': {
      ...page('n1', 'New'),
      document: documentOf(paragraph(text('New words.'))),
    },
    '/spaces/s1/change-requests/q1/comments markdown': [
      {
        object: 'comment',
        id: 'm1',
        postedBy: { id: 'u9', displayName: 'Gone *Away*' },
        postedAt: '2024-05-03T10:00:00.000Z',
        body: { markdown: 'See [it](/pages/p4)' },
        replies: 1,
        status: 'resolved',
        target: { node: { id: 'k9', preview: 'Old words' }, page: { id: 'p1' } },
      },
    ],
    '/spaces/s1/change-requests/q1/comments/m1/replies markdown': [
      { object: 'comment-reply', id: 'm2', postedBy: { id: 'u1' }, body: { markdown: 'Mine' } },
    ],
    '/spaces/s2/content': {
      object: 'revision',
      pages: [page('p3', 'Third')],
      files: [],
      reusableContents: [],
    },
    '/spaces/s2/content/page/p3 document': {
      ...page('p3', 'Third'),
      document: documentOf({ object: 'block', type: 'heading-1', data: {}, nodes: [text('Part')] }),
    },
    '/spaces/s3/content': 403,
    '/orgs/o1/custom-fields': [
      {
        id: 'cf1',
        name: 'owner',
        title: 'Owner',
        description: '',
        placeholder: '',
        type: 'text',
        someday: 1,
      },
      { id: 'cf2', name: 'shape', title: '', type: 'hologram' },
    ],
    '/spaces/s1/custom-fields': { 0: 'an array, which this server returns as it is' },
    '/orgs/o1/sites': [
      {
        object: 'site',
        id: 'w1',
        title: 'Site',
        type: 'ultimate',
        visibility: 'unlisted',
        published: true,
        basename: 'Bad Name',
        hostname: 'docs.acme.example',
        adaptiveContent: { enabled: false },
      },
    ],
    '/orgs/o1/sites/w1/sections': [
      { ...section('e1', 'One', 's2'), default: false },
      { ...section('e2', 'Two', 's1'), default: true, condition: 'visitor.claims.beta' },
      section('e3', 'Lost', 's9'),
    ],
    '/orgs/o1/sites/w1/section-groups': [
      { object: 'site-section-group', id: 'b1', title: 'Group', sections: [section('e1', 'One', 's2')] },
    ],
    '/orgs/o1/sites/w1/customization': {
      someday: { enabled: true },
      styling: { theme: 'bold', corners: 'hexagonal', links: 'accent' },
      header: {
        preset: 'default',
        links: [{ title: 'A', to: { kind: 'page', page: 'p4', space: 's1' }, links: [] }],
      },
      favicon: { icon: { light: 'http://files.example.com/x.png', dark: 'http://files.example.com/x.png' } },
    },
    '/orgs/o1/openapi': [
      { object: 'openapi-spec', id: 'a1', slug: 'shop', processingState: 'complete', visibility: 'public' },
      { object: 'openapi-spec', id: 'a2', slug: 'lost', processingState: 'complete' },
    ],
    '/orgs/o1/openapi/shop/versions/latest/content': {
      filesystem: [{ dir: '.', filename: 'openapi.json', specification: SHOP }],
      url: 'https://example.com/shop.json',
    },
  }
}
