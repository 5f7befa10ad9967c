/** How a page looks to those who read it in the console: tabs, the colours of code, and diagrams. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { archiveOf, spaceWith } from '../importing.ts'
import {
  copiedText,
  axeFindings,
  DEVICES,
  leave,
  openBrowser,
  untilTrue,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { fence, HOSTILE_DIAGRAMS } from '../sites/hostile-diagrams.ts'
import { createWorld } from '../world.ts'
import { withPassword } from './pages.ts'
import { openSignedIn } from './writing.ts'

/** Tabs in tabs and in other blocks, code, and diagrams: good, broken, and hostile. */
const SHOWN = `# Shown

See [the deep part](#deep).

{% tabs %}
{% tab title="npm" %}
By npm.

{% tabs %}
{% tab title="Inner one" %}
First inner.
{% endtab %}
{% tab title="Inner two" %}
## Deep

Second inner.
{% endtab %}
{% endtabs %}
{% endtab %}
{% tab title="pnpm" %}
By pnpm.
{% endtab %}
{% tab title="yarn" %}
By yarn.
{% endtab %}
{% endtabs %}

{% hint style="info" %}
{% tabs %}
{% tab title="pnpm" %}
Hint for pnpm.
{% endtab %}
{% tab title="npm" %}
Hint for npm.
{% endtab %}
{% tab title="yarn" %}
Hint for yarn.
{% endtab %}
{% endtabs %}
{% endhint %}

\`\`\`js
// <b>why</b>
return "x" + 1
\`\`\`

{% code title="Long" %}
\`\`\`js
${`${'return 1; '.repeat(100)}\n`.repeat(25)}\`\`\`
{% endcode %}

${fence('graph TD', '  accTitle: How it is read', '  A --> B')}
${fence('sequenceDiagram', '  A->>B: Hello')}
{% @mermaid/diagram content="graph TD\\n  A-->B" %}

${fence('flowchart TD', '  A[Start --> B')}
`

const world = await createWorld()
const { email } = await withPassword(world, 'ann')
const { spaceId } = await spaceWith(
  world,
  archiveOf({
    'SUMMARY.md': '# Contents\n\n* [Shown](shown.md)\n* [Hostile](hostile.md)\n',
    'shown.md': SHOWN,
    'hostile.md': `# Hostile\n\n${HOSTILE_DIAGRAMS}\nThe end.\n`,
  }),
  'Handbook',
)
const home = `${world.url}/app/s/${spaceId}`

describe('a page that is read', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const look = async (page: Page, what: string) => assert.deepEqual(await axeFindings(page), [], what)
  const open = (page: Page) => page.locator('.prose [role=tab][aria-selected=true]').allInnerTexts()

  test('tabs show one panel, which the keyboard, the mouse and links open', async () => {
    const { page, complaints } = await openSignedIn(browser, world, email)
    await page.goto(`${home}/shown`)
    await page.getByRole('tab', { name: 'npm', exact: true }).first().waitFor()
    assert.deepEqual(await open(page), ['npm', 'Inner one', 'pnpm'])
    await look(page, 'tabs')
    const text = await page.locator('.prose').first().innerText()
    for (const hidden of ['By pnpm.', 'Second inner.', 'Hint for npm.'])
      assert(!text.includes(hidden), hidden)
    assert.equal(await page.getByRole('tabpanel', { name: 'npm', exact: true }).count(), 1)

    // One of the tabs takes the focus, and the arrow keys lead to the others.
    await page.getByRole('tab', { name: 'npm', exact: true }).first().focus()
    const press = async (key: string, shown: string, tab: string) => {
      await page.keyboard.press(key)
      await page.getByText(shown).waitFor()
      assert.equal(await page.evaluate('document.activeElement.innerText'), tab, key)
    }
    await press('ArrowRight', 'By pnpm.', 'pnpm')
    await press('ArrowRight', 'By yarn.', 'yarn')
    await page.getByText('Hint for yarn.').waitFor()
    await press('ArrowRight', 'By npm.', 'npm')
    await press('ArrowLeft', 'By yarn.', 'yarn')
    await press('Home', 'By npm.', 'npm')
    await press('End', 'By yarn.', 'yarn')
    await look(page, 'the last tab')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.innerText'), 'yarn', 'the tab of the next group')

    // A link to a heading opens the tabs around it, again and again.
    const link = page.getByRole('link', { name: 'the deep part' })
    const toDeep = async () => {
      await page.getByText('Second inner.').waitFor()
      assert.deepEqual(await open(page), ['npm', 'Inner two', 'yarn'])
      await page.getByRole('tab', { name: 'pnpm' }).first().click()
      assert.deepEqual(await open(page), ['pnpm', 'Inner two', 'pnpm'])
      await page.getByRole('tab', { name: 'yarn' }).last().click()
    }
    await link.click()
    await toDeep()
    await link.click()
    await toDeep()
    await page.goto('about:blank')
    await page.goto(`${home}/shown#deep`)
    await page.getByText('Second inner.').waitFor()
    await page.emulateMedia({ media: 'print' })
    assert(!(await page.locator('.prose').first().innerText()).includes('By yarn.'))
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  for (const device of [DEVICES[0]!, DEVICES[2]!])
    test(`${device.name}: code has colours and diagrams are drawn, in both themes`, async () => {
      const { page, complaints } = await openSignedIn(browser, world, email, device)
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(`${home}/shown`)
      const image = page.getByRole('img', { name: 'How it is read' })
      await image.waitFor()
      await page.getByText('The browser could not draw this diagram: ').waitFor()
      await page.locator('.prose .tk', { hasText: 'return' }).first().waitFor()
      assert.equal(await page.locator('.prose .tc').first().innerText(), '// <b>why</b>')
      assert.equal(await page.locator('.code-block', { hasText: 'Long' }).locator('[class^=t]').count(), 0)
      await look(page, 'code and diagrams, light')
      const light = await image.getAttribute('src')
      assert.match(light ?? '', /^data:image\/svg\+xml,/)
      await page.emulateMedia({ colorScheme: 'dark' })
      await untilTrue(page, `document.querySelector('.diagram img').src !== ${JSON.stringify(light)}`)
      await look(page, 'code and diagrams, dark')

      await page.getByRole('button', { name: 'Copy the code' }).first().focus()
      await page.keyboard.press('Enter')
      await page.getByText('The code was copied.').waitFor()
      assert.equal(await copiedText(page), '// <b>why</b>\nreturn "x" + 1')

      const figures = page.locator('.prose .diagram')
      assert.equal(await figures.count(), 4)
      assert.equal(await figures.locator('img').count(), 3)
      assert(await figures.last().getByText('A[Start').isVisible(), 'a broken diagram keeps its source')
      const source = figures.nth(1).getByText('A->>B: Hello')
      assert.equal(await source.isVisible(), false)
      await figures.nth(1).getByRole('button', { name: 'Show source' }).click()
      await source.waitFor()
      await look(page, 'the source of a diagram')
      await figures.nth(1).getByRole('button', { name: 'Hide source' }).click()
      await source.waitFor({ state: 'hidden' })
      assert(await image.evaluate((one: { naturalWidth: number }) => one.naturalWidth > 20))
      assert.deepEqual(complaints, [])
      await leave(page)
    })

  test('nothing in a diagram runs, or reaches the console or the network', async () => {
    const { page } = await openSignedIn(browser, world, email)
    const loaded: string[] = []
    page.on('response', (response) => loaded.push(response.url()))
    await page.goto(`${home}/hostile`)
    await untilTrue(
      page,
      `document.querySelectorAll('.diagram').length === 3 &&
        [...document.querySelectorAll('.diagram')].every((one) => one.querySelector('img, .diagram-note'))`,
    )
    await page.locator('.diagram img').first().click()
    assert.equal(await page.evaluate('globalThis.hacked'), undefined)
    const frame = page.frames().find((one) => one.url().includes('diagram-frame'))
    assert.equal(await frame?.evaluate('globalThis.origin'), 'null')
    assert.deepEqual(
      loaded.filter((url) => url.includes('stolen')),
      [],
    )
    assert.match(page.url(), /\/hostile$/)
    await leave(page)
  })
})
