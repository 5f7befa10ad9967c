/** A reader walks through one page with the keyboard, on narrow and enlarged screens, from right to left, and on paper. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { firstOf, onlyLong, shareOf } from '../effort.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { axeFindings, openBrowser, openPage, sidewaysScroll, untilTrue, WITHOUT_BROWSER } from './browser.ts'
import { FULL } from './looks.ts'

const LARGE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="2400" height="900"><path d="M0 0h2400v900H0z" fill="#357"/></svg>'

const WALK = `---
description: Everything that a reader can reach
---

# Walk

{% tabs %}
{% tab title="npm" %}
Install it with npm.
{% endtab %}

{% tab title="Windows & macOS" %}
Install it with a package.
{% endtab %}
{% endtabs %}

<details>

<summary>What is folded?</summary>

Only this text.

</details>

![Large](.gitbook/assets/large.svg)

| Function | Meaning | Since | Notes |
| -------- | ------- | ----- | ----- |
| \`getOrganizationPermissions\` | Returns the permissions of a member in the organization, with everything that follows from the teams | 1.0 | \`LECTERN_TRUSTED_PROXIES\` must be set before the first start of the server, or else nothing works |

{% content-ref url="covered.md" %}
[covered.md](covered.md)
{% endcontent-ref %}

{% content-ref url="https://example.org/a/page" %}
https://example.org/a/page
{% endcontent-ref %}

{% embed url="https://www.youtube.com/watch?v=dQw4w9WgXcQ" %}

{% embed url="https://codepen.io/someone/pen/abc" %}

<div><iframe src="https://tracker.example.org/frame"></iframe></div>

## Second part

\`\`\`js
const answer = 42
\`\`\`

## Third part

Text.
`

const world = await createWorld()
const { ada, organizationId } = world
const { spaceId } = await spaceWith(
  world,
  archiveOf({
    'README.md':
      '---\nlayout:\n  tableOfContents:\n    visible: false\n---\n\n# Landing\n\n[Walk](walk.md)\n',
    'walk.md': WALK,
    'covered.md':
      '---\ndescription: What it is about\ncover: .gitbook/assets/large.svg\n---\n\n# Covered page\n',
    'news.md':
      '# News\n\n{% updates %}\n{% update date="2026-01-02" %}\n## First\n\nText.\n{% endupdate %}\n{% endupdates %}\n',
    '.gitbook/assets/large.svg': LARGE,
  }),
  'Manual',
)
const { siteId, address } = await publish(world, spaceId, 'Manual')
const at = `/v1/orgs/${organizationId}/sites/${siteId}`
const laptop = { name: 'laptop', width: 1400, height: 900, theme: 'light' } as const

async function set(request: string, body: object) {
  const answer = await ada(request, body)
  assert(answer.status < 300, answer.text)
  return answer.body
}

/** Everything that the Tab key reaches on the page, in its order, and what is wrong with it. */
async function tabThrough(page: Page): Promise<{ reached: string[]; faults: string[] }> {
  const reached: string[] = []
  const faults: string[] = []
  for (let step = 0; step < 200; step++) {
    await page.keyboard.press('Tab')
    const found = (await page.evaluate(`(() => {
      const element = document.activeElement
      if (!element || element === document.body) return null
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      const { top, bottom, left, right, width, height } = element.getBoundingClientRect()
      const name = element.getAttribute('aria-label') ?? element.textContent.trim()
      const isVisible = width > 1 && height > 1 && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
      const isMarked = outlineStyle !== 'none' && parseFloat(outlineWidth) > 0
      return { name: element.className + ': ' + name, isVisible, isMarked }
    })()`)) as { name: string; isVisible: boolean; isMarked: boolean } | null
    if (found === null) return { reached, faults }
    reached.push(found.name)
    if (!found.isVisible) faults.push(`${found.name} is out of sight`)
    if (!found.isMarked) faults.push(`${found.name} has no outline`)
  }
  return { reached, faults: [...faults, 'the focus never leaves the page'] }
}

describe('a reader in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  let page: Page
  let complaints: string[]
  const hosts: string[] = []

  before(async () => {
    await set(`PUT ${at}/customization`, { ...FULL, feedback: { enabled: true } })
    const { spaceId: second } = await spaceWith(world, archiveOf({ 'README.md': '# API\n' }), 'Reference')
    const section = await set(`POST ${at}/sections`, { spaceId: second, title: 'Reference' })
    await set(`POST ${at}/section-groups`, { title: 'More', sections: [section.id] })
    browser = await openBrowser()
    ;({ page, complaints } = await openPage(browser, laptop))
    page.on('request', (request) => hosts.push(new URL(request.url()).host))
    await page.goto(`${address}walk`)
  })
  after(() => browser?.close())

  test('the keyboard reaches everything in order, and the focus is always visible', async () => {
    const { reached, faults } = await tabThrough(page)
    assert.deepEqual(faults, [])
    const places = [
      'skip:',
      'site-name:',
      ': Walk',
      ': npm',
      ': What is folded?',
      'enlarge:',
      'stretched: Covered page',
      'copy: Copy code',
      'button: Yes',
      ': Contact',
    ]
    const found = places.map((name) => reached.findIndex((one) => one.includes(name)))
    assert.deepEqual(
      found.filter((place) => place < 0),
      [],
      reached.join('\n'),
    )
    assert.deepEqual(
      found,
      found.toSorted((a, b) => a - b),
      reached.join('\n'),
    )

    await page.reload()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'MAIN')
  })

  test('a tab and a folded section have an address, which opens them again', async () => {
    await page.goto(`${address}walk`)
    await page.getByRole('tab', { name: 'npm' }).focus()
    await page.keyboard.press('ArrowRight')
    assert.equal(new URL(page.url()).hash, '#windows-macos')
    await page.evaluate('localStorage.clear()')
    await page.reload()
    assert.equal(await page.getByText('Install it with a package.').isVisible(), true)

    const summary = page.locator('summary', { hasText: 'What is folded?' })
    await summary.focus()
    await page.keyboard.press('Enter')
    assert.equal(new URL(page.url()).hash, '#what-is-folded')
    assert.equal(await page.getByText('Only this text.').isVisible(), true)
    await page.reload()
    assert.equal(await page.getByText('Only this text.').isVisible(), true)
    await page.goto(`${address}walk#windows-macos`)
    assert.equal(await page.getByText('Install it with a package.').isVisible(), true)
  })

  test('a dialog closes with the keyboard, and the focus returns', async () => {
    await page.goto(`${address}walk`)
    const enlarge = page.getByRole('button', { name: 'Enlarge image: Large' })
    await enlarge.focus()
    await page.keyboard.press('Enter')
    assert.equal(await page.locator('dialog.zoom').isVisible(), true)
    await page.keyboard.press('Escape')
    assert.equal(await page.locator('dialog.zoom').isVisible(), false)
    assert.equal(await enlarge.evaluate((element) => element.matches(':focus')), true)
  })

  test('the keyboard opens and closes the menus', async () => {
    await page.goto(`${address}walk`)
    for (const [opener, entry] of [
      [page.getByRole('button', { name: 'More' }), page.getByRole('link', { name: 'Reference' })],
      [page.locator('.site-links summary'), page.getByRole('link', { name: 'Two' })],
      [page.locator('.page-actions summary'), page.getByRole('link', { name: 'View as Markdown' })],
    ] as const) {
      assert.equal(await entry.isVisible(), false)
      await opener.focus()
      await page.keyboard.press('Enter')
      assert.equal(await entry.isVisible(), true)
      await page.keyboard.press('Escape')
      assert.equal(await entry.isVisible(), false)
      assert.equal(await opener.evaluate((element) => element.matches(':focus')), true)
    }
  })

  test('a card has the cover, the title and the description of its page', async () => {
    const card = page.locator('.link-card', { hasText: 'Covered page' })
    await card.scrollIntoViewIfNeeded()
    assert.match(await card.innerText(), /What it is about/)
    await untilTrue(page, `document.querySelector('.link-cover')?.naturalWidth > 0`)
    assert.equal(await page.locator('.link-card', { hasText: 'example.org/a/page' }).count(), 1)
  })

  test('code in a narrow column of a table is not broken within a word', async () => {
    await page.setViewportSize({ width: 700, height: 900 })
    for (const code of await page.locator('.table code').all())
      assert.equal(
        await code.evaluate((element) => element.getClientRects().length),
        1,
        await code.innerText(),
      )
    await page.setViewportSize(laptop)
  })

  test('no other host is asked before a click, and then only that of the video', async () => {
    await page.goto(`${address}walk`, { waitUntil: 'networkidle' })
    await page.mouse.wheel(0, 20_000)
    await page.waitForTimeout(300)
    const { host } = new URL(address)
    assert.deepEqual([...new Set(hosts)], [host])
    assert.equal(await page.locator('iframe').count(), 0)
    await page.getByRole('link', { name: 'Watch the video' }).click()
    await page.locator('iframe').waitFor()
    await page.waitForTimeout(300)
    assert.deepEqual([...new Set(hosts)].toSorted(), [host, 'www.youtube-nocookie.com'].toSorted())
    await page.goto(`${address}walk`)
  })

  test('every template passes axe, and fits 320 pixels and twice the size', async () => {
    const blocked = complaints.length
    for (const [row, path] of firstOf(['walk', 'news', '', 'covered', 'nothing'], 2).entries()) {
      await page.goto(address + path)
      for (const colorScheme of shareOf(firstOf(['dark', 'light'] as const, 1), row % 2, 2)) {
        await page.emulateMedia({ colorScheme })
        assert.deepEqual(await axeFindings(page), [], `${path} ${colorScheme}`)
      }
      for (const width of firstOf([320, 700, 640, 1400], 2)) {
        await page.setViewportSize({ width, height: 600 })
        assert.equal(await sidewaysScroll(page), 0, `${path} at ${width}`)
      }
    }
    await page.setViewportSize({ width: 320, height: 600 })
    await page.goto(`${address}walk`)
    assert.deepEqual(await axeFindings(page), [])
    const rows = await page.locator('.site-bar').evaluate((bar) => bar.getBoundingClientRect().height / 56)
    assert.equal(rows, 1, 'the bar is one row, because its links are in the drawer')
    await page.getByRole('button', { name: 'Menu' }).focus()
    await page.keyboard.press('Enter')
    const drawer = page.locator('.sidebar')
    for (const name of ['News', 'Blog', 'Two', 'Try it'])
      await drawer.getByRole('link', { name, exact: true }).waitFor({ state: 'visible' })
    await page.keyboard.press('Escape')
    assert.equal(await page.locator('.sidebar').isVisible(), false)
    assert.deepEqual(
      complaints.slice(blocked).filter((one) => !one.includes('404')),
      [],
    )
    await page.setViewportSize(laptop)
  })

  test('on paper there is the whole text and nothing else', async () => {
    await page.goto(`${address}walk`)
    await page.emulateMedia({ media: 'print', colorScheme: 'light' })
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
    for (const text of ['Install it with npm.', 'Install it with a package.', 'Only this text.'])
      assert.equal(await page.getByText(text).isVisible(), true, text)
    for (const part of ['.site-header', '.sidebar', '.outline', '.announcement', '.feedback', '.copy'])
      assert.equal(await page.locator(part).first().isVisible(), false, part)
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
    await page.emulateMedia({ media: 'screen' })
  })

  test('from right to left, the keyboard and the widths are the same', onlyLong, async () => {
    await set(`PATCH /v1/spaces/${spaceId}`, { language: 'he' })
    await page.goto(`${address}walk`)
    assert.equal(await page.evaluate('document.documentElement.dir'), 'rtl')
    const { faults } = await tabThrough(page)
    assert.deepEqual(faults, [])
    for (const width of [320, 640, 1400]) {
      await page.setViewportSize({ width, height: 900 })
      assert.equal(await sidewaysScroll(page), 0, String(width))
    }
    await set(`PATCH /v1/spaces/${spaceId}`, { language: 'en' })
  })

  test('the page of a reader who is not signed in passes axe', async () => {
    await set(`PATCH ${at}`, { visibility: 'visitor-auth' })
    await page.goto(`${address}walk`)
    for (const colorScheme of firstOf(['light', 'dark'] as const, 1)) {
      await page.emulateMedia({ colorScheme })
      assert.deepEqual(await axeFindings(page), [])
    }
    await page.goto(`${address}~/sign-out`)
    assert.deepEqual(await axeFindings(page), [])
    await page.click('main button')
    await page.waitForSelector('h1:has-text("signed out")')
    assert.deepEqual(await axeFindings(page), [])
  })
})
