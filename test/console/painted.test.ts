/** What is painted in the editor is the document, wherever the caret is. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { Block } from '../../src/core/document/model.ts'
import { parseMarkdown } from '../../src/core/document/parse.ts'
import { DEVICES, leave, openBrowser, openPage, WITHOUT_BROWSER } from '../sites/browser.ts'
import { type Look, look, open, openBareEditor } from './bare-editor.ts'

/** One group of each kind whose parts are in step, or that has places between its parts. */
const GROUPS: Readonly<Record<string, string>> = {
  table: '| A | B |\n| - | - |\n| a1 | b1 |\n| a2 | b2 |',
  values:
    '<table><thead><tr><th data-type="number">A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>b1</td></tr></tbody></table>',
  cards:
    '<table data-view="cards"><thead><tr><th></th><th></th></tr></thead><tbody><tr><td>a1</td><td>b1</td></tr></tbody></table>',
  images:
    '<div><figure><img src="https://e.example/a.png" alt=""><figcaption><p>one</p></figcaption></figure> <figure><img src="https://e.example/b.png" alt=""><figcaption></figcaption></figure></div>',
  tabs: '{% tabs %}\n{% tab title="One" %}\none\n{% endtab %}\n\n{% tab title="Two" %}\ntwo\n{% endtab %}\n{% endtabs %}',
  steps: '{% stepper %}\n{% step %}\none\n{% endstep %}\n\n{% step %}\ntwo\n{% endstep %}\n{% endstepper %}',
  columns:
    '{% columns %}\n{% column %}\none\n{% endcolumn %}\n\n{% column %}\ntwo\n{% endcolumn %}\n{% endcolumns %}',
  expandable: '<details>\n\n<summary>one</summary>\n\ntwo\n\n</details>',
  code: '```js\none\ntwo\n```',
}
/** The keys that lead from a paragraph above or below into a group, and those that then write. */
const WAYS = [
  ['ArrowDown', 'Over.', 'End'],
  ['ArrowRight', 'Over.', 'End'],
  ['ArrowUp', 'Under.', 'Home'],
  ['ArrowLeft', 'Under.', 'Home'],
] as const

/** How many parts of groups there are. A text may make a paragraph. */
const partsOf = ({ nodes }: Look) =>
  Object.entries(nodes).filter(([name]) => name !== 'paragraph' && name !== 'text')

const blocksOf = (markdown: string): Block[] => parseMarkdown(markdown).document.nodes

describe('the editor', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  let page: Page
  before(async () => {
    browser = await openBrowser()
    ;({ page } = await openPage(browser, DEVICES[0]!))
    await openBareEditor(page)
  })
  after(async () => {
    await leave(page)
    await browser.close()
  })

  for (const [name, markdown] of Object.entries(GROUPS))
    test(`makes no part of a group when somebody writes at its edge: ${name}`, async () => {
      for (const [key, from, edge] of WAYS) {
        await open(page, blocksOf(`Over.\n\n${markdown}\n\nUnder.\n`))
        await page.getByText(from, { exact: true }).click()
        await look(page)
        await page.keyboard.press(edge)
        const begun = await look(page)
        await page.keyboard.press(key)
        await page.keyboard.type('xy')
        const now = await look(page)
        assert.deepEqual(partsOf(now), partsOf(begun), `${key}: ${now.doc}`)
        assert.equal(now.size, begun.size + 2, `${key}: ${now.doc}`)
        assert.deepEqual(now.faults, [], key)
      }
    })

  for (const name of ['tabs', 'steps', 'columns'])
    test(`makes no part of a group with Enter in an empty line, and leaves only the last part: ${name}`, async () => {
      for (const [text, isLeft] of [
        ['one', false],
        ['two', true],
      ] as const) {
        await open(page, blocksOf(`${GROUPS[name]}\n`))
        const begun = await look(page)
        await page.getByText(text, { exact: true }).click()
        await look(page)
        await page.keyboard.press('End')
        await look(page)
        for (const key of ['Enter', 'Enter', 'x']) await page.keyboard.press(key)
        const now = await look(page)
        assert.deepEqual(partsOf(now), partsOf(begun), now.doc)
        assert.equal(now.doc.endsWith('paragraph("x"))'), isLeft, now.doc)
        assert.deepEqual(now.faults, [])
      }
    })

  test('writes over selected cells, empties them and pastes them as titles, and each cell stays in its column', async () => {
    const cells = async () => {
      const { doc, faults } = await look(page)
      assert.deepEqual(faults, [])
      return doc.replace(/^doc\(table\(|\)\)$/g, '')
    }
    const select = async () => {
      await page.getByText('b1', { exact: true }).click()
      await page.keyboard.press('Home')
      await look(page)
      await page.keyboard.press('Shift+ArrowLeft')
      assert.equal((await look(page)).selection, 'cell')
    }
    const [head, row] = ['table_head(table_header("A"), table_header("B"))', 'table_row(table_value, ']

    await open(page, blocksOf(`${GROUPS.values}\n`))
    await select()
    await page.keyboard.type('xy')
    assert.equal(await cells(), `${head}, ${row}table_cell(paragraph("xy")))`)
    await open(page, blocksOf(`${GROUPS.values}\n`))
    await select()
    await page.keyboard.press('Delete')
    assert.equal(await cells(), `${head}, ${row}table_cell(paragraph))`)
    await page.keyboard.press('Enter')
    assert.equal(await cells(), `${head}, ${row}table_cell(paragraph))`)

    await open(page, blocksOf(`${GROUPS.table}\n`))
    await select()
    await page.keyboard.press('Control+c')
    await page.locator('th', { hasText: 'A' }).click()
    await look(page)
    await page.keyboard.press('Control+v')
    assert.match(
      await cells(),
      /^table_head\(table_header\("a1"\), table_header\("b1"\)\), table_row\(.*"a1".*"b1"/,
    )
  })

  /** Writes as an input method does, and looks after each step. */
  async function compose(...parts: string[]): Promise<Look> {
    const devtools = await page.context().newCDPSession(page)
    const looks: Look[] = []
    for (const text of parts) {
      const place = { selectionStart: text.length, selectionEnd: text.length }
      await devtools.send('Input.imeSetComposition', { text, ...place })
      looks.push(await look(page))
    }
    await devtools.send('Input.insertText', { text: parts.at(-1)! })
    looks.push(await look(page))
    await devtools.detach()
    await page.keyboard.type('z')
    looks.push(await look(page))
    assert.deepEqual(
      looks.flatMap(({ faults }) => faults),
      [],
    )
    return looks.at(-1)!
  }

  for (const [name, markdown] of Object.entries(GROUPS))
    test(`an input method writes over all blocks, and leaves none of them: ${name}`, async () => {
      for (const [text, from] of [
        [`${markdown}\n\nUnder.\n`, 'Under.'],
        [`Over.\n\n${markdown}\n\nUnder.\n`, 'Over.'],
      ] as const) {
        await open(page, blocksOf(text))
        await page.getByText(from, { exact: true }).click()
        await look(page)
        await page.keyboard.press('Control+a')
        assert.equal((await look(page)).isCaret, false)
        assert.equal((await compose('に', 'にほん', '日本')).doc, 'doc(paragraph("日本z"))')
      }
    })

  test('an input method writes over selected cells', async () => {
    await open(page, blocksOf(`${GROUPS.table}\n`))
    await page.getByText('b1', { exact: true }).click()
    await page.keyboard.press('Home')
    await look(page)
    await page.keyboard.press('Shift+ArrowLeft')
    assert.equal((await look(page)).selection, 'cell')
    const { doc } = await compose('に', 'にほん', '日本')
    assert.match(
      doc,
      /table_row\(table_cell\(paragraph\("日本z"\)\), table_cell\(paragraph\)\), table_row\(.*"a2".*"b2"/,
    )
  })
})
