/** What is painted in the editor is the document, wherever the caret is. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { Block } from '../../src/core/document/model.ts'
import { parseMarkdown } from '../../src/core/document/parse.ts'
import { DEVICES, leave, openBrowser, openPage, WITHOUT_BROWSER } from '../sites/browser.ts'
import { BLOCKS } from '../core/document/every-block.ts'
import { INLINES } from '../core/document/every-node.ts'
import { paragraph } from '../core/document/sample.ts'
import { diagonalOf, firstOf } from '../effort.ts'
import { compose, GROUPS, type Look, look, open, openBareEditor } from './bare-editor.ts'

/** The keys that lead from a paragraph above or below into a group, and those that then write. */
const WAYS = [
  ['ArrowDown', 'Over.', 'End'],
  ['ArrowRight', 'Over.', 'End'],
  ['ArrowUp', 'Under.', 'Home'],
  ['ArrowLeft', 'Under.', 'Home'],
] as const

const IMAGE = '<figure><img src="https://e.example/a.png" alt=""><figcaption></figcaption></figure>'

/** How many parts of groups there are. A text may make a paragraph. */
const partsOf = ({ nodes }: Look) =>
  Object.entries(nodes).filter(([name]) => name !== 'paragraph' && name !== 'text')

/** The blocks that are only in others. */
const MEMBERS = new Set(['code-line', 'column', 'image', 'list-item', 'stepper-step', 'tabs-item', 'update'])
const INLINE = Object.values(INLINES).map(({ inline }) => paragraph('ab', inline, 'cd'))
const between = (block: Block) => [paragraph('Over.'), block, paragraph('Under.')]
/** One block of each kind, alone and between others, and one inline of each kind. Those at the start stand for the others. */
const SELECTABLE: Block[][] = [
  between(BLOCKS.images.block),
  [BLOCKS.divider.block],
  between(BLOCKS.hint.block),
  INLINE,
  ...Object.values(BLOCKS)
    .filter(({ block: { type } }) => !MEMBERS.has(type))
    .flatMap(({ block }) => [[block], between(block)]),
]

/** The ways to write without a key, by the text that they leave. */
const WAYS_TO_WRITE: Record<string, (page: Page) => Promise<Look[]>> = {
  日本: (page) => compose(page, ['に', 'にほん', '日本']),
  本: (page) => page.keyboard.insertText('本').then(() => []),
  '': (page) => compose(page, ['に', 'にほん', '']),
}

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
        if (name === 'tabs' && text === 'two') await page.click('.tab button:visible')
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

  /** Writes as an input method does, and a letter after it. Each step is looked at. */
  async function composed(): Promise<Look> {
    const looks = await compose(page, ['に', 'にほん', '日本'])
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
        assert.equal((await composed()).doc, 'doc(paragraph("日本z"))')
      }
    })

  test('an input method writes over selected cells', async () => {
    await open(page, blocksOf(`${GROUPS.table}\n`))
    await page.getByText('b1', { exact: true }).click()
    await page.keyboard.press('Home')
    await look(page)
    await page.keyboard.press('Shift+ArrowLeft')
    assert.equal((await look(page)).selection, 'cell')
    const { doc } = await composed()
    assert.match(
      doc,
      /table_row\(table_cell\(paragraph\("日本z"\)\), table_cell\(paragraph\)\), table_row\(.*"a2".*"b2"/,
    )
  })
  test('an input method writes each word once in an empty caption, also in an image that stayed while the page was read again', async () => {
    const two = `${IMAGE}\n\n${IMAGE}\n`
    for (let times = 1; times <= 2; times++) {
      await open(page, blocksOf(two))
      await look(page)
      assert.equal((await composed()).doc, 'doc(images(image("日本z")), images(image))')
    }
  })

  test('an input method writes over a selected block where a letter would be', async () => {
    for (const write of [composed, () => page.keyboard.type('日本z').then(() => look(page))]) {
      await open(page, blocksOf(`Over.\n\n${IMAGE}\n`))
      await look(page)
      await page.keyboard.press('Escape')
      assert.equal((await look(page)).selection, 'node')
      assert.equal((await write()).doc, 'doc(paragraph("日本z"), images(image))')
    }
  })

  test('an input method writes over whatever is selected as the keyboard does, and leaves nothing if it is given up', async () => {
    const known = new Set<string>()
    for (const blocks of firstOf(SELECTABLE, 3)) {
      await open(page, blocks)
      for (const [at, kind] of await page.evaluate<[at: number, kind: string][]>('selectable()')) {
        const name = `${kind} of ${blocks.length}`
        if (known.has(name)) continue
        known.add(name)
        const begin = async () => {
          await open(page, blocks)
          await page.evaluate(`selectNode(${at})`)
          await look(page)
        }
        await begin()
        await page.keyboard.type('xy')
        const typed = await look(page)
        assert.match(typed.doc, /"[^"]*xy/, name)
        const written = (text: string) => typed.doc.replace(/xy/, text).replace('("")', '')
        for (const [text, write] of diagonalOf(Object.entries(WAYS_TO_WRITE), known.size, 1, 2)) {
          await begin()
          const looks = [...(await write(page)), await look(page)]
          assert.deepEqual(
            [looks.at(-1)!.doc, ...looks.flatMap(({ faults }) => faults)],
            [written(text)],
            name,
          )
        }
      }
    }
  })

  test('an input method writes beside a block that is the only one', async () => {
    await open(page, [BLOCKS.divider.block])
    await page.keyboard.press('ArrowUp')
    assert.equal((await look(page)).selection, 'gapcursor')
    assert.equal((await composed()).doc, 'doc(paragraph("日本z"), divider)')
  })

  test('a letter has a place after a double click between two blocks of a tab', async () => {
    const text = `{% tabs %}\n{% tab title="One" %}\none\n\n${IMAGE}\n\n$$\nx\n$$\n{% endtab %}\n{% endtabs %}\n`
    for (const share of [0, 0.5, 1]) {
      await open(page, blocksOf(text))
      const [tab, image, formula] = await Promise.all(
        ['', ' .images', ' .math'].map((one) => page.locator(`.tab-panel${one}`).boundingBox()),
      )
      const end = image!.y + image!.height
      await page.mouse.click(tab!.x + 2, end + share * (formula!.y - end), { clickCount: 2 })
      assert.deepEqual((await look(page)).faults, [])
      await page.keyboard.type('q')
      const { doc, faults } = await look(page)
      assert.deepEqual(faults, [])
      assert.match(doc, /q/)
    }
  })
})
