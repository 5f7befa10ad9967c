/** A space of which a reader may see no page is no entry of the site, and neither is a section or a group of only such. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ANONYMOUS, hiddenPages, seesSomePage, stepsOfSpace } from '../../src/access/visitors/visitors.ts'
import { indexTree } from '../../src/core/content/tree/tree.ts'
import type { PageRecord } from '../../src/core/content/revision.ts'
import { insert } from '../batches.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { holds } from '../property.ts'
import { createWorld } from '../world.ts'
import { bearer, soon } from './reader-table.ts'
import { resolveFor } from './reader-surfaces.ts'
import { cookiesOf, siteForReaders } from './reading.ts'

const world = await createWorld()
const { ada, organizationId } = world
const PRO = '---\nif: visitor.claims.plan == "pro"\n---\n\n'
const done = async (request: string, body: object = {}) => {
  const { status, text, body: made } = await ada(request, body)
  assert(status < 300, `${request}: ${text}`)
  return made
}
const spaceOf = async (title: string, files: Record<string, string>): Promise<string> =>
  Object.keys(files).length === 0
    ? (await done(`POST /v1/orgs/${organizationId}/spaces`, { title })).id
    : (await spaceWith(world, archiveOf(files), title)).spaceId
/** The page below one with a condition has none itself. */
const FOR_PRO = {
  'SUMMARY.md': '# Summary\n\n* [One](one.md)\n  * [Two](one/below.md)\n',
  'one.md': `${PRO}# One\n`,
  'one/below.md': '# Two\n',
}
const FOR_ALL = { 'README.md': `${PRO}# One\n`, 'below.md': '# Two\n' }

const site = await siteForReaders(world, 'Zebra', FOR_PRO)
const spaces = new Map<string, string>()
const addSpace = async (title: string, files: Record<string, string>, sectionId?: string) => {
  spaces.set(title, await spaceOf(title, files))
  await done(`POST ${site.at}/site-spaces`, { spaceId: spaces.get(title), sectionId })
}
const addSection = async (title: string, files: Record<string, string>): Promise<string> => {
  spaces.set(title, await spaceOf(title, files))
  return (await done(`POST ${site.at}/sections`, { spaceId: spaces.get(title), title })).id
}
await addSpace('Wolf', FOR_ALL)
await addSpace('Yak', FOR_PRO)
await addSpace('Lynx', {})
await addSpace('Ibex', FOR_PRO, await addSection('Gnu', FOR_PRO))
await done(`POST ${site.at}/section-groups`, {
  title: 'Vultures',
  sections: [await addSection('Okapi', FOR_PRO)],
})
await addSpace('Quokka', FOR_ALL, await addSection('Panda', FOR_PRO))

const NAMES = ['Wolf', 'Yak', 'Lynx', 'Gnu', 'Ibex', 'Okapi', 'Vultures', 'Panda', 'Quokka']
/** What each reader finds of the site. */
const READERS = {
  stranger: { headers: {}, sees: ['Wolf', 'Panda', 'Quokka'], start: 'wolf/' },
  pro: {
    headers: bearer({ plan: 'pro', exp: soon() }, site.privateKey),
    sees: NAMES.filter((name) => name !== 'Lynx'),
    start: '',
  },
}
/** As words, because an id can have the letters of a name. */
const namesIn = (text: string) =>
  NAMES.filter((name) => new RegExp(`(?<![a-z0-9])${name}(?![a-z0-9])`, 'i').test(text))

for (const [reader, { headers, sees, start }] of Object.entries(READERS))
  test(`${reader}: a space, a section and a group without pages for the reader are named nowhere`, async () => {
    const at = { ...site, address: site.address + start }
    const authorization = `Bearer ${(await resolveFor(world, at, { headers })).body.apiToken}`
    const api = (path: string) => world.nobody(`GET ${path}`, undefined, { authorization })
    const unseenIn = (text: string) => namesIn(text).filter((name) => !sees.includes(name))

    const root = await site.get('', headers)
    assert.equal(root.status, start === '' ? 200 : 301)
    if (start !== '') assert.equal(root.headers.get('location'), site.base + start)
    for (const path of [start, 'panda/', 'llms.txt', 'llms-full.txt', 'sitemap.xml', '~/search?q=two']) {
      const { text, status } = await site.get(path, headers)
      assert([200, 301].includes(status), `${path}: ${status}`)
      assert.deepEqual(unseenIn(text), [], path)
    }
    for (const path of ['structure', 'published'])
      assert.deepEqual(namesIn((await api(`${site.at}/${path}`)).text), sees, path)
    for (const path of ['sections', 'section-groups', 'site-spaces']) {
      const { status, text } = await api(`${site.at}/${path}`)
      assert.equal(status, 200, text)
      assert.deepEqual(unseenIn(text), [], path)
    }
    for (const [name, id] of spaces) {
      // The section has a page for strangers, and its default space has none.
      const isSeen = sees.includes(name) && (reader === 'pro' || name !== 'Panda')
      assert.equal((await api(`/v1/spaces/${id}`)).status, isSeen ? 200 : 404, name)
    }
    for (const path of ['yak/', 'yak/one/below', 'gnu/', 'gnu/ibex/', 'okapi/one/below'])
      assert.equal((await site.get(path, headers)).status, reader === 'pro' ? 200 : 404, path)
    assert.equal((await site.get('lynx/', headers)).status, 404)
  })

test('a member sees all parts of the site, because they fill them', async () => {
  const { text } = await ada(`GET ${site.at}/structure`)
  assert.deepEqual(namesIn(text), NAMES)
})

test('a space is an entry from its first page on, and before only in a preview', async () => {
  const lynx = spaces.get('Lynx')
  const { pathname, search } = new URL((await ada(`GET ${site.at}/publishing/preview`)).body.url)
  const cookie = cookiesOf(await world.nobody(`GET /sites/docs${pathname}${search}`))
  const { text } = await site.get('wolf/', { cookie })
  assert.deepEqual(namesIn(text), ['Wolf', 'Lynx', 'Panda', 'Quokka'])
  await done(`PATCH /v1/spaces/${lynx}`, { editMode: 'live' })
  await done(`POST /v1/spaces/${lynx}/content`, { changes: [insert('# First')] })
  assert.equal((await site.get('lynx/')).status, 200)
  assert.match((await site.get('wolf/')).text, /Lynx/)
})

test('a site without any page for a reader shows that it is there, with its default space alone', async () => {
  const hollow = await siteForReaders(world, 'Hollow', FOR_PRO)
  await done(`POST ${hollow.at}/site-spaces`, { spaceId: await spaceOf('Yak', FOR_PRO) })
  const { status, text } = await hollow.get('')
  assert.equal(status, 200)
  assert.match(text, /There is no page to read here yet/)
  assert.deepEqual(namesIn(text), [])
  const { apiToken } = (await resolveFor(world, hollow, {})).body
  const authorization = `Bearer ${apiToken}`
  const structure = (await world.nobody(`GET ${hollow.at}/structure`, undefined, { authorization })).body
  assert.deepEqual(
    (structure.structure as { title: string }[]).map(({ title }) => title),
    ['Hollow'],
  )
})

test('a visitor sees some page if and only if not all documents are hidden', async () => {
  const page = fc.record({
    type: fc.constantFrom('document' as const, 'document' as const, 'group' as const),
    above: fc.nat(6),
    condition: fc.constantFrom(undefined, 'true', 'false', 'visitor.claims.plan == "pro"'),
  })
  await holds(
    fc.asyncProperty(fc.array(page, { maxLength: 6 }), async (pages) => {
      const records = pages.map(({ type, above, condition }, at) => {
        const parent = above < at ? `p${above}` : null
        const record = { id: `p${at}`, type, parent, title: '', slug: `p${at}`, order: `${at}` }
        return { ...record, ...(condition === undefined ? {} : { condition }) } as PageRecord
      })
      const tree = indexTree(new Map(records.map((record) => [record.id, record])))
      const hidden = await hiddenPages(tree, ANONYMOUS, {})
      const isSome = records.some(({ id, type }) => type === 'document' && !hidden.has(id))
      assert.equal(await seesSomePage(tree, ANONYMOUS, {}, stepsOfSpace()), isSome)
    }),
  )
})
