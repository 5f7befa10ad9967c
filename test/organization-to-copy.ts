/** An organization with everything that a copy keeps, and what is compared of it. */
import assert from 'node:assert/strict'
import { processOpenApi } from '../src/jobs/process-openapi.ts'
import { importArchive, archiveOf } from './importing.ts'
import type { Person, World } from './world.ts'

// Tests read responses of any shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any

/** Sends requests as the administrator, which must succeed. */
export function requester({ ada }: Pick<World, 'ada'>) {
  return async (request: string, body?: unknown): Promise<Body> => {
    const answer = await ada(request, body)
    assert(answer.status < 300, `${request}: ${answer.text}`)
    return answer.body
  }
}

const PICTURE = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" width="2" height="3"/>')

/** The files of a space with something of every kind. */
const GUIDE = {
  'SUMMARY.md': `# Summary

* [Welcome](README.md)
* [Deep](deep/README.md)
  * [Deeper](deep/deeper.md)
* [Elsewhere](https://example.com/)

## Concepts

* [Berths](concepts/berths.md)
* [Prices](concepts/prices.md)
`,
  'README.md': `---
description: Where to begin
icon: anchor
cover: .gitbook/assets/picture.svg
coverY: 12
---

# Welcome

Words with   odd   spaces, and [a page](deep/deeper.md#part).

![A picture](.gitbook/assets/picture.svg)

{% include ".gitbook/includes/note.md" %}

| a | b |
|:--|--:|
| 1 | 2 |
`,
  'deep/README.md': '# Deep\n',
  'deep/deeper.md': '# Deeper\n\n## Part\n\nBack to [the start](../README.md).\n',
  'concepts/berths.md': '# Berths\n\n{% hint style="info" %}\nOne boat each.\n{% endhint %}\n',
  'concepts/prices.md':
    '---\nif: visitor.claims.plan == "partner"\nhidden: true\n---\n\n# Prices\n\n<code class="expression">space.vars.season</code>\n',
  '.gitbook/assets/picture.svg': PICTURE,
  '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nTake the *latest* version.\n',
  '.gitbook/vars.yaml': 'season: summer\nlength: 24\n',
  '.gitbook.yaml': 'redirects:\n  old/berths: concepts/berths.md\n  away: https://example.com/away\n',
}

const HANDBOOK = {
  'SUMMARY.md': '# Summary\n\n* [Home](README.md)\n* [Releases](releases.md)\n',
  'README.md': '# Home\n\nHow we work.\n',
  'releases.md': '# Releases\n\nOn Tuesdays.\n',
}

const SPECIFICATION = 'openapi: 3.1.0\ninfo:\n  title: Tidewater\n  version: "2"\npaths: {}\n'

/** The ids of what `fillOrganization` makes. */
export interface FilledOrganization {
  guide: string
  handbook: string
  empty: string
}

/** Fills the organization of a world. */
export async function fillOrganization(world: World): Promise<FilledOrganization> {
  const call = requester(world)
  const org = `/v1/orgs/${world.organizationId}`
  const outer = await call(`POST ${org}/collections`, { title: 'Product' })
  await call(`PATCH /v1/collections/${outer.id}`, { description: 'What we sell' })
  const inner = await call(`POST ${org}/collections`, { title: 'Inner', parent: outer.id })
  const [wil, rea, gus] = [
    await world.person('wil', 'edit'),
    await world.person('rea', 'review'),
    await world.person('gus', null),
  ]
  const team = await call(`PUT ${org}/teams`, { title: 'Writers' })
  await call(`PUT ${org}/teams/${team.id}/members/${wil.id}`, { role: 'owner' })
  await call(`PUT ${org}/teams/${team.id}/members/${rea.id}`, { role: 'member' })
  await call(`PATCH /v1/collections/${inner.id}`, { defaultLevel: 'read' })
  await call(`POST /v1/collections/${inner.id}/permissions`, { teams: [team.id], role: 'create' })
  const { id: guide } = await call(`POST ${org}/spaces`, { title: 'Guide', emoji: '26f5', parent: inner.id })
  const { id: handbook } = await call(`POST ${org}/spaces`, { title: 'Handbook', editMode: 'live' })
  const { id: empty } = await call(`POST ${org}/spaces`, { title: 'Nothing yet', languageTag: 'de-CH' })
  await call(`POST /v1/spaces/${guide}/permissions`, { users: [gus.id], role: 'comment' })
  await call(`POST /v1/spaces/${handbook}/permissions`, { users: [gus.id], role: null })
  await imported(world, guide, GUIDE)
  await imported(world, handbook, HANDBOOK)

  await call(`POST ${org}/page-templates`, {
    title: 'Interview',
    description: 'Questions for users',
    emoji: '1f399',
    markdown: '## Questions\n\n1. What did you do last?\n',
  })
  await call(`PUT ${org}/translations-glossary`, {
    operations: [
      { type: 'insert', translations: { en: 'change request', de: 'Änderungsantrag', fa: 'درخواست تغییر' } },
      { type: 'insert', translations: { 'zh-TW': '空間' } },
    ],
  })
  await call(`POST ${org}/custom-fields`, { name: 'owner', title: 'Owner', type: 'text' })
  const kinds = {
    name: 'kind',
    type: 'select:single',
    options: ['how-to', 'reference'],
    placeholder: 'Choose',
  }
  await call(`POST ${org}/custom-fields`, kinds)
  const values = { owner: { value: 'Wil' }, kind: { value: 'how-to' } }
  await call(`PATCH /v1/spaces/${guide}/custom-fields`, { values })
  await call(`POST ${org}/openapi`, { slug: 'tidewater', source: { text: SPECIFICATION } })
  await call(`PATCH ${org}/openapi/tidewater`, { visibility: 'public' })
  await processOpenApi(world.app.services, 60_000)(
    { organizationId: world.organizationId } as never,
    {} as never,
  )

  const content = await call(`GET /v1/spaces/${guide}/content`)
  const pages = new Map<string, string>(content.pages.map(({ title, id }: Body) => [title, id]))
  const base = `/v1/spaces/${handbook}/content`
  const page = (title: string, markdown: string, fields: object = {}) => ({
    operation: 'insert_page',
    title,
    document: { markdown },
    ...fields,
  })
  const { changes } = await call(`POST ${base}?compat=false`, {
    changes: [
      {
        operation: 'insert_files',
        files: [{ name: 'note.txt', base64: 'SGVsbG8=', contentType: 'text/plain', ref: 'note' }],
      },
      page(
        'Written here',
        `# Written here\n\nSee [the guide](/spaces/${guide}/pages/${pages.get('Deep')}).\n\n[File](./note)\n`,
        {
          ref: 'here',
          layout: { outline: false, width: 'wide' },
          tags: [{ tag: 'beta', primary: true }],
          variables: { plan: 'free' },
          noIndex: true,
        },
      ),
      page(
        'Below',
        `# Below\n\nAsk [Ada](/users/${world.ada.id}), see [above](./here.md) and [all](/spaces/${guide}).\n`,
        {
          into: 'here',
        },
      ),
      { operation: 'insert_link', title: 'The page', target: { kind: 'page', page: 'here' } },
      {
        operation: 'insert_link',
        title: 'The other space',
        target: { kind: 'page', page: pages.get('Deep'), space: guide },
      },
      {
        operation: 'insert_reusable_content',
        title: 'Shared',
        document: { markdown: `[Guide](/spaces/${guide})` },
      },
    ],
  })
  assert.equal(changes[0].object, 'created_page')
  await fillSites(world, { guide, handbook, empty, page: pages.get('Deep') ?? '' })
  await fillChangeRequests(world, { guide, handbook }, { wil, rea })
  await fillDiscussion(world, guide, { wil })
  return { guide, handbook, empty }
}

/** Change requests with every kind of change, and in every state. */
async function fillChangeRequests(
  world: World,
  { guide, handbook }: Record<'guide' | 'handbook', string>,
  { wil, rea }: Record<'wil' | 'rea', Person>,
): Promise<void> {
  const call = requester(world)
  const list = `/v1/spaces/${guide}/change-requests`
  const { id } = await call(`POST ${list}`, { subject: 'Everything' })
  const { pages, files, reusableContents } = await call(`GET ${list}/${id}/content`)
  const pageOf = (title: string): Body => pages.find((page: Body) => page.title === title)
  const [welcome, deep] = [pageOf('Welcome'), pageOf('Deep')]
  const [berths, prices] = pageOf('Concepts').pages
  await call(`POST ${list}/${id}/content`, {
    changes: [
      {
        operation: 'insert_page',
        title: 'First of all',
        ref: 'first',
        at: 0,
        document: {
          markdown: `# First of all\n\n[Berths](/pages/${berths.id}) in [a book](/spaces/${handbook}).\n`,
        },
      },
      { operation: 'insert_page', title: 'Inside', into: 'first', icon: 'star', document: {} },
      { operation: 'update_page', page: welcome.id, description: 'Another one', cover: null },
      { operation: 'update_page', page: berths.id, document: { markdown: '# Berths\n\nTwo boats each.\n' } },
      { operation: 'update_page', page: berths.id, into: deep.id, at: 0 },
      { operation: 'delete_page', page: prices.id },
      { operation: 'update_file', file: files[0].id, name: 'image.svg' },
      { operation: 'update_reusable_content', reusableContent: reusableContents[0].id, title: 'Notes' },
      { operation: 'update_variables', variables: { season: 'winter', length: null, fresh: true } },
    ],
  })
  const text = { object: 'text', leaves: [{ object: 'leaf', text: 'Because of the boats.', marks: [] }] }
  const description = {
    object: 'document',
    data: {},
    nodes: [{ object: 'block', type: 'paragraph', data: {}, nodes: [text] }],
  }
  await call(`PATCH ${list}/${id}`, { description, status: 'open' })
  await call(`POST ${list}/${id}/requested-reviewers`, { users: [rea.id, wil.id] })
  await succeeds(rea, `POST ${list}/${id}/reviews`, { status: 'approved', comment: { markdown: 'At last.' } })
  await call(`POST ${list}/${id}/comments`, {
    body: { markdown: `See [Berths](/pages/${berths.id})` },
    page: berths.id,
  })

  await succeeds(wil, `POST ${list}`, { subject: 'A draft' })
  const archived = await call(`POST ${list}`, { subject: 'Archived' })
  await call(`PATCH ${list}/${archived.id}`, { status: 'archived' })
}

/** Comments on a space, of which others wrote some. */
async function fillDiscussion(world: World, space: string, { wil }: { wil: Person }): Promise<void> {
  const call = requester(world)
  const base = `/v1/spaces/${space}`
  const { pages } = await call(`GET ${base}/content`)
  const [page] = pages
  const { nodes } = await call(`GET ${base}/content/page/${page.id}/document`)
  const node = nodes[0].key
  const { id } = await call(`POST ${base}/comments`, {
    body: { markdown: `Is *this* right, [Wil](/users/${wil.id})?` },
    page: page.id,
    node,
    range: { start: 0, end: 5 },
    suggestion: { text: 'Texts' },
  })
  await succeeds(wil, `POST ${base}/comments/${id}/replies`, { body: { markdown: 'Yes.' } })
  await call(`PUT ${base}/comments/${id}`, { resolved: true })
  await call(`POST ${base}/comments`, { body: { markdown: 'On all of it' } })
  await succeeds(wil, `POST ${base}/comments`, { body: { markdown: 'From _me_' }, page: page.id })
}

async function succeeds(person: Person, request: string, body: unknown): Promise<void> {
  const answer = await person(request, body)
  assert(answer.status < 300, `${request}: ${answer.text}`)
}

/** Sites with sections in groups, with spaces alone, and with nothing. */
async function fillSites(
  world: World,
  { guide, handbook, empty, page }: FilledOrganization & { page: string },
): Promise<void> {
  const call = requester(world)
  const org = `/v1/orgs/${world.organizationId}`
  const { id } = await call(`POST ${org}/sites`, { title: 'Docs', visibility: 'unlisted', spaces: [guide] })
  const site = `${org}/sites/${id}`
  const claims = {
    type: 'object',
    properties: { plan: { type: 'string', enum: ['free', 'partner'], description: 'Plan' } },
    additionalProperties: false,
  }
  await call(`PUT ${site}/adaptive-schema`, { jsonSchema: claims })
  const second = await call(`POST ${site}/sections`, {
    spaceId: handbook,
    title: 'For the team',
    icon: 'users',
    description: 'Inside',
  })
  const outer = await call(`POST ${site}/section-groups`, { title: 'More', icon: 'star', draft: true })
  const inner = await call(`POST ${site}/section-groups`, {
    title: 'Even more',
    parent: outer.id,
    sections: [second.id],
  })
  assert.equal(inner.sections.length, 1)
  await call(`PATCH ${site}/sections/${second.id}`, {
    path: 'team',
    condition: 'visitor.claims.plan == "partner"',
  })
  const addLink = (title: string, fields = {}) =>
    call(`POST ${site}/external-links`, { title, url: `https://example.com/${title}`, ...fields })
  const status = await addLink('Status', {
    icon: 'signal',
    description: 'Uptime',
    condition: 'visitor.claims.plan == "free"',
  })
  await addLink('Shop', { draft: true })
  await addLink('Inside', { parent: outer.id })
  const item = { type: 'site-external-link', id: status.id }
  const before = { type: 'site-section-group', id: outer.id }
  await call(`PATCH ${site}/structure/sort`, { item, position: { before } })
  for (const server of [
    { name: 'Status', transport: 'http', headers: { authorization: 'Bearer secret' } },
    { name: 'Partners', headers: {}, condition: 'visitor.claims.plan == "partner"' },
  ])
    await call(`POST ${site}/mcp-servers`, { url: 'https://mcp.example.com/', ...server })
  const { items } = await call(`GET ${site}/sections`)
  const variant = await call(`POST ${site}/site-spaces`, { spaceId: empty, sectionId: items[0].id })
  await call(`PATCH ${site}/site-spaces/${variant.id}`, { path: 'de', draft: true })
  await call(`PATCH ${site}`, {
    basename: 'manual',
    adaptiveContent: { enabled: true },
    defaultSiteSection: second.id,
    proxy: 'example.com/docs',
  })
  const picture = { base64: Buffer.from(PICTURE).toString('base64') }
  const { url } = await call(`POST ${site}/pictures`, picture)
  const link = { title: 'Deep', to: { kind: 'page', page, space: guide }, links: [] }
  await call(`PUT ${site}/customization`, {
    styling: { theme: 'bold', primaryColor: { light: '#aa0000', dark: '#ff8888' } },
    header: { logo: { light: url, dark: url }, links: [link] },
    footer: {
      copyright: 'Tidewater',
      groups: [{ title: 'All', links: [{ title: 'Guide', to: { kind: 'space', space: guide } }] }],
    },
    pagination: { enabled: false },
  })
  await call(`PATCH ${site}/site-spaces/${variant.id}/customization`, { styling: { corners: 'circular' } })
  const [first] = items[0].siteSpaces
  for (const [source, destination] of Object.entries({
    '/a': { kind: 'site-section', siteSectionId: second.id },
    '/b': { kind: 'site-space', siteSpaceId: variant.id },
    '/c/*': { kind: 'external', url: 'https://example.com/' },
    '/d': { kind: 'site-page', siteSpaceId: first.id, pageId: page },
  }))
    await call(`POST ${site}/redirects`, {
      source,
      destination,
      permanent: source !== '/b',
      draft: source === '/b',
      captureWildcard: source === '/c/*',
    })
  await call(`POST ${site}/publish`)

  const shared = await call(`POST ${org}/sites`, {
    title: 'Shared',
    visibility: 'share-link',
    spaces: [handbook, guide],
  })
  await call(`POST ${org}/sites/${shared.id}/share-links`, { name: 'Auditors' })
  const old = await call(`POST ${org}/sites/${shared.id}/share-links`, { name: 'Former' })
  await call(`PATCH ${org}/sites/${shared.id}/share-links/${old.id}`, { active: false })
  await call(`POST ${org}/sites/${shared.id}/publish`)
  await call(`POST ${org}/sites`, { title: 'Without spaces', visibility: 'public' })
  const { items: teams } = await call(`GET ${org}/teams`)
  const { items: guests } = await call(`GET ${org}/members?role=guest`)
  await call(`PATCH ${org}/sites/${shared.id}`, { defaultLevel: 'read' })
  await call(`POST ${org}/sites/${shared.id}/permissions`, { teams: [teams[0].id], role: 'create' })
  await call(`POST ${org}/sites/${shared.id}/permissions`, { users: [guests[0].id], role: null })
}

async function imported(world: World, space: string, files: Record<string, string | Uint8Array>) {
  const answer = await importArchive(world, space, archiveOf(files))
  assert.equal(answer.status, 201, answer.text)
}
