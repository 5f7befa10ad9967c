import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { DEFAULT_LAYOUT } from '../../src/core/content/revision.ts'
import type { Browser, Page } from 'playwright-core'

import { codeIn } from '../../src/core/document/html/code.ts'
import { EVERY_NODE } from '../core/document/every-node.ts'
import { CONTEXT } from '../core/document/sample.ts'
import { renderDocument } from '../../src/core/document/html.ts'
import { createHighlighter } from '../../src/highlight/highlight.ts'
import { pageIcon } from '../../src/sites/render/icons.ts'
import { renderNotFound } from '../../src/sites/render/not-found.ts'
import { renderPage } from '../../src/sites/render/page.ts'
import type { PageView } from '../../src/sites/render/view.ts'
import { firstOf, inLongRun, shareOf } from '../effort.ts'
import { addressOf, elsaView, readElsa, WITHOUT_ELSA } from './elsa.ts'
import { servePages, type Served } from './serve.ts'
import {
  copiedText,
  axeFindings,
  type Device,
  DEVICES,
  leave,
  openBrowser,
  openPage,
  sidewaysScroll,
  type Visit,
  visit,
  WITHOUT_BROWSER,
} from './browser.ts'

const LAYOUT: PageView['layout'] = { ...DEFAULT_LAYOUT }

const IMAGE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="800"><rect width="1600" height="800" fill="#8ac"/></svg>'

/** Pages of one document with every node, served as a site serves them. */
describe('a page with every node, in a browser', { skip: WITHOUT_BROWSER }, () => {
  const highlighter = createHighlighter()
  let browser: Browser
  let server: Served
  let base: string
  let shared: Page | undefined

  before(async () => {
    const view = await everyNodeView()
    const page = renderPage(view)
    server = await servePages(
      (path) => (path === '/' ? page : renderNotFound(view)),
      () => IMAGE,
    )
    base = server.base
    browser = await openBrowser()
  })
  after(async () => {
    await shared?.context().close()
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
  })

  /** The page, loaded anew, for tests that leave nothing behind in the browser. */
  async function again(): Promise<Page> {
    shared ??= (await openPage(browser, DEVICES[0]!)).page
    await shared.goto(base)
    return shared
  }

  async function everyNodeView(): Promise<PageView> {
    const { lookup: highlight } = await highlighter.read(codeIn(EVERY_NODE, CONTEXT.reusable), 'acme')
    const { body, outline, needs } = renderDocument(EVERY_NODE, { ...CONTEXT, icon: pageIcon, highlight })
    return {
      language: 'en',
      title: 'Docs',
      icon: 'book',
      home: '/',
      tree: [
        { kind: 'document', title: 'Start', href: '/', current: true },
        {
          kind: 'group',
          title: 'Guides',
          children: [
            {
              kind: 'document',
              title: 'Install',
              href: '/install',
              children: [{ kind: 'document', title: 'Linux', href: '/install/linux' }],
            },
          ],
        },
      ],
      variants: [
        { title: 'v2', href: '/', current: true },
        { title: 'v1', href: '/v1' },
      ],
      page: {
        title: 'Every node',
        description: 'All there is.',
        icon: 'rocket',
        updatedAt: '2026-11-20T09:00:00.000Z',
        body,
        outline,
        needs,
      },
      layout: LAYOUT,
      breadcrumbs: [{ title: 'Guides', href: '/guides' }],
      previous: { title: 'Before', href: '/before' },
      next: { title: 'After', href: '/after' },
      markdownHref: '/start.md',
      head: { title: 'Every node – Docs', description: 'All there is.' },
    }
  }

  for (const screen of firstOf(['phone', 'laptop'], 1)) {
    describe(`on a ${screen}`, () => {
      const devices = DEVICES.filter(({ name }) => name.startsWith(screen))
      let opened: Visit

      before(async () => {
        opened = await openPage(browser, devices[0]!)
      })
      after(() => opened?.page.context().close())

      test('axe finds nothing, nothing is refused, nothing scrolls sideways, in either theme', async () => {
        await isSound(opened, base, devices)
      })

      test('axe finds nothing on the page for an unknown path, in either theme', async () => {
        await isSound(opened, `${base}/nowhere`, devices)
      })
    })
  }

  test('is complete without JavaScript: every tab, the tree, the outline', async () => {
    const { page } = await visit(browser, base, { ...DEVICES[0]!, script: false })
    assert.ok(await page.getByText('npm install', { exact: true }).isVisible())
    assert.ok(await page.getByText('pnpm add', { exact: true }).isVisible())
    assert.ok(await page.getByText('pnpm', { exact: true }).last().isVisible())
    assert.equal(await page.locator('.copy').first().isVisible(), false)
    await leave(page)

    const phone = await visit(browser, base, { ...DEVICES[2]!, script: false })
    assert.equal(await phone.page.locator('.sidebar').isVisible(), false)
    await phone.page.getByRole('button', { name: 'Menu' }).click()
    assert.ok(await phone.page.getByRole('link', { name: 'Install', exact: true }).isVisible())
    await leave(phone.page)
  })

  test('tabs follow the arrow keys, and the choice is remembered', async () => {
    const { page } = await visit(browser, base, DEVICES[0]!)
    await page.getByRole('tab', { name: 'npm', exact: true }).focus()
    await page.keyboard.press('ArrowRight')
    assert.ok(await page.getByText('pnpm add', { exact: true }).isVisible())
    assert.equal(await page.getByText('npm install', { exact: true }).isVisible(), false)
    assert.equal(await page.evaluate('document.activeElement.textContent.trim()'), 'pnpm')
    await page.reload()
    assert.equal(await page.getByRole('tab', { name: 'pnpm' }).getAttribute('aria-selected'), 'true')
    await leave(page)
  })

  test('copies code without line numbers', async () => {
    const page = await again()
    const block = page.locator('.code.numbered')
    await block.hover()
    await block.getByRole('button', { name: 'Copy code' }).click()
    assert.equal(await copiedText(page), 'var x = 1;\nvar y = "<b>";')
  })

  test('applies the chosen theme before the page is drawn', async () => {
    const { page } = await visit(browser, base, DEVICES[0]!)
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = await background()
    await page.getByRole('button', { name: 'Dark theme' }).click()
    const dark = await background()
    assert.notEqual(dark, light)
    await page.reload({ waitUntil: 'commit' })
    await page.waitForSelector('body')
    assert.equal(await background(), dark)
    assert.equal(await page.getByRole('button', { name: 'Dark theme' }).getAttribute('aria-pressed'), 'true')
    await leave(page)
  })

  test('shows an image in full size, and closes it with the keyboard', async () => {
    const page = await again()
    const image = page.getByRole('button', { name: 'Enlarge image: A picture' })
    await image.focus()
    await page.keyboard.press('Enter')
    assert.ok(await page.getByRole('dialog', { name: 'Image' }).isVisible())
    assert.deepEqual(await axeFindings(page), [])
    await page.keyboard.press('Escape')
    assert.equal(await page.locator('dialog').isVisible(), false)
  })

  test('opens the tab that contains the target of an anchor', { skip: inLongRun }, async () => {
    const page = await again()
    const hidden = await page.evaluate(`document.querySelector('.tab-panel:not(.selected)').id`)
    await page.goto(`${base}/?again#${String(hidden)}`)
    assert.ok(await page.getByText('pnpm add', { exact: true }).isVisible())
  })

  test(
    'starts a video on a click, and makes no request to its host before',
    { skip: inLongRun },
    async () => {
      const page = await again()
      const requested: string[] = []
      await page.route(/youtube/, (route) => {
        requested.push(route.request().url())
        return route.fulfill({ contentType: 'text/html', body: 'film' })
      })
      assert.equal(await page.locator('.embed iframe').count(), 0)
      await page.getByRole('link', { name: /Watch the video/ }).click()
      await page.waitForSelector('.embed iframe')
      await page.waitForTimeout(200)
      assert.match(
        requested[0] ?? '',
        /^https:\/\/www\.youtube-nocookie\.com\/embed\/abcdefghijk\?autoplay=1/,
      )
    },
  )

  test('prints only the text, with every tab and section open', { skip: inLongRun }, async () => {
    const page = await again()
    await page.emulateMedia({ media: 'print' })
    for (const gone of ['.sidebar', '.outline', '.site-header', '.copy']) {
      assert.equal(await page.locator(gone).first().isVisible(), false, gone)
    }
    assert.ok(await page.getByText('pnpm add', { exact: true }).isVisible())
  })
})

/** Some real pages, chosen for their content: tables, steps and tabs, images, highlighted lines, the longest code. */
const REAL_PAGES = [
  'activities/activity-reference.md',
  'README.md',
  'guides/http-workflows/designer.md',
  'studio/workflow-editor/content-visualisers-3.6-preview.md',
  'guides/authentication/external-authentication/administration.md',
]

describe('pages of the Elsa documentation, in a browser', { skip: WITHOUT_BROWSER || WITHOUT_ELSA }, () => {
  const highlighter = createHighlighter()
  let browser: Browser
  let server: Served

  before(async () => {
    const elsa = readElsa()
    const pathOf = new Map(elsa.order.map((path) => [addressOf(path), path]))
    server = await servePages(
      async (address) => renderPage(await elsaView(elsa, pathOf.get(address)!, highlighter)),
      (name) => elsa.files.get(name),
    )
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
  })

  for (const [index, device] of firstOf([DEVICES[3]!, DEVICES[0]!], 1).entries()) {
    describe(`on a ${device.name}`, () => {
      let opened: Visit

      before(async () => {
        opened = await openPage(browser, device)
      })
      after(() => opened?.page.context().close())

      for (const path of shareOf(firstOf(REAL_PAGES, 1), index, 2)) {
        test(`axe finds nothing, nothing is refused, nothing scrolls sideways: ${path}`, async () => {
          await isSound(opened, server.base + addressOf(path), [device])
        })
      }
    })
  }
})

/** Checks a page in the themes of these devices, which have the same screen. */
async function isSound({ page, complaints }: Visit, url: string, devices: Device[]): Promise<void> {
  complaints.length = 0
  const answer = await page.goto(url, { waitUntil: 'load' })
  assert.equal(answer?.status(), 200)
  for (const { name, theme } of devices) {
    await page.emulateMedia({ colorScheme: theme })
    assert.deepEqual(await axeFindings(page), [], name)
    assert.equal(await sidewaysScroll(page), 0, name)
  }
  assert.deepEqual(complaints, [])
}
