/** Pictures that are uploaded for the look of a site, and who can load them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { jwt } from '../sites/reading.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, nobody, organizationId } = world
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const GIF = Buffer.from('GIF89a\x08\x00\x04\x00\x00\x00\x00', 'latin1')
const sent = (bytes: string | Buffer) => ({ base64: Buffer.from(bytes).toString('base64') })
const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Start\n\nText.\n' }), 'Docs')
const { siteId, address: published } = await publish(world, spaceId, 'Docs')
const site = `/v1/orgs/${organizationId}/sites/${siteId}`
const pathOf = (url: string) => url.slice(new URL(url).origin.length)

test('an uploaded picture is the logo and the icon of the site', async () => {
  const logo = await ada(`POST ${site}/pictures`, sent(SVG))
  assert.equal(logo.status, 201, logo.text)
  const icon = await ada(`POST ${site}/pictures`, sent(GIF))
  const both = (url: string) => ({ light: url, dark: url })
  const before = (await ada(`GET ${site}/customization`)).body
  const settings = {
    ...before,
    header: { ...before.header, logo: both(logo.body.url) },
    favicon: { icon: both(icon.body.url) },
  }
  assert.equal((await ada(`PUT ${site}/customization`, settings)).status, 200)
  const home = `/sites/docs${new URL(published).pathname}`
  const page = await nobody(`GET ${home}`)
  const shown = [...page.text.matchAll(/(?:src|href)="([^"]*~\/look\/[^"]*\.(svg|gif))"/g)]
  assert.deepEqual(new Set(shown.map(([, , kind]) => kind)), new Set(['svg', 'gif']))
  for (const [, address = '', kind] of shown) {
    const answer = await nobody(`GET ${address}`)
    assert.equal(answer.status, 200, address)
    assert.equal(answer.headers.get('content-type'), kind === 'svg' ? 'image/svg+xml' : 'image/gif')
    assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/)
  }
  const { items: events } = (await ada(`GET /v1/orgs/${organizationId}/audit-events?limit=10`)).body
  const event = events.find((one: { action: string }) => one.action === 'site.picture.upload')
  assert.equal(event.target.label, 'Docs')
})

test('only the address in the response serves a picture', async () => {
  const { url } = (await ada(`POST ${site}/pictures`, sent(`${SVG}<!-- 2 -->`))).body
  const path = pathOf(url)
  assert.equal((await nobody(`GET ${path}`)).status, 200)
  const other = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Other' })).body.id
  const forged = [
    path.replace(/signature=.{4}/, 'signature=AAAA'),
    path.replace(/\?.*/, ''),
    path.replace(spaceId, other),
    path.replace(/\/[0-9a-f]{4}(?=[0-9a-f]{60})/, '/0000'),
  ]
  for (const address of forged) {
    const { status } = await nobody(`GET ${address}`)
    assert([400, 404].includes(status), `${address}: ${status}`)
  }
})

test('the signed address of a logo ends with the site and with the share link through which it was read', async () => {
  const { url } = (await ada(`POST ${site}/pictures`, sent(`${SVG}<!-- 3 -->`))).body
  const before = (await ada(`GET ${site}/customization`)).body
  const settings = { ...before, header: { ...before.header, logo: { light: url, dark: url } } }
  assert.equal((await ada(`PUT ${site}/customization`, settings)).status, 200)
  const logoOf = async (path: string, headers: Record<string, string> = {}) => {
    const { text } = await nobody(`GET ${path}`, undefined, headers)
    return /<img class="logo" src="([^"]*)"/.exec(text)![1]!.replaceAll('&amp;', '&')
  }
  const status = async (path: string) => (await nobody(`GET ${path}`)).status
  const home = `/sites/docs${new URL(published).pathname}`

  await ada(`PATCH ${site}`, { visibility: 'visitor-auth' })
  const { privateKey } = (await ada(`GET ${site}/publishing/auth`)).body
  const signed = await logoOf(home, { authorization: `Bearer ${jwt(privateKey, {})}` })
  assert.match(signed, /signature=/)
  assert.equal(await status(signed), 200)
  await ada(`POST ${site}/unpublish`)
  assert.equal(await status(signed), 404)
  await ada(`POST ${site}/publish`)
  assert.equal(await status(signed), 200)

  await ada(`PATCH ${site}`, { visibility: 'share-link' })
  assert.notEqual(await status(signed), 200)
  const { id } = (await ada(`POST ${site}/share-links`, { name: 'Partners' })).body
  const key = /share_\w+/.exec((await ada(`GET ${site}/share-links`)).body.items[0].urls.published)![0]
  const shared = await logoOf(`${home}${key}/`)
  assert.equal(await status(shared), 200)
  assert((await ada(`DELETE ${site}/share-links/${id}`)).status < 300)
  assert.notEqual(await status(shared), 200)
})

test('what is no picture is refused, with the reason', async () => {
  const large = Buffer.concat([GIF, Buffer.alloc(1024 * 1024)])
  const wide = Buffer.from('GIF89a\xff\xff\x01\x00\x00\x00\x00', 'latin1')
  const refused: [object, RegExp][] = [
    [sent('<html><script>alert(1)</script></html>'), /must be an SVG, PNG, JPEG, GIF or WebP image/],
    [sent(''), /must be base64/],
    [{ base64: 'not base64!' }, /must be base64/],
    [sent(large), /at most|must NOT have more|1398104/],
    [sent(wide), /at most 4096 × 4096 pixels, but has 65535 × 1/],
    [{}, /base64/],
  ]
  for (const [body, reason] of refused) {
    const { status, text } = await ada(`POST ${site}/pictures`, body)
    assert.equal(status, 400, text)
    assert.match(text, reason)
  }
  const empty = (await ada(`POST /v1/orgs/${organizationId}/sites`, { title: 'Empty' })).body.id
  const without = await ada(`POST /v1/orgs/${organizationId}/sites/${empty}/pictures`, sent(GIF))
  assert.equal(without.status, 409, without.text)
})

test('the logo of an organization can be a picture that the server keeps', async () => {
  const organization = `/v1/orgs/${organizationId}`
  const { status, body, text } = await ada(`PATCH ${organization}`, { logoPicture: sent(`${SVG}<!-- 3 -->`) })
  assert.equal(status, 200, text)
  const answer = await nobody(`GET ${pathOf(body.urls.logo)}`)
  assert.equal(answer.headers.get('content-type'), 'image/svg+xml')
  assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/)
  // A client may send back what it read.
  const again = await ada(`PATCH ${organization}`, { logo: body.urls.logo, title: 'Acme' })
  assert.equal(again.body.urls.logo, body.urls.logo)
  const refused: [object, RegExp][] = [
    [{ logoPicture: sent('<html></html>') }, /must be an SVG, PNG, JPEG, GIF or WebP image/],
    [{ logoPicture: sent(GIF), logo: 'https://example.com/logo.png' }, /Send one of/],
    [{ logoPicture: sent(GIF), logo: null }, /Send one of/],
  ]
  for (const [changes, reason] of refused) {
    const response = await ada(`PATCH ${organization}`, changes)
    assert.equal(response.status, 400, response.text)
    assert.match(response.text, reason)
  }
  const { id } = (await ada('POST /v1/orgs?withDefaultSite=false', { title: 'No spaces' })).body
  assert.equal((await ada(`PATCH /v1/orgs/${id}`, { logoPicture: sent(GIF) })).status, 409)
})
