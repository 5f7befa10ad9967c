/** The font of headings, which can be another one than that of the text. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { siteToCustomize } from './looks.ts'

const world = await createWorld()
const { ada, nobody } = world
const site = await siteToCustomize(world)
const put = async (styling: object, status = 200) => {
  const { status: got, body } = await ada(`PUT ${site.at}`, { styling })
  assert.equal(got, status)
  return body
}

/** The style sheet of the site. */
async function sheet(): Promise<string> {
  const { pathname } = new URL(site.address)
  const html = (await nobody(`GET ${pathname}`)).text
  const [, href] = /href="([^"]*~\/theme\/[^"]+)"/.exec(html) ?? []
  return href === undefined ? '' : (await nobody(`GET ${href}`)).text
}
const familyOf = (css: string, variable: string) =>
  new RegExp(`--${variable}:([^,;]+)`).exec(css)?.[1] ?? 'that of all sites'
const facesIn = (css: string) => [...css.matchAll(/font-family: ?'([^']+)'/g)].map(([, name]) => name)

test('headings have their font, or else that of the text', async () => {
  assert.equal(await sheet(), '')
  await put({ headingFont: 'Merriweather' })
  let css = await sheet()
  assert.deepEqual(
    [familyOf(css, 'sans'), familyOf(css, 'serif')],
    ['that of all sites', "'Merriweather Variable'"],
  )
  assert(facesIn(css).includes('Merriweather Variable'))

  const { styling } = await put({ font: 'Inter', headingFont: 'SourceSansPro' })
  assert.equal(styling.headingFont, 'SourceSansPro')
  css = await sheet()
  assert.deepEqual([familyOf(css, 'sans'), familyOf(css, 'serif')], ["'Inter Variable'", "'Lectern Sans'"])

  const { styling: reset } = await put({ font: 'Inter', headingFont: null })
  assert(!('headingFont' in reset))
  css = await sheet()
  assert.equal(familyOf(css, 'serif'), "'Inter Variable'")
  const faces = facesIn(css).length
  // The same font twice has its rules once.
  await put({ font: 'Inter', headingFont: 'Inter' })
  assert.equal(facesIn(await sheet()).length, faces)
})

test('a space of a site has its own font of headings, until it removes it', async () => {
  await put({ headingFont: 'Lato' })
  const [{ id }] = (await ada(`GET ${site.at.replace('customization', 'site-spaces')}`)).body.items
  const at = site.at.replace('customization', `site-spaces/${id as string}/customization`)
  const changed = await ada(`PATCH ${at}`, { styling: { headingFont: 'Poppins' } })
  assert.equal(changed.body.styling.headingFont, 'Poppins')
  assert.equal(familyOf(await sheet(), 'serif'), "'Poppins'")
  const removed = await ada(`PATCH ${at}`, { styling: { headingFont: null } })
  assert.equal(removed.body.styling.headingFont, 'Lato')
  assert.equal(familyOf(await sheet(), 'serif'), "'Lato'")
})

test('a font of headings can be a file of a space, and no other file', async () => {
  const woff = await readFile(new URL('../../src/sites/assets/fonts/sans-basic.woff2', import.meta.url))
  const { spaceId } = await spaceWith(
    world,
    archiveOf({ 'README.md': '# Files\n\n[Font](brand.woff2)\n', 'brand.woff2': woff }),
  )
  const { items } = (await ada(`GET /v1/spaces/${spaceId}/content/files`)).body
  const font = (url: string) => ({
    id: 'brand',
    custom: true,
    fontFamily: 'Brand',
    fontFaces: [{ weight: 700, sources: [{ url, format: 'woff2' }] }],
  })
  const { error } = await put({ headingFont: font('https://example.org/brand.woff2') }, 400)
  assert.equal(error.details[0].path, 'body.styling.headingFont.fontFaces.0.sources.0.url')
  await put({ headingFont: font(items[0].downloadURL as string) })
  const css = await sheet()
  assert.equal(familyOf(css, 'serif'), "'Own Brand'")
  const [, path = ''] = /url\('([^']*~\/look\/[^']+)'\)/.exec(css) ?? []
  const { status, headers } = await nobody(`GET ${path}`)
  assert.deepEqual([status, headers.get('content-type')], [200, 'font/woff2'])
})
