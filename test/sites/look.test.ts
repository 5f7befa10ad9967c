/** Every choice of a site's appearance in a real browser: readable, without complaints, and in the language of the reader. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { firstOf } from '../effort.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import {
  copiedText,
  axeFindings,
  DEVICES,
  leave,
  openBrowser,
  openPage,
  sidewaysScroll,
  visit,
  WITHOUT_BROWSER,
} from './browser.ts'
import { FULL, siteToCustomize } from './looks.ts'

const world = await createWorld()
const { ada } = world
const [laptop, dark, phone] = DEVICES as [(typeof DEVICES)[0], (typeof DEVICES)[0], (typeof DEVICES)[0]]
const site = await siteToCustomize(world)

async function put(settings: object) {
  const { status, text } = await ada(`PUT ${site.at}`, settings)
  assert.equal(status, 200, text)
}
const get = async (path = '') => (await fetch(site.address + path)).text()

/** Choices that differ in every respect, one for each theme; the colours are bad ones. */
const CHOICES = [
  { theme: 'clean', primaryColor: { light: '#ffff00', dark: '#000033' } },
  {
    theme: 'muted',
    primaryColor: { light: '#7c3aed', dark: '#c4b5fd' },
    background: 'match',
    codeTheme: {
      default: { light: 'dracula', dark: 'github-light' },
      openapi: { light: 'default-light', dark: 'default-dark' },
    },
    tint: { color: { light: '#7c3aed', dark: '#7c3aed' } },
    corners: 'circular',
    font: 'Merriweather',
    headingFont: 'Inter',
    sidebar: { background: 'filled', list: 'pill' },
  },
  {
    theme: 'bold',
    primaryColor: { light: '#d9480f', dark: '#ff8a4c' },
    corners: 'straight',
    depth: 'flat',
    links: 'accent',
    monospaceFont: 'JetBrainsMono',
    sidebar: { list: 'line' },
  },
  { theme: 'gradient', primaryColor: { light: '#88ffcc', dark: '#330022' }, icons: 'regular' },
]

/** Each choice on each device. The first two have a bad colour, and every other choice. */
const APPEARANCES = [0, 1, 2].flatMap((shift) =>
  CHOICES.map((choice, i) => [choice, [laptop, dark, phone][(i + shift) % 3]!] as const),
)

describe('the appearance of a site in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  for (const [styling, device] of firstOf(APPEARANCES, 2, CHOICES.length)) {
    const title = `theme ${styling.theme}, ${device.name}: axe finds nothing and nothing is refused`
    test(title, async () => {
      await put({ ...FULL, styling, themes: { default: 'system', toggeable: true } })
      const { page, complaints } = await visit(browser, site.shown, device)
      await page.evaluate('document.fonts.ready')
      assert.deepEqual(await axeFindings(page), [])
      assert.deepEqual(complaints, [])
      assert.equal(await sidewaysScroll(page), 0)
      await leave(page)
    })
  }

  test('the header has links, buttons and menus that the keyboard opens and closes', async () => {
    await put(FULL)
    const { page } = await visit(browser, site.shown, laptop)
    const menu = page.locator('.site-links summary')
    await menu.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Two' }).waitFor({ state: 'visible' })
    await page.keyboard.press('Escape')
    assert.equal(await page.getByRole('link', { name: 'Two' }).isVisible(), false)
    assert.equal(await page.locator('.site-links .button.primary').textContent(), 'Try it')
    await leave(page)
  })

  test('a dismissed announcement stays away until there is another one; one about danger stays', async () => {
    await put(FULL)
    const { page } = await openPage(browser, laptop)
    const bar = page.locator('.announcement')
    await page.goto(site.shown)
    await page.getByRole('button', { name: 'Dismiss' }).click()
    assert.equal(await bar.isVisible(), false)
    await page.reload()
    assert.equal(await bar.isVisible(), false)
    await put({ announcement: { enabled: true, message: 'Other news', style: 'danger' } })
    await page.reload()
    assert.equal(await bar.isVisible(), true)
    assert.equal(await page.getByRole('button', { name: 'Dismiss' }).count(), 0)
    await leave(page)
  })

  test('a reader copies the page as Markdown', async () => {
    await put({})
    const { page } = await visit(browser, site.shown, laptop)
    await page.locator('.page-actions summary').click()
    await page.getByRole('button', { name: 'Copy as Markdown' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    assert.match(await copiedText(page), /^---[\s\S]*# Welcome/)
    await leave(page)
  })

  test('a reader copies the address of the MCP server, which answers', async () => {
    await put({ pageActions: { markdown: false, mcp: true } })
    const { page } = await visit(browser, site.shown, laptop)
    await page.locator('.page-actions summary').click()
    await page.getByRole('button', { name: 'Copy the MCP server address' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await copiedText(page), `${site.shown}~mcp`)
    assert.equal((await fetch(`${site.address}~mcp`)).status, 405)
    await page.context().close()
  })

  test('the mode is what the site decides, and fixed if readers may not choose', async () => {
    await put({ themes: { default: 'dark', toggeable: false } })
    const { page } = await visit(browser, site.shown, laptop)
    assert.equal(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'dark')
    assert.equal(await page.locator('.tool.theme').count(), 0)
    await leave(page)
  })

  for (const language of firstOf(['ar', 'he'], 1)) {
    test(`a page in ${language} runs from right to left, and axe finds nothing`, async () => {
      await put(FULL)
      await ada(`PATCH /v1/spaces/${site.spaceId}`, { language })
      for (const device of firstOf([laptop, phone], 1)) {
        const { page, complaints } = await visit(browser, site.shown, device)
        assert.equal(await page.evaluate('document.dir'), 'rtl')
        assert.deepEqual(await axeFindings(page), [], device.name)
        assert.deepEqual(complaints, [])
        assert.equal(await sidewaysScroll(page), 0, device.name)
        if (device === laptop) {
          const [tree, main] = [
            await page.locator('.sidebar').boundingBox(),
            await page.locator('main').boundingBox(),
          ]
          assert.ok(tree!.x > main!.x, 'the tree is on the right')
          const code = await page
            .locator('.code pre')
            .first()
            .evaluate((pre) => {
              return (
                globalThis as unknown as { getComputedStyle(of: unknown): { direction: string } }
              ).getComputedStyle(pre).direction
            })
          assert.equal(code, 'ltr')
        }
        await leave(page)
      }
      await ada(`PATCH /v1/spaces/${site.spaceId}`, { language: 'en' })
    })
  }

  test('text in settings is text, and no address runs a script', async () => {
    const attacks = [
      '"><script>alert(1)</script>',
      "'><img src=x onerror=alert(1)>',",
      '</style><script>alert(1)</script>',
      '${alert(1)}{{alert(1)}}',
    ]
    const { page, complaints } = await openPage(browser, laptop)
    let ran = false
    page.on('dialog', (dialog) => {
      ran = true
      void dialog.dismiss()
    })
    for (const attack of attacks) {
      const link = { title: attack, to: { kind: 'url', url: `https://example.org/${attack}` } }
      await put({
        title: attack,
        header: {
          links: [{ ...link, links: [link] }],
          logo: { light: `https://example.org/x.png?${attack}`, dark: `https://example.org/y.png?${attack}` },
        },
        footer: { copyright: attack, groups: [{ title: attack, links: [link] }] },
        announcement: { enabled: true, style: 'info', message: attack, link },
        privacyPolicy: { url: 'https://example.org/' },
        socialPreview: { url: 'https://example.org/p.png' },
      }).catch(() => put({ title: attack, announcement: { enabled: true, style: 'info', message: attack } }))
      await page.goto(site.shown)
      await page.waitForTimeout(50)
      assert.equal(ran, false, attack)
      assert.deepEqual(
        complaints.filter((text) => /security policy/i.test(text)),
        [],
      )
    }
    await page.context().close()
  })
})

test('settings without a value leave nothing behind', async () => {
  await put({ footer: { groups: [{ title: 'Empty', links: [] }] }, pageActions: { markdown: false } })
  const html = await get()
  for (const part of ['site-footer', 'site-links', 'announcement', 'page-actions', '~/theme/'])
    assert.doesNotMatch(html, new RegExp(`(?:class|href)="[^"]*${part}`), part)
})

test('the style sheet of a site has an address that changes with it, and an old one redirects', async () => {
  const sheetOf = async () => /href="([^"]*~\/theme\/[^"]+)"/.exec(await get())?.[1] ?? ''
  await put({ styling: { primaryColor: { light: '#0000ff', dark: '#8888ff' }, font: 'OpenSans' } })
  const first = await sheetOf()
  const { origin } = new URL(site.address)
  const answer = await fetch(origin + first)
  assert.match(answer.headers.get('cache-control') ?? '', /immutable/)
  const css = await answer.text()
  assert.match(css, /--accent:light-dark\(#0000ff,/)
  const font = /url\('(\/_lectern\/fonts\/[^']+)'\)/.exec(css)?.[1] ?? ''
  assert.equal((await fetch(origin + font)).headers.get('content-type'), 'font/woff2')
  assert.equal((await fetch(`${origin}${font}x`)).status, 404)

  await put({ styling: { theme: 'bold' } })
  const second = await sheetOf()
  assert.notEqual(second, first)
  const old = await fetch(origin + first, { redirect: 'manual' })
  assert.deepEqual([old.status, old.headers.get('location')], [302, second])
})

test('code has the colours of the themes that the site chooses, and the page that of its background', async () => {
  const sheetOf = async () => {
    const [, href = ''] = /href="([^"]*~\/theme\/[^"]+)"/.exec(await get()) ?? []
    return href === '' ? '' : (await fetch(new URL(site.address).origin + href)).text()
  }
  const openapi = { light: 'default-light', dark: 'default-dark' }
  await put({ styling: { codeTheme: { default: { light: 'default-light', dark: 'nord' }, openapi } } })
  const sheet = await sheetOf()
  assert.match(sheet, /\.code\{[^}]*--raised:light-dark\(#[0-9a-f]{6},#2e3440\)/)
  assert.match(sheet, /--tk-dark:#81a1c1;/)
  assert.doesNotMatch(sheet, /--tk:/)
  const unknown = await ada(`PUT ${site.at}`, {
    styling: { codeTheme: { default: { light: 'x', dark: 'y' }, openapi } },
  })
  assert.equal(unknown.status, 400)

  const paperIn = (css: string) => /--paper:([^;]+);/.exec(css)?.[1]
  const primaryColor = { light: '#1d4ed8', dark: '#93c5fd' }
  await put({ styling: { primaryColor } })
  const plain = paperIn(await sheetOf())
  await put({ styling: { primaryColor, background: 'match' } })
  assert.notEqual(paperIn(await sheetOf()), plain)
})

test('fonts, logos and icons of the site are files of this server, and load from the address of the site', async () => {
  const woff = await readFile(new URL('../../src/sites/assets/fonts/sans-basic.woff2', import.meta.url))
  const { spaceId } = await spaceWith(
    world,
    archiveOf({
      'README.md': '# Files\n\n[Font](brand.woff2) ![Logo](logo.svg)\n',
      'brand.woff2': woff,
      'logo.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="20"><path d="M0 0h80v20H0z"/></svg>',
    }),
  )
  const { items } = (await ada(`GET /v1/spaces/${spaceId}/content/files`)).body
  const urlOf = (name: string) =>
    items.find((file: { name: string }) => file.name === name).downloadURL as string
  const font = (url: string) => ({
    id: 'brand',
    custom: true,
    fontFamily: "Brand'} x{",
    fontFaces: [{ weight: 400, sources: [{ url, format: 'woff2' }] }],
  })
  const outside = await ada(`PUT ${site.at}`, { styling: { font: font('https://example.org/f.woff2') } })
  assert.equal(outside.status, 400)
  assert.equal(outside.body.error.details[0].path, 'body.styling.font.fontFaces.0.sources.0.url')
  assert.equal((await ada(`PUT ${site.at}`, { styling: { font: font(urlOf('logo.svg')) } })).status, 400)
  assert.equal(
    (await ada(`PUT ${site.at}`, { styling: { font: font(`${urlOf('brand.woff2')}x`) } })).status,
    400,
  )

  const logo = { light: urlOf('logo.svg'), dark: urlOf('logo.svg') }
  await put({ styling: { font: font(urlOf('brand.woff2')) }, header: { logo }, favicon: { icon: logo } })
  const html = await get()
  const [, shown = ''] = /<img class="logo" src="([^"]+)"/.exec(html) ?? []
  const { origin } = new URL(site.address)
  assert.match(shown, /handbook\/~\/look\//)
  assert.equal((await fetch(origin + shown)).headers.get('content-type'), 'image/svg+xml')
  assert.equal((await fetch(origin + shown.replace(/[0-9a-f]{4}(?=\/logo)/, '0000'))).status, 404)

  if (WITHOUT_BROWSER) return
  const browser = await openBrowser()
  try {
    const { page, complaints } = await openPage(browser, laptop)
    for (const address of [site.shown, site.address]) {
      await page.goto(address)
      await page.evaluate('document.fonts.ready')
      const loaded = await page.evaluate(
        `[...document.fonts].filter((font) => font.status === 'loaded').map((font) => font.family)`,
      )
      assert(
        (loaded as string[]).some((family) => family.includes('Own Brand')),
        address,
      )
      assert.equal(await page.evaluate(`document.querySelector('img.logo').naturalWidth`), 80)
    }
    assert.deepEqual(complaints, [])
  } finally {
    await browser.close()
  }
})

test('a file that only the header names opens for the readers who see the link, and raw links obey the settings', async () => {
  const { spaceId } = await spaceWith(
    world,
    archiveOf({
      'README.md':
        '# Raw\n\n<dl><dt><a href="https://example.org/">that site</a></dt><dd><a href="#raw">this page</a></dd></dl>\n',
      '.gitbook/assets/terms.pdf': '%PDF-1.4 terms',
      '.gitbook/assets/other.pdf': '%PDF-1.4 other',
    }),
    'Raw',
  )
  const { siteId, address } = await publish(world, spaceId, 'Raw')
  const { items } = (await ada(`GET /v1/spaces/${spaceId}/content/files`)).body
  const idOf = (name: string) => items.find((file: { name: string }) => file.name === name).id as string
  const link = (name: string, condition?: string) => ({
    title: name,
    to: { kind: 'file', file: idOf(name) },
    links: [],
    ...(condition === undefined ? {} : { condition }),
  })
  const at = `/v1/orgs/${world.organizationId}/sites/${siteId}/customization`
  const settings = { header: { links: [link('terms.pdf'), link('other.pdf', '1 > 2')] } }
  assert.equal((await ada(`PUT ${at}`, { ...settings, externalLinks: { target: 'blank' } })).status, 200)
  const base = `${world.url}/sites/docs${new URL(address).pathname}`
  const html = await (await fetch(base)).text()
  const [, terms = ''] = /href="([^"]+terms\.pdf)"/.exec(html) ?? []
  assert.equal((await fetch(world.url + terms)).status, 200)
  const other = items.find((file: { name: string }) => file.name === 'other.pdf')
  const hash = /\/files\/([0-9a-f]{12})/.exec(other.downloadURL)?.[1]
  assert.equal((await fetch(`${base}~/files/${other.id}/${hash}/other.pdf`)).status, 404)

  assert.match(
    html,
    /<a href="https:\/\/example\.org\/" (?:target="_blank" rel="noopener"|rel="noopener" target="_blank")>that site/,
  )
  assert.match(html, /<a href="#raw" rel="noopener">this page/)
})

test('a link of the header is shown if its condition is true and its target exists', async () => {
  const to = { kind: 'url', url: 'https://example.org/' }
  const links = [
    { title: 'Shown', to, links: [], condition: '1 < 2' },
    { title: 'Withheld', to, links: [], condition: 'visitor.claims.beta == true' },
    { title: 'Gone', to: { kind: 'page', page: 'nothing' }, links: [] },
    { title: 'Here', to: { kind: 'space', space: site.spaceId }, links: [] },
  ]
  await put({ header: { links }, externalLinks: { target: 'blank' } })
  const html = await get()
  assert.match(html, /target="_blank"[^>]*>Shown<|>Shown</)
  assert.match(html, /href="https:\/\/example.org\/" rel="noopener" target="_blank">external link/)
  assert.match(html, />Here</)
  assert.doesNotMatch(html, /Withheld|Gone/)
})

test('pages have the words and dates of their language, else of the site', async () => {
  await put({ internationalization: { locale: 'de' } })
  await ada(`PATCH /v1/spaces/${site.spaceId}`, { language: 'ja' })
  assert.match(await get(), /<html lang="ja"[\s\S]*このページの内容[\s\S]*\d{4}年\d+月\d+日/)
  assert.match(await get('nothing'), /ページが見つかりません/)
})

test('the image of a link preview is a PNG that shows the title, in an address that changes with it', async () => {
  await put({ styling: { primaryColor: { light: '#1d4ed8', dark: '#93c5fd' } } })
  await ada(`PATCH /v1/spaces/${site.spaceId}`, { language: 'en' })
  const imageOf = async (path = '') => {
    const address = /property="og:image" content="([^"]+)"/.exec(await get(path))?.[1] ?? ''
    return `${site.address}${/~\/preview\/.*/.exec(address)?.[0] ?? ''}`
  }
  const image = await imageOf()
  const answer = await fetch(image)
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png'])
  const bytes = Buffer.from(await answer.arrayBuffer())
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1200, 630])
  assert.notEqual(await imageOf('guide/install'), image)
  const unknown = image.replace(/preview\/[^/]+/, 'preview/nothing')
  assert.equal((await fetch(unknown)).status, 404)

  await put({ styling: { primaryColor: { light: '#111111', dark: '#eeeeee' } } })
  const old = await fetch(image, { redirect: 'manual' })
  assert.equal(old.status, 302)
  await put({ socialPreview: { url: 'https://example.org/p.png' } })
  assert.match(await get(), /property="og:image" content="https:\/\/example.org\/p.png"/)
})
