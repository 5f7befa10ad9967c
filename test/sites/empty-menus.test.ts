/** A group or menu of the settings without a link that the reader may see is named neither by pages nor by the API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'
import { resolveFor } from './reader-surfaces.ts'
import { bearer, soon } from './reader-table.ts'
import { siteForReaders } from './reading.ts'

const world = await createWorld()
const site = await siteForReaders(world, 'Menus', {
  'README.md': '# Welcome\n',
  'secret.md': '---\nif: visitor.claims.plan == "pro"\n---\n\n# Secret\n',
})
const { pages } = (await world.ada(`GET /v1/spaces/${site.spaceId}/content/pages`)).body
const secretPage = pages.find(({ title }: { title: string }) => title === 'Secret').id

/** Every way to name what only some readers see. */
const SECRETS: Record<string, object> = {
  'a page': { kind: 'page', page: secretPage },
  'a page of a space': { kind: 'page', page: secretPage, space: site.spaceId },
  'a part of a page': { kind: 'anchor', page: secretPage, anchor: 'part' },
  'a full URL': { kind: 'url', url: `${site.address}secret` },
}
const secrets = Object.values(SECRETS).map((to, i) => ({ title: `Secret link ${i}`, to }))
const open = { title: 'Open link', to: { kind: 'url', url: 'https://example.com/' } }
/** The settings, where a title tells who sees it. */
const SETTINGS = {
  header: {
    links: [
      { title: 'Pro menu', to: null, links: secrets },
      ...secrets.map((link, i) => ({ ...link, title: `Pro entry ${i}`, links: secrets })),
      { title: 'Entry of all', to: secrets[0]!.to, links: [open] },
      { title: 'Menu of all', to: null, links: [...secrets, open] },
      { title: 'Nobody: menu', to: null, links: [] },
      { ...open, title: 'Pro condition', links: [open], condition: 'visitor.claims.plan == "pro"' },
    ],
  },
  footer: {
    groups: [
      { title: 'Pro group', links: secrets },
      ...secrets.map((link, i) => ({ title: `Pro group ${i}`, links: [link] })),
      { title: 'Group of all', links: [...secrets, open] },
      { title: 'Nobody: group', links: [] },
    ],
  },
  announcement: { enabled: true, message: 'Message of all', style: 'info', link: secrets[0] },
  privacyPolicy: { url: `${site.address}secret` },
}
const TITLES = [
  ...SETTINGS.header.links.map(({ title }) => title),
  ...SETTINGS.footer.groups.map(({ title }) => title),
  SETTINGS.announcement.message,
]

const READERS = {
  stranger: { headers: {}, isPro: false },
  pro: { headers: bearer({ plan: 'pro', exp: soon() }, site.privateKey), isPro: true },
}
const put = async (settings: object) => {
  const { status, text } = await world.ada(`PUT ${site.at}/customization`, settings)
  assert.equal(status, 200, text)
}

for (const [reader, { headers, isPro }] of Object.entries(READERS)) {
  const published = async () => {
    const { apiToken } = (await resolveFor(world, site, { headers })).body
    const authorization = `Bearer ${apiToken}`
    return JSON.stringify(
      (await world.nobody(`GET ${site.at}/published`, undefined, { authorization })).body.customizations,
    )
  }
  const surfaces = { 'a page': async () => (await site.get('', headers)).text, 'the API': published }

  test(`${reader}: menus and groups without links`, async () => {
    await put(SETTINGS)
    for (const [surface, read] of Object.entries(surfaces)) {
      const text = await read()
      for (const title of TITLES) {
        const isShown = !title.startsWith('Nobody') && (isPro || !title.startsWith('Pro'))
        assert.equal(text.includes(title), isShown, `${surface}: ${title}`)
      }
      if (isPro) continue
      for (const [name, to] of Object.entries(SECRETS))
        assert(!text.includes(JSON.stringify(to)), `${surface}: ${name}`)
      assert.doesNotMatch(text, /Secret link|\/secret/, surface)
      assert(!text.includes(secretPage), surface)
    }
  })

  test(`${reader}: menus and groups that are empty for everybody`, async () => {
    await put({
      header: {
        links: [
          { title: 'Nobody: menu', to: null, links: [] },
          { ...open, links: [] },
        ],
      },
      footer: { groups: [{ title: 'Nobody: group', links: [] }] },
    })
    for (const [surface, read] of Object.entries(surfaces)) {
      const text = await read()
      assert.doesNotMatch(text, /Nobody/, surface)
      assert.match(text, /Open link/, surface)
    }
  })
}
