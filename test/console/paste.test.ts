/** What people paste: the clipboards of other programs, and what becomes of them. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Node, Schema } from 'prosemirror-model'
import type { Browser, Page } from 'playwright-core'
import type { Block } from '../../src/core/document/model.ts'
import { parseMarkdown } from '../../src/core/document/parse.ts'
import { printDocument } from '../../src/core/document/print.ts'
import { BLOCKS } from '../core/document/every-block.ts'
import { firstOf, onlyLong } from '../effort.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { DEVICES, leave, openBrowser, openPage, WITHOUT_BROWSER } from '../sites/browser.ts'
import { PNG } from '../picture.ts'
import { createWorld } from '../world.ts'
import { PASSWORD, withPassword } from './pages.ts'

const load = (path: string): Promise<unknown> =>
  import(new URL(`../../src/console/app/${path}`, import.meta.url).href)
const { blockOf, nodeOf } = (await load('content/schema/convert.ts')) as {
  blockOf: (node: Node) => Block
  nodeOf: (block: Block) => Node
}
const { schema } = (await load('content/schema/schema.ts')) as { schema: Schema }

const FOLDER = join(import.meta.dirname, 'clipboards')
/** These come first, because they stand for the others in the default run. */
const TYPICAL = ['google-docs', 'markdown', 'word']
const isTypical = (name: string) => TYPICAL.includes(name)
/** What a clipboard has, by its type, and the page that becomes of it. */
const CLIPBOARDS = readdirSync(FOLDER)
  .filter((name) => !name.endsWith('.md'))
  .map((name) => ({
    name: name.replace(/\.\w+$/, ''),
    type: name.endsWith('.html') ? 'text/html' : 'text/plain',
    text: readFileSync(join(FOLDER, name), 'utf8'),
    expected: readFileSync(join(FOLDER, name.replace(/\.\w+$/, '.md')), 'utf8'),
  }))
  .toSorted((one, other) => Number(isTypical(other.name)) - Number(isTypical(one.name)))

const world = await createWorld()
const { email } = await withPassword(world, 'ann')

describe('the clipboard', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  let page: Page
  let complaints: string[]
  let spaceId: string

  before(async () => {
    browser = await openBrowser()
    ;({ page, complaints } = await openPage(browser, DEVICES[0]!))
    await page.goto(`${world.url}/sign-in`)
    await page.fill('#email', email)
    await page.fill('#password', PASSWORD)
    await page.click('button.main')
    await page.waitForURL('**/app**')
    ;({ spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Home\n\nHello.\n' }), 'Pasted'))
    // Other hosts are not asked.
    await page.context().route(/example\.com|googleusercontent/, (route) => route.abort())
    // The samples of blocks name a file and a user that nobody has.
    await page.context().route(/\/(?:files\/f1|users\/u1)$/, (route) => route.abort())
    await page.goto(`${world.url}/app/s/${spaceId}`)
    await page.click('text=Edit')
    await page.waitForSelector('.writing')
  })
  after(async () => {
    await leave(page)
    await browser?.close()
  })

  const clear = async () => {
    const end = Date.now() + 5000
    do {
      await page.click('.writing')
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Delete')
    } while ((await page.locator('.writing').innerText()).trim() !== '' && Date.now() < end)
  }
  const paste = (data: Record<string, string>) =>
    page.evaluate(
      ([entries]) => {
        const { document, DataTransfer, ClipboardEvent } = globalThis as unknown as {
          document: { querySelector(selector: string): { dispatchEvent(event: unknown): void } }
          DataTransfer: new () => { setData(type: string, text: string): void }
          ClipboardEvent: new (type: string, options: object) => unknown
        }
        const clipboardData = new DataTransfer()
        for (const [type, text] of entries) clipboardData.setData(type, text)
        const options = { clipboardData, bubbles: true, cancelable: true }
        document.querySelector('.writing').dispatchEvent(new ClipboardEvent('paste', options))
      },
      [Object.entries(data)] as const,
    )
  /** What is in the editor, as Markdown. */
  const written = async (): Promise<string> => {
    const json = await page.evaluate(`document.querySelector('.writing').pmViewDesc.node.toJSON()`)
    const doc = schema.nodeFromJSON(json)
    doc.check()
    return printDocument({ object: 'document', data: {}, nodes: doc.children.map(blockOf) } as never)
  }

  const until = async (expected: string) => {
    const end = Date.now() + 3000
    while ((await written()) !== expected && Date.now() < end);
    assert.equal(await written(), expected)
  }

  for (const { name, type, text, expected } of firstOf(CLIPBOARDS, TYPICAL.length))
    test(`has the expected blocks: ${name}`, async () => {
      await clear()
      await paste({ [type]: text })
      // The server converts Markdown.
      await until(expected)
    })

  const MARKDOWN = '# One\n\n* **two**\n'
  test('Markdown is text again after one undo, and when it is pasted without formatting', async () => {
    await clear()
    await paste({ 'text/plain': MARKDOWN })
    await until('## One\n\n* **two**\n')
    await page.keyboard.press('Control+z')
    await until('\\# One\n\n\\* \\*\\*two\\*\\*\n')
    await clear()
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(MARKDOWN)})`)
    await page.keyboard.press('Control+Shift+v')
    await until('\\# One\n\n\\* \\*\\*two\\*\\*\n')
  })

  test('Markdown stays text without a network, and becomes blocks beside later text', onlyLong, async () => {
    await clear()
    await page.route('**/content/markdown', (route) => route.abort())
    await paste({ 'text/plain': '**two**' })
    await page.keyboard.type(' and more')
    assert.equal(await written(), '\\*\\*two\\*\\* and more\n')
    await page.unroute('**/content/markdown')
    await clear()
    const { promise: typed, resolve } = Promise.withResolvers<void>()
    await page.route('**/content/markdown', async (route) => {
      await typed
      await route.continue()
    })
    await page.keyboard.type('Before ')
    await paste({ 'text/plain': '**two**' })
    await page.keyboard.type(' and after')
    resolve()
    await until('Before **two** and after\n')
    await page.unroute('**/content/markdown')
  })

  test('in code, and from an editor of programs, text is what it is there', onlyLong, async () => {
    await clear()
    await page.keyboard.type('```')
    await page.keyboard.press('Enter')
    await paste({ 'text/plain': MARKDOWN, 'text/html': '<h1>One</h1>' })
    await until('```\n# One\n\n* **two**\n```\n')
    await clear()
    await paste({
      'text/plain': MARKDOWN,
      'text/html': '<pre># One</pre>',
      'vscode-editor-data': '{"version":1,"isFromEmptySelection":false,"mode":"markdown"}',
    })
    await until('## One\n\n* **two**\n')
  })

  test('an image in the text itself is uploaded', onlyLong, async () => {
    await clear()
    await paste({
      'text/html': `<p>A picture</p><p><img src="data:image/png;base64,${PNG.toString('base64')}"></p>`,
    })
    await page.waitForSelector('.writing figure img[src^="http"]')
    assert.match(await written(), /^A picture\n\n<figure><img src="\/files\//)
  })

  test('every block that is copied here is the same when it is pasted', onlyLong, async () => {
    await clear()
    const blocks = Object.values(BLOCKS).flatMap(({ block }) =>
      nodeOf(block).type.name === 'other' && block.type !== 'table' ? [] : [block],
    )
    await page.goto(`${world.url}/app/s/${spaceId}/~/changes/1/edit/${await putPage(blocks)}`)
    await page.waitForSelector('.writing')
    const copied = await written()
    await page.click('.writing')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+c')
    await page.keyboard.press('Delete')
    await page.keyboard.press('Control+v')
    await until(copied)
  })

  test('what a hostile page copies as blocks breaks nothing', onlyLong, async () => {
    await page.goto(`${world.url}/app/s/${spaceId}/~/changes/1/edit/`)
    await page.waitForSelector('.writing')
    for (const attrs of HOSTILE_ATTRIBUTES) {
      await clear()
      const nodes = [...Object.keys(schema.nodes), 'script', '__proto__'].map(
        (name) => `<div data-node="${name}" data-attrs='${attrs}'>x</div>`,
      )
      const html = `<p data-pm-slice="0 0 []">Before</p>${nodes.join('')}<p>After</p>`
      await paste({ 'text/html': html })
      const text = await page.locator('.writing').innerText()
      assert.match(text, /^Before[^]*After$/, attrs)
    }
    await clear()
    await paste({
      'text/html': `<p><a href="#" data-ref='{"kind":"url"}'>a</a><a href="#" data-ref="{">b</a></p>`,
    })
    assert.match(await page.locator('.writing').innerText(), /ab/)
  })

  test('the server accepts all of it, and the policy of the page stops nothing', async () => {
    for (const { expected } of firstOf(CLIPBOARDS, TYPICAL.length))
      await putPage(parseMarkdown(expected).document.nodes)
    // The hosts of pictures are not asked, and a request was aborted.
    assert.deepEqual(
      complaints.filter((one) => !/ERR_FAILED/.test(one)),
      [],
    )
  })

  let made = 0
  /** Adds a page to the change request. @returns the path of it */
  async function putPage(nodes: Block[]): Promise<string> {
    made += 1
    const { status, text } = await world.ada(
      `POST /v1/spaces/${spaceId}/change-requests/1/content?compat=false`,
      {
        changes: [
          {
            operation: 'insert_page',
            title: `Page ${made}`,
            slug: `page-${made}`,
            document: { document: { object: 'document', data: {}, nodes } },
          },
        ],
      },
    )
    assert.equal(status, 200, text)
    return `page-${made}`
  }
})

/** The attributes of nodes that the editor never copies. */
const HOSTILE_ATTRIBUTES = [
  '{',
  'null',
  '[]',
  '{}',
  '{"data":null}',
  '{"data":[]}',
  '{"data":{"ref":7,"view":7,"formula":{}}}',
  '{"block":null,"inline":null,"column":7,"caption":7,"fragment":7}',
  '{"block":{"type":"script"},"inline":{"type":"__proto__","data":{}}}',
]
