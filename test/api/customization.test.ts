/** The appearance of a site: what is stored, what is refused, and what a space of the site overrides. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_CUSTOMIZATION } from '../../src/model/sites/customization/customization-settings.ts'
import { createWorld } from '../world.ts'
import { everySetting } from './every-setting.ts'

const world = await createWorld()
const { ada, organizationId } = world
const sites = `/v1/orgs/${organizationId}/sites`
const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Guide' })).body

async function newSite() {
  const { id } = (await ada(`POST ${sites}`, { title: 'Manual', spaces: 'empty' })).body
  const published = (await ada(`GET ${sites}/${id}/published`)).body
  const [siteSpace] = published.structure.structure
  return {
    at: `${sites}/${id}/customization`,
    published: `${sites}/${id}/published`,
    ofSpace: `${sites}/${id}/site-spaces/${siteSpace.id}/customization`,
    siteSpaceId: siteSpace.id as string,
    id: id as string,
  }
}

const EVERY = everySetting(space.id)

test('a site that was never customized has the defaults, and so have its spaces', async () => {
  const { at, ofSpace, published, siteSpaceId } = await newSite()
  assert.deepEqual((await ada(`GET ${at}?unmasked=true`)).body, DEFAULT_CUSTOMIZATION)
  assert.deepEqual((await ada(`GET ${ofSpace}`)).body, DEFAULT_CUSTOMIZATION)
  const { customizations, scripts } = (await ada(`GET ${published}`)).body
  assert.deepEqual(customizations.site, { ...DEFAULT_CUSTOMIZATION, title: 'Manual' })
  assert.deepEqual(Object.keys(customizations.siteSpaces), [siteSpaceId])
  assert.deepEqual(scripts, [])
})

test('PUT stores every setting and ignores unknown ones, and settings that it does not have get their defaults', async () => {
  const { at, published, siteSpaceId } = await newSite()
  const put = await ada(`PUT ${at}`, {
    ...EVERY,
    styling: { ...EVERY.styling, tint: { ...EVERY.styling.tint, later: 1 }, later: 1 },
    favicon: { ...EVERY.favicon, later: 1 },
    footer: {
      ...EVERY.footer,
      groups: EVERY.footer.groups.map((group) => ({
        ...group,
        links: group.links.map(({ title, to }) => ({ title, to: { ...to, later: 1 }, later: 1 })),
      })),
    },
    later: { than: 'this server' },
  })
  assert.equal(put.status, 200, put.text)
  const items = ['assistant', 'external-ai', 'mcp', 'git', 'pdf']
  const expected = { ...EVERY, socialAccounts: [], pageActions: { ...EVERY.pageActions, items } }
  assert.deepEqual(put.body, expected)
  assert.deepEqual((await ada(`GET ${at}`)).body, expected)
  const { customizations } = (await ada(`GET ${published}`)).body
  assert.deepEqual(customizations, { site: expected, siteSpaces: { [siteSpaceId]: expected } })

  const again = (await ada(`PUT ${at}`, (await ada(`GET ${at}`)).body)).body
  assert.deepEqual(again, expected, 'a response can be sent back')
  const reset = (await ada(`PUT ${at}`, { styling: { corners: 'straight', theme: null } })).body
  const { styling } = DEFAULT_CUSTOMIZATION
  assert.deepEqual(reset, { ...DEFAULT_CUSTOMIZATION, styling: { ...styling, corners: 'straight' } })
})

test('a list of page actions sets the switches that are not sent', async () => {
  const { at } = await newSite()
  const { body } = await ada(`PUT ${at}`, { pageActions: { items: ['pdf', 'external-ai'] } })
  assert.deepEqual(body.pageActions, {
    externalAI: true,
    markdown: false,
    mcp: false,
    items: ['pdf', 'external-ai'],
  })
  assert.deepEqual([body.git.showEditLink, body.pdf.enabled], [false, true])
})

test('a list of page actions wins against older switches, unless it is sent back, and keeps its order', async () => {
  const { at } = await newSite()
  await ada(`PUT ${at}`, { pageActions: { items: ['pdf', 'mcp', 'markdown'] } })
  const { body } = await ada(`GET ${at}`)
  const items = ['markdown', 'external-ai', 'mcp']
  const listed = (await ada(`PUT ${at}`, { ...body, pageActions: { ...body.pageActions, items } })).body
  assert.deepEqual(listed.pageActions, { externalAI: true, markdown: true, mcp: true, items })
  assert.equal(listed.pdf.enabled, false)

  const off = { ...listed, pageActions: { ...listed.pageActions, externalAI: false }, pdf: { enabled: true } }
  const switched = (await ada(`PUT ${at}`, off)).body
  assert.deepEqual(switched.pageActions.items, ['markdown', 'mcp', 'pdf'])
  assert.deepEqual((await ada(`GET ${at}`)).body, switched)
})

const link = (to: unknown) => ({ header: { links: [{ title: 'A', to, links: [] }] } })
const REFUSED: [string, object, RegExp][] = [
  [
    'a theme that does not exist',
    { styling: { theme: 'neon' } },
    /^body\.styling\.theme must be one of "clean"/,
  ],
  [
    'a colour by its name',
    { styling: { primaryColor: { light: 'red', dark: '#000' } } },
    /^body\.styling\.primaryColor\.light must be a colour such as/,
  ],
  [
    'half a colour',
    { styling: { infoColor: { light: '#fff' } } },
    /^body\.styling\.infoColor\.dark is required/,
  ],
  ['a font that does not exist', { styling: { font: 'Papyrus' } }, /^body\.styling\.font must be/],
  [
    'a script as a logo',
    { header: { logo: { light: 'javascript:alert(1)', dark: 'https://a.example/' } } },
    /^body\.header\.logo\.light must begin with "https:\/\/"/,
  ],
  [
    'a script as a link',
    link({ kind: 'url', url: 'javascript:alert(1)' }),
    /links\.0\.to\.url must begin with/,
  ],
  [
    'a link of an unknown kind',
    link({ kind: 'moon' }),
    /^body\.header\.links\.0\.to\.kind must be one of "url", "file"/,
  ],
  ['a link without a target', link({ kind: 'page' }), /^body\.header\.links\.0\.to\.page is required/],
  [
    'a space that does not exist',
    link({ kind: 'space', space: 'none' }),
    /must be the id of a space of this organization/,
  ],
  [
    'a long message',
    { announcement: { enabled: true, style: 'info', message: 'x'.repeat(129) } },
    /at most 128/,
  ],
  ['a long copyright', { footer: { copyright: 'x'.repeat(301) } }, /at most 300/],
  [
    'a favicon that is no emoji',
    { favicon: { emoji: '<svg>' } },
    /^body\.favicon\.emoji must be the code points/,
  ],
  ['a title of one letter', { title: 'x' }, /^body\.title must have at least 2/],
  [
    'a condition that does not parse',
    { header: { links: [{ title: 'A', to: null, links: [], condition: 'visitor.claims. == 1' }] } },
    /^body\.header\.links\.0\.condition must be a condition: .* at column 17$/,
  ],
  [
    'a condition that cannot be evaluated',
    { header: { links: [{ title: 'A', to: null, links: [], condition: 'visitor.claims?.plan' }] } },
    /^body\.header\.links\.0\.condition must be a condition: \?\. is not supported at column 15$/,
  ],
]
for (const [what, body, message] of REFUSED) {
  test(`refuses ${what}, for a site and for a space of it`, async () => {
    const { at, ofSpace } = await newSite()
    for (const request of [`PUT ${at}`, `PATCH ${ofSpace}`]) {
      const { status, body: answer } = await ada(request, body)
      assert.equal(status, 400)
      assert.match(answer.error.message, message)
    }
    assert.deepEqual((await ada(`GET ${at}`)).body, DEFAULT_CUSTOMIZATION)
  })
}

test('links cannot name a space that the caller cannot see, but keep one that they named before', async () => {
  const { at } = await newSite()
  const stranger = await world.stranger('mallory')
  const orgs = (await stranger('GET /v1/orgs')).body.items
  const foreign = (await stranger(`POST /v1/orgs/${orgs[0].id}/spaces`)).body
  assert.equal((await ada(`PUT ${at}`, link({ kind: 'space', space: foreign.id }))).status, 400)
  const gone = (await ada(`POST /v1/orgs/${organizationId}/spaces`)).body
  const body = link({ kind: 'page', page: 'p1', space: gone.id })
  assert.equal((await ada(`PUT ${at}`, body)).status, 200)
  await ada(`DELETE /v1/spaces/${gone.id}`)
  assert.equal((await ada(`PUT ${at}`, body)).status, 200)
})

test('a space of the site stores only what it overrides; null gives the setting of the site back', async () => {
  const { at, ofSpace, published, siteSpaceId } = await newSite()
  const { styling } = DEFAULT_CUSTOMIZATION
  const patched = await ada(`PATCH ${ofSpace}`, {
    styling: { theme: 'bold', sidebar: { list: 'line' } },
    footer: { copyright: 'Ours' },
  })
  assert.equal(patched.status, 200, patched.text)
  const own = { ...styling, theme: 'bold', sidebar: { background: 'default', list: 'line' } }
  assert.deepEqual(patched.body, {
    ...DEFAULT_CUSTOMIZATION,
    styling: own,
    footer: { groups: [], copyright: 'Ours' },
  })

  await ada(`PUT ${at}`, { styling: { theme: 'muted', corners: 'straight' } })
  const inherited = (await ada(`GET ${ofSpace}`)).body
  assert.deepEqual([inherited.styling.theme, inherited.styling.corners], ['bold', 'straight'])
  const { customizations } = (await ada(`GET ${published}`)).body
  assert.equal(customizations.site.styling.theme, 'muted')
  assert.equal(customizations.siteSpaces[siteSpaceId].styling.theme, 'bold')

  const back = (await ada(`PATCH ${ofSpace}`, { styling: { theme: null }, footer: null })).body
  assert.deepEqual(
    [back.styling.theme, back.styling.sidebar.list, back.footer.copyright],
    ['muted', 'line', undefined],
  )
})

test('removing the overrides of a space is 205, and 204 if there are none', async () => {
  const { ofSpace } = await newSite()
  assert.equal((await ada(`DELETE ${ofSpace}`)).status, 204)
  await ada(`PATCH ${ofSpace}`, { pdf: { enabled: true } })
  assert.equal((await ada(`DELETE ${ofSpace}`)).status, 205)
  assert.deepEqual((await ada(`GET ${ofSpace}`)).body, DEFAULT_CUSTOMIZATION)
  await ada(`PATCH ${ofSpace}`, { pdf: { enabled: true } })
  await ada(`PATCH ${ofSpace}`, { pdf: { enabled: null } })
  assert.equal((await ada(`DELETE ${ofSpace}`)).status, 204, 'the last override was removed')
})

test('a space of another site is 404', async () => {
  const [one, other] = [await newSite(), await newSite()]
  const mixed = `${sites}/${one.id}/site-spaces/${other.siteSpaceId}/customization`
  for (const method of ['GET', 'PATCH', 'DELETE'])
    assert.equal((await ada(`${method} ${mixed}`, method === 'PATCH' ? {} : undefined)).status, 404)
})

test('every change increases the version of the site, by which its pages are cached', async () => {
  const { at, ofSpace, id } = await newSite()
  const version = async () =>
    (await world.db.read.selectFrom('site').select('version').where('id', '=', id).executeTakeFirstOrThrow())
      .version
  const before = await version()
  await ada(`PUT ${at}`, {})
  await ada(`PATCH ${ofSpace}`, { pdf: { enabled: true } })
  await ada(`DELETE ${ofSpace}`)
  assert.equal(await version(), before + 3)
})
