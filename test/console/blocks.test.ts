/** Blocks of every kind, as people insert, move and change them in a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { archiveOf, spaceWith } from '../importing.ts'
import {
  axeFindings,
  DEVICES,
  drawn,
  leave,
  openBrowser,
  openPage,
  untilTrue,
  WITHOUT_BROWSER,
} from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { signIn, withPassword } from './pages.ts'
import { openSignedIn, untilSaved } from './writing.ts'

const world = await createWorld()
const { email } = await withPassword(world, 'ann')

/** Whether the handle is beside the first paragraph. */
const BESIDE_FIRST = `Math.abs(
  (document.querySelector('.block-handle')?.getBoundingClientRect().top ?? -99) -
    document.querySelector('.writing > p').getBoundingClientRect().top,
) < 10`

describe('blocks in the editor', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  /** A page of a new space, open in the editor. */
  async function writing(markdown: string) {
    const { spaceId } = await spaceWith(
      world,
      archiveOf({ 'README.md': `# Home\n\n${markdown}\n` }),
      'Handbook',
    )
    const { page, complaints } = await openSignedIn(browser, world, email)
    await page.goto(`${world.url}/app/s/${spaceId}`)
    await page.click('text=Edit')
    await page.waitForSelector('.writing')
    const base = `/v1/spaces/${spaceId}/change-requests/1/content`
    /** The Markdown of the page, once everything is saved. */
    const saved = async (): Promise<string> => {
      await untilSaved(page)
      const [{ id }] = (await world.ada(`GET ${base}/pages`)).body.pages
      const { markdown: text } = (await world.ada(`GET ${base}/page/${id}?format=markdown`)).body
      return text.replace('# Home\n\n', '').trim()
    }
    return { page, base, complaints, saved }
  }

  /** Puts the caret into an element. The editor takes a moment to know of it; people are slower than that. */
  const enter = async (page: Page, selector: string) => {
    await page.click(selector)
    await drawn(page)
  }
  /** Chooses from the menu of what can be inserted. */
  const insert = async (page: Page, name: string, slash = '/') => {
    await page.keyboard.type(slash + name)
    await page.waitForSelector('[role=option]')
    await page.keyboard.press('Enter')
  }
  /** The menu has groups with a name, of which the arrow keys choose one kind after the other. */
  const lookAtMenu = async (page: Page) => {
    const groups = page.locator('.slash-menu [role=group]')
    const [texts, lists] = [groups.nth(0), groups.nth(1)]
    await lists.locator('.icon-drawing').first().waitFor()
    assert.equal(await lists.getAttribute('aria-label'), 'Lists')
    assert.deepEqual(await axeFindings(page), [])
    const chosen = page.locator('.slash-menu [aria-selected=true]')
    const steps = await texts.getByRole('option').count()
    for (let i = 0; i < steps; i++) await page.keyboard.press('ArrowDown')
    await chosen.filter({ hasText: 'Bulleted list' }).waitFor()
    const active = await page.locator('.writing').getAttribute('aria-activedescendant')
    assert.equal(active, await chosen.getAttribute('id'))
    await page.keyboard.press('ArrowUp')
    await chosen.filter({ hasText: 'Divider' }).waitFor()
  }
  /** Waits until the dialog is closed and the caret is in the text again, which the editor knows a moment later. */
  const back = async (page: Page) => {
    await untilTrue(
      page,
      `document.activeElement?.classList.contains('writing') && !document.querySelector('.dialog')`,
    )
    await drawn(page)
  }
  const texts = (page: Page) => page.locator('.writing > *').allInnerTexts()

  test('files come to where they are dropped, however many they are', async () => {
    const { page, complaints, saved } = await writing('One.\n\nTwo.\n\nThree.')
    await enter(page, '.writing > p:nth-child(3)')
    await page.evaluate(`(() => {
      const data = new DataTransfer()
      for (let i = 0; i < 21; i++) data.items.add(new File(['Note ' + i], i + '.txt', { type: 'text/plain' }))
      const first = document.querySelector('.writing > p')
      const { left, top } = first.getBoundingClientRect()
      const at = { dataTransfer: data, bubbles: true, cancelable: true, clientX: left + 4, clientY: top + 4 }
      for (const type of ['dragenter', 'dragover', 'drop']) first.dispatchEvent(new DragEvent(type, at))
    })()`)
    await page.locator('.writing').getByText('20.txt').waitFor()
    const blocks = (await saved()).split('\n\n')
    assert.equal(blocks[0], 'One.')
    assert.equal(blocks.filter((one) => one.includes('/files/')).length, 21)
    assert.deepEqual(blocks.slice(-2), ['Two.', 'Three.'])
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('are dragged, moved by keys and the menu, and come back with undo', async () => {
    const { page, complaints, saved } = await writing('One.\n\nTwo.\n\nThree.\n\n* a\n* b')
    await enter(page, '.writing > p:nth-child(3)')
    await page.keyboard.press('Alt+ArrowUp')
    assert.deepEqual((await texts(page)).slice(0, 3), ['One.', 'Three.', 'Two.'])
    await page.keyboard.press('Control+z')
    assert.deepEqual((await texts(page)).slice(0, 3), ['One.', 'Two.', 'Three.'])

    await page.hover('.writing > p:nth-child(1)')
    await untilTrue(page, BESIDE_FIRST)
    const from = (await page.locator('.block-handle').boundingBox())!
    const to = (await page.locator('.writing > p:nth-child(3)').boundingBox())!
    await page.mouse.move(from.x + 8, from.y + 8)
    await page.mouse.down()
    await page.mouse.move(to.x + 40, to.y + 4, { steps: 4 })
    await page.mouse.move(to.x + 40, to.y + to.height - 2, { steps: 4 })
    await page.waitForSelector('.drop-cursor')
    await page.mouse.up()
    await untilTrue(page, `document.querySelector('.writing > p').innerText === 'Two.'`)
    assert.deepEqual((await texts(page)).slice(0, 3), ['Two.', 'Three.', 'One.'])

    await enter(page, '.writing li:nth-child(2)')
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Control+Shift+d')
    assert.deepEqual(await page.locator('.writing li').allInnerTexts(), ['b', 'b', 'a'])
    await page.keyboard.press('Control+/')
    await page.waitForSelector('[role=menu]')
    assert.deepEqual(await axeFindings(page), [])
    await page.click('[role=menuitem]:has-text("Turn into")')
    await page.click('[role=menuitem]:has-text("Heading 1")')
    await page.hover('.writing > p:nth-child(1)')
    await untilTrue(page, BESIDE_FIRST)
    await page.click('.block-handle')
    await page.click('[role=menuitem]:has-text("Delete")')
    assert.equal(await saved(), 'Three.\n\nOne.\n\n* b\n\n## b\n\n* a')
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('are dragged by a finger that rests on the handle, and a tap opens the menu', async () => {
    const { page: other, base } = await writing('One.\n\nTwo.\n\nThree.')
    const address = other.url()
    await leave(other)
    const { page, complaints } = await openPage(browser, DEVICES[2]!)
    await signIn(page, world.url, email)
    await page.goto(address)
    await page.tap('.writing > p:nth-child(1)')
    await untilTrue(page, BESIDE_FIRST)
    const touch = await page.context().newCDPSession(page)
    const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
    const from = (await page.locator('.block-handle').boundingBox())!
    const to = (await page.locator('.writing > p:nth-child(3)').boundingBox())!
    await finger('touchStart', from.x + 8, from.y + 8)
    await page.waitForSelector('.block-handle[data-dragging]')
    await finger('touchMove', to.x + 40, to.y + 4)
    await finger('touchMove', to.x + 40, to.y + to.height - 2)
    await page.waitForSelector('.drop-cursor')
    await finger('touchEnd')
    await untilTrue(page, `document.querySelector('.writing > p').innerText === 'Two.'`)
    assert.deepEqual(await texts(page), ['Two.', 'Three.', 'One.'])
    assert.equal(await page.locator('[role=menu]').count(), 0)
    await untilSaved(page)
    const [{ id }] = (await world.ada(`GET ${base}/pages`)).body.pages
    const { markdown } = (await world.ada(`GET ${base}/page/${id}?format=markdown`)).body
    assert.match(markdown, /Two\.\n\nThree\.\n\nOne\./)
    await page.tap('.block-handle')
    await page.waitForSelector('[role=menu]')
    await page.keyboard.press('Escape')
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('have settings: code, a formula, tabs, an image and a button', async () => {
    const { page, complaints, saved } = await writing(
      '```js\nconst a = 1\n```\n\n{% tabs %}\n{% tab title="One" %}\nText\n{% endtab %}\n{% endtabs %}\n\nEnd',
    )
    await page.click('.code-block .node-settings')
    await page.locator('.dialog input:focus').waitFor()
    await page.keyboard.type('typesc')
    await page.click('[role=option]:has-text("typescript")')
    await page.fill('label:has-text("Title") + input', 'a.ts')
    await page.click('label:has-text("Line numbers")')
    assert.deepEqual(await axeFindings(page), [])
    await page.click('.dialog button.main')
    await page.click('.add-member')
    await page.fill('.tab:nth-child(2) input', 'Two')
    await page.keyboard.press('Enter')

    await enter(page, '.writing > p:last-child')
    await page.keyboard.press('End')
    await page.keyboard.type(' ')
    await insert(page, 'formula in')
    await page.fill('.dialog input', 'x^2')
    await page.keyboard.press('Enter')
    await back(page)
    await page.keyboard.press('Enter')
    await insert(page, 'embed')
    await page.fill('.dialog input >> nth=0', 'https://example.com/video')
    await page.keyboard.press('Enter')
    await back(page)
    await insert(page, 'page link')
    await page.fill('.dialog input', 'Ho')
    await page.click('[role=option]:has-text("Home")')
    await page.click('.dialog button.main')
    const markdown = await saved()
    assert.match(markdown, /\{% code title="a\.ts" lineNumbers="true" %\}\n```typescript\nconst a = 1\n```/)
    assert.match(markdown, /\{% tab title="Two" %\}/)
    assert.match(markdown, /End \$\$x\^2\$\$/)
    assert.match(markdown, /\{% embed url="https:\/\/example\.com\/video" %\}/)
    assert.match(markdown, /\{% content-ref url="\/pages\/\w+" %\}/)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('are cards, whose titles of columns keep their words', async () => {
    const { page, complaints, saved } = await writing('One.')
    await enter(page, '.writing > p:last-child')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await insert(page, 'cards')
    await page.keyboard.type('First card')
    assert.match(await saved(), /<td>First card<\/td>/)
    await enter(page, '.writing th:nth-child(1) .header-title')
    await page.keyboard.press('Enter')
    await page.keyboard.type(' here')
    assert.match(await saved(), /<th>Text here<\/th>/)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('are formulas, which are drawn in the text and while they are typed', async () => {
    const { page, complaints, saved } = await writing('$$\n\\frac{1}{2}\n$$\n\nA $$y_1$$ inside.\n\nEnd')
    await page.waitForSelector('.writing .formula math mfrac')
    await page.waitForSelector('.writing .formula-in-line math msub')
    await enter(page, '.writing > p:last-child')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('/')
    await lookAtMenu(page)
    await insert(page, 'formula', '')
    const source = page.locator('.dialog textarea')
    await source.fill('\\sqrt{x^2}')
    await page.waitForSelector('.formula-preview msqrt')
    assert.deepEqual(await axeFindings(page), [])
    await source.fill('\\sqrt{x^2')
    await untilTrue(page, `document.querySelector('.formula-preview [role=status]').innerText !== ''`)
    assert.equal(await page.locator('.formula-preview msqrt').count(), 1, 'the last formula stays')
    for (const hostile of ['\\href{javascript:alert(1)}{x}', '\\def\\a{\\a\\a}\\a', `${'{'.repeat(60)}x`]) {
      await source.fill(hostile)
      await untilTrue(
        page,
        `/not|trust|too long|Expected|Unsupported/.test(document.querySelector('.formula-preview [role=status]').innerText)
          || !document.querySelector('.formula-preview msqrt')`,
      )
      assert.equal(await page.locator('.formula-preview [href]').count(), 0)
    }
    await source.fill('e^{i\\pi}')
    await page.waitForSelector('.formula-preview msup')
    await page.click('.dialog button.main')
    await back(page)
    await page.waitForSelector('.writing .formula msup')
    assert.match(await saved(), /End\n\n\$\$\ne\^\{i\\pi\}\n\$\$/)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('have captions and notes with bold words and links', async () => {
    const { page, complaints, saved } = await writing('{% embed url="https://example.com/video" %}\n\nA word')
    await page.click('.embed .node-settings')
    const field = page.locator('.dialog .rich-text')
    await field.click()
    await page.keyboard.type('# See **this**, and ')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('more')
    await page.keyboard.press('Shift+Home')
    await drawn(page)
    await page.keyboard.press('Control+k')
    await page.fill('.link-target input', 'https://example.com/')
    assert.deepEqual(await axeFindings(page), [])
    await page.keyboard.press('Enter')
    await page.waitForSelector('.rich-text a')
    await page.keyboard.press('Enter')
    await back(page)
    await page.waitForSelector('.embed .box-detail a[href="https://example.com/"] strong')
    await back(page)

    await enter(page, '.writing > p:last-child')
    await page.keyboard.press('End')
    await page.keyboard.type(' ')
    await insert(page, 'annotation')
    await field.click()
    await page.keyboard.type('Was *said* before. And `code`')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Another line')
    await page.click('.dialog button.main')
    const text = await saved()
    assert.match(text, /\[# See \*\*this\*\*, and \*\*more\*\*\]\(https:\/\/example\.com\/\)/)
    assert.match(text, /\[\^1\]: Was _said_ before\. And `code`\n\n +Another line/)
    await page.dblclick('.writing .annotation')
    await page.waitForSelector('.dialog .rich-text em')
    await field.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' again')
    await page.click('.dialog button.main')
    assert.match(await saved(), /Another line again/)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('are lines of code that are highlighted, and reusable content that is opened', async () => {
    const { page, base, complaints, saved } = await writing('```\na\nb\n```')
    await enter(page, '.code-block .line')
    await page.keyboard.press('Control+Shift+h')
    await page.waitForSelector('.line.highlighted')
    assert.equal(await saved(), '<pre><code><strong>a\n</strong>b\n</code></pre>')
    const made = await world.ada(`POST ${base}?compat=false`, {
      changes: [{ operation: 'insert_reusable_content', title: 'Snippet', document: { markdown: 'Again.' } }],
    })
    assert.equal(made.status, 200, made.text)
    await page.keyboard.press('Control+Enter')
    await insert(page, 'reusable')
    await page.click('.dialog input')
    await page.click('[role=option]:has-text("Snippet")')
    await page.click('.dialog button.main')
    await page.click('.reusable-content a')
    await page.waitForURL('**/reusable/*')
    await untilTrue(page, `document.querySelector('.writing')?.innerText === 'Again.'`)
    assert.deepEqual(complaints, [])
    await leave(page)
  })

  test('are tables with columns of every type, which become others, move and hide', async () => {
    const { page, complaints, saved } = await writing(
      'Before.\n\n| Name | Count |\n| --- | --- |\n| Milk | 3 |\n| Tea | many |',
    )
    const [above, button] = await Promise.all(
      ['.writing > p', '.table-block > .node-settings'].map((one) => page.locator(one).first().boundingBox()),
    )
    assert(button!.y >= above!.y + above!.height, 'the button is not over the block before the table')
    const column = async (index: number, type: string) => {
      await page.click(`th:nth-child(${index}) .node-settings`)
      await page.selectOption('.dialog select >> nth=0', type)
    }
    await column(2, 'number')
    await page.click('.dialog button.main')
    assert.deepEqual(
      await page
        .locator('td input')
        .evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value)),
      ['3', ''],
    )
    await page.fill('tr:nth-child(3) td input', '7')
    await page.keyboard.press('Tab')
    await column(1, 'select')
    // One writes the new option at once.
    await page.click('.dialog >> text=Add an option')
    await page.keyboard.type('Juice')
    assert.deepEqual(await axeFindings(page), [])
    await page.click('.dialog button.main')
    await page.selectOption('tr:nth-child(3) td select', { label: 'Milk' })
    await page.click('th:nth-child(2) .node-settings')
    // What is set is kept when another column is added.
    await page.fill('label:has-text("Title") + input', 'Number')
    await page.click('.dialog >> text=Add after')
    await column(3, 'content-ref')
    await page.fill('label:has-text("Title") + input', 'Link')
    await page.click('label:has-text("Hidden")')
    await page.click('.dialog button.main')
    await page.click('tr:nth-child(2) .cell-button')
    await page.fill('.dialog input', 'example.com')
    await page.click('.dialog button.main')
    assert.deepEqual(await axeFindings(page), [])
    const markdown = await saved()
    assert.match(
      markdown,
      /Juice.*<th data-type="number">Number<\/th><th data-hidden data-type="content-ref">Link<\/th>/,
    )
    assert.match(
      markdown,
      /<span data-option="o1">Milk, <\/span><\/td><td>3<\/td><td><a href="https:\/\/example\.com">/,
    )
    assert.match(markdown, /<span data-option="o1">Milk, <\/span><\/td><td>7<\/td><td><\/td><\/tr><\/tbody>/)
    assert.deepEqual(complaints, [])
    await leave(page)
  })
})
