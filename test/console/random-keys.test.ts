/** What is painted in the editor is its document after each key and click, whatever the writer does, and is stored so. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import type { Browser, Page } from 'playwright-core'
import { block } from '../../src/core/document/build.ts'
import type { Block } from '../../src/core/document/model.ts'
import { parseMarkdown } from '../../src/core/document/parse.ts'
import { BLOCKS } from '../core/document/every-block.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { holds } from '../property.ts'
import { DEVICES, leave, openBrowser, openPage, WITHOUT_BROWSER } from '../sites/browser.ts'
import { createWorld } from '../world.ts'
import { compose, GROUPS, type Look, look, open, openBareEditor } from './bare-editor.ts'
import { blocks, docOf, load, schema } from './editor-steps.ts'

const { withoutTags } = (await load('editor/saving/value-tags.ts')) as {
  withoutTags: (unsaved: { entries: Block[] }) => { entries: Block[] }
}
const { planSave } = (await load('editor/saving/saving.ts')) as {
  planSave: (doc: Node, saved: { blocks: [] }) => { entries: Block[] }
}

/** A place in the text, in hundredths of its width and height. */
type Place = [x: number, y: number]
/** What a writer does. */
type Act =
  | { press: string }
  | { type: string }
  | { compose: string[] }
  | { click: Place; times: number; isShift: boolean }
  | { drag: Place; to: Place }

const ARROWS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End']
const MOVES = ARROWS.flatMap((key) => [key, `Shift+${key}`, `Control+${key}`])
const EDITS = ['Enter', 'Shift+Enter', 'Control+Enter', 'Backspace', 'Delete', 'Tab', 'Shift+Tab']
const OTHERS = ['Control+z', 'Control+y', 'Control+a', 'Control+x', 'Control+c', 'Control+v', 'Escape']
const TEXTS = ['x', 'yz', ' ', '- ', '# ', '1. ', '> ', '**b**', '漢', '{% if a %}']
const COMPOSED = [
  ['に', 'にほん', '日本'],
  ['n', 'ni', '你'],
]

const part = fc.nat(100)
const place: fc.Arbitrary<Place> = fc.tuple(part, part)
const anAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...MOVES).map((press) => ({ press })) },
  { weight: 4, arbitrary: fc.constantFrom(...EDITS).map((press) => ({ press })) },
  { weight: 2, arbitrary: fc.constantFrom(...OTHERS).map((press) => ({ press })) },
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS).map((type) => ({ type })) },
  { weight: 1, arbitrary: fc.constantFrom(...COMPOSED).map((parts) => ({ compose: parts })) },
  {
    weight: 4,
    arbitrary: fc.record({ click: place, times: fc.constantFrom(1, 2, 3), isShift: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ drag: place, to: place }) },
)
const acts = fc.array(anAct, { minLength: 1, maxLength: 30, size: 'max' })

const blocksOf = (markdown: string): Block[] => parseMarkdown(markdown).document.nodes
const groups = fc
  .array(fc.constantFrom('Words.', ...Object.values(GROUPS)), { minLength: 1, maxLength: 4 })
  .map((some) => blocksOf(some.join('\n\n')))
const inTabs = groups.map((nodes) => [block('tabs', {}, [block('tabs-item', { title: 'One' }, nodes)])])
const anyText: fc.Arbitrary<Block[]> = fc.oneof(blocks, groups, inTabs)

/** What once went wrong. */
const KNOWN: [Block[], Act[]][] = [
  [
    [block('tabs', {}, [block('tabs-item', { title: 'One' }, blocksOf('Words.'))])],
    [{ press: 'Tab' }, { type: '{% if a %}' }, { type: 'x' }, { press: 'Tab' }],
  ],
  [
    [block('list-ordered', {}, [block('list-item', {}, [BLOCKS.prompt.block])])],
    [{ press: 'End' }, { click: [0, 0], times: 1, isShift: false }, { type: 'x' }],
  ],
  [
    [BLOCKS['list-tasks'].block],
    [
      { press: 'Shift+Enter' },
      { click: [0, 10], times: 3, isShift: false },
      { compose: ['に', 'にほん', '日本'] },
      { press: 'ArrowUp' },
    ],
  ],
]

const world = await createWorld()

describe('the editor', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  let page: Page
  let content: string
  let home: string
  const errors: string[] = []
  const note = (error: Error) => errors.push(error.stack ?? String(error))
  before(async () => {
    browser = await openBrowser()
    ;({ page } = await openPage(browser, DEVICES[0]!))
    page.on('pageerror', note)
    await openBareEditor(page)
    const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Home\n' }), 'Book')
    await world.ada(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'Edits' })
    content = `/v1/spaces/${spaceId}/change-requests/1/content`
    home = (await world.ada(`GET ${content}/pages`)).body.pages[0].id
  })
  after(async () => {
    page.off('pageerror', note)
    await leave(page)
    await browser.close()
  })

  const pointAt = ([x, y]: Place) =>
    page.evaluate<{ x: number; y: number }>(`pointAt(${x / 100}, ${y / 100})`)

  async function take(act: Act, last: Look): Promise<void> {
    const { keyboard, mouse } = page
    if ('press' in act) await keyboard.press(act.press)
    else if ('type' in act) await keyboard.type(act.type)
    else if ('compose' in act) {
      // Nobody composes in a button, which may have the focus.
      if (last.selection === undefined) return
      const written = (await compose(page, act.compose)).at(-1)!
      if (last.selection === 'text' && last.isCaret)
        assert.equal(written.size, last.size + act.compose.at(-1)!.length, written.doc)
    } else if ('click' in act) {
      const { x, y } = await pointAt(act.click)
      if (act.isShift) await keyboard.down('Shift')
      await mouse.click(x, y, { clickCount: act.times })
      if (act.isShift) await keyboard.up('Shift')
    } else {
      const from = await pointAt(act.drag)
      await mouse.move(from.x, from.y)
      await mouse.down()
      const to = await pointAt(act.to)
      await mouse.move(to.x, to.y)
      await mouse.up()
    }
  }

  /** Stores the document as a save does, and compares its words: spaces at the ends of lines are not stored. */
  async function isStored({ content: json }: Look): Promise<void> {
    const doc = schema.nodeFromJSON(json)
    const { entries } = withoutTags(planSave(doc, { blocks: [] }))
    const saved = await world.ada(`POST ${content}`, {
      changes: [{ operation: 'update_page', page: home, document: { blocks: entries } }],
    })
    assert.equal(saved.status, 200, saved.text)
    const { body } = await world.ada(`GET ${content}/page/${home}/document`)
    const wordsOf = (node: Node) => node.textContent.replaceAll(/\s/g, '')
    assert.equal(wordsOf(docOf(body.nodes)), wordsOf(doc))
  }

  test('paints its document after each key and click, and the server stores it', async () => {
    await holds(
      fc.asyncProperty(anyText, acts, async (start, some) => {
        errors.length = 0
        await open(page, start)
        let last = await look(page)
        for (const act of some) {
          await take(act, last)
          last = await look(page)
          assert.deepEqual([...last.faults, ...errors], [], `after ${JSON.stringify(act)}: ${last.doc}`)
        }
        await isStored(last)
      }),
      { cases: 200, byDefault: 8, examples: KNOWN },
    )
  })
})
