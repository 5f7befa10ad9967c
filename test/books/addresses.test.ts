/** The addresses of books and archives: what ends them, for everybody who gets one. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { archiveOf, importArchive } from '../importing.ts'
import { jwt, siteForReaders } from '../sites/reading.ts'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld()
const { ada, nobody, organizationId } = world
const CONTENT = {
  'README.md': '# Welcome\n',
  'SUMMARY.md': '# Summary\n\n* [Welcome](README.md)\n* [Page](page.md)\n',
  'page.md': '# Page\n\nFor those who pay.\n',
}
const site = await siteForReaders(world, 'Signed', CONTENT)
await site.set({ visibility: 'visitor-auth' })
const space = `/v1/spaces/${site.spaceId}`
await done(ada(`PATCH ${space}`, { editMode: 'live' }))
const claims = () => ({ plan: 'pro', exp: Math.floor(Date.now() / 1000) + 24 * 3600 })
const reader = await world.person('Reader', 'read')
const editor = await world.person('Editor', 'edit')
const previewer = await world.person('Previewer', 'create')
const { number } = await done(ada(`POST ${space}/change-requests`, {}))

async function done(answer: ReturnType<Person>) {
  const { status, body, text } = await answer
  assert(status < 300, text)
  return body
}

async function withSiteToken(visitor: object, path: string): Promise<string> {
  const { apiToken } = await done(nobody('POST /v1/urls/published', { url: site.address, visitor }))
  const authorization = `Bearer ${apiToken}`
  return (await done(nobody(`GET ${path}`, undefined, { authorization }))).url
}

async function inPreview(path: string): Promise<string> {
  const { url } = await done(previewer(`GET ${site.at}/publishing/preview`))
  const { apiToken } = await done(nobody('POST /v1/urls/published', { url }))
  const authorization = `Bearer ${apiToken}`
  return (await done(nobody(`GET ${path}`, undefined, { authorization }))).url
}

const signedIn = () => ({ jwtToken: jwt(site.privateKey, claims()) })
const EPUB = `${space}/pdf?format=epub`
const OF_CHANGE_REQUEST = `${space}/change-requests/${number}/pdf?format=epub`

type Kind = 'visitor' | 'preview' | 'member' | 'editor'

/** The address of a file that each kind of holder gets. */
const HOLDERS: Record<string, { kind: Kind; address: () => Promise<string> }> = {
  'a PDF for a visitor': { kind: 'visitor', address: () => withSiteToken(signedIn(), `${space}/pdf`) },
  'an EPUB for a visitor': { kind: 'visitor', address: () => withSiteToken(signedIn(), EPUB) },
  'a book in a preview': { kind: 'preview', address: () => inPreview(EPUB) },
  'a change request in a preview': { kind: 'preview', address: () => inPreview(OF_CHANGE_REQUEST) },
  'a book for a member': { kind: 'member', address: async () => (await done(reader(`GET ${EPUB}`))).url },
  'a change request for a member': {
    kind: 'member',
    address: async () => (await done(reader(`GET ${OF_CHANGE_REQUEST}`))).url,
  },
  'an archive for an editor': {
    kind: 'editor',
    address: async () => (await done(editor(`GET ${space}/content/export`))).url,
  },
}

const write = async (files: object) =>
  done(importArchive(world, site.spaceId, archiveOf({ ...CONTENT, ...files })))
const member = ({ id }: Person) => `/v1/orgs/${organizationId}/members/${id}`
const SITE: Kind[] = ['visitor', 'preview']
const ALL: Kind[] = [...SITE, 'member', 'editor']

interface End {
  end: () => Promise<unknown>
  /** Whose addresses end. */
  of: Kind[]
  undo?: () => Promise<unknown>
}

const ENDS: Record<string, End> = {
  'the private key is replaced': {
    of: SITE,
    async end() {
      site.privateKey = (await done(ada(`POST ${site.at}/publishing/auth/regenerate`))).privateKey
    },
  },
  'the page gets a condition': {
    of: SITE,
    end: () => write({ 'page.md': `---\nif: visitor.claims.plan == "free"\n---\n\n${CONTENT['page.md']}` }),
    undo: () => write({}),
  },
  'a block gets a condition': {
    of: SITE,
    end: () =>
      write({
        'page.md': '# Page\n\n{% if visitor.claims.plan == "free" %}\nFor those who pay.\n{% endif %}\n',
      }),
    undo: () => write({}),
  },
  'the page is deleted': {
    of: SITE,
    async end() {
      const { pages } = await done(ada(`GET ${space}/content/pages`))
      const { id } = pages.find(({ title }: { title: string }) => title === 'Page')
      await done(ada(`POST ${space}/content`, { changes: [{ operation: 'delete_page', page: id }] }))
    },
    undo: () => write({}),
  },
  'the space gets a condition on the site': {
    of: SITE,
    async end() {
      const { items } = await done(ada(`GET ${site.at}/site-spaces`))
      await done(
        ada(`PATCH ${site.at}/site-spaces/${items[0].id}`, { condition: 'visitor.claims.plan == "free"' }),
      )
    },
    async undo() {
      const { items } = await done(ada(`GET ${site.at}/site-spaces`))
      await done(ada(`PATCH ${site.at}/site-spaces/${items[0].id}`, { condition: null }))
    },
  },
  'the site is taken offline': {
    of: SITE,
    end: () => done(ada(`POST ${site.at}/unpublish`)),
    undo: () => done(ada(`POST ${site.at}/publish`)),
  },
  'only a share link opens the site': {
    of: SITE,
    end: () => site.set({ visibility: 'share-link' }),
    undo: () => site.set({ visibility: 'visitor-auth' }),
  },
  'the site ignores claims': {
    of: SITE,
    end: () => site.set({ adaptiveContent: { enabled: false } }),
    undo: () => site.set({ adaptiveContent: { enabled: true } }),
  },
  'the members lose their roles': {
    of: ['preview', 'editor'],
    async end() {
      for (const one of [previewer, editor]) await done(ada(`PATCH ${member(one)}`, { role: 'read' }))
    },
    async undo() {
      await done(ada(`PATCH ${member(previewer)}`, { role: 'create' }))
      await done(ada(`PATCH ${member(editor)}`, { role: 'edit' }))
    },
  },
  'an hour passes': {
    of: ALL,
    async end() {
      world.clock.now = new Date(Date.now() + 3_600_001)
    },
    async undo() {
      world.clock.now = undefined
    },
  },
  'the space is deleted': {
    of: ALL,
    end: () => done(ada(`DELETE ${space}`)),
    undo: () => done(ada(`POST ${space}/restore`)),
  },
  'the members leave the organization': {
    of: ['preview', 'member', 'editor'],
    async end() {
      for (const one of [reader, editor, previewer]) await done(ada(`DELETE ${member(one)}`))
    },
  },
}

const statusOf = async (address: string) => (await fetch(address)).status
after(() => void (world.clock.now = undefined))
before(() => write({}))

for (const [name, { end, of }] of Object.entries(ENDS))
  test(`the address of a file ends for its holder when ${name}`, async () => {
    const given: [string, Kind, string][] = []
    for (const [holder, { kind, address }] of Object.entries(HOLDERS))
      given.push([holder, kind, await address()])
    for (const [holder, , address] of given) assert.equal(await statusOf(address), 200, holder)
    await end()
    for (const [holder, kind, address] of given)
      assert.equal(await statusOf(address), of.includes(kind) ? 404 : 200, holder)
    await ENDS[name]!.undo?.()
  })
