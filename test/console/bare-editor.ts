/** The editor on an empty page, without the console and a server around it: to open it with another text takes a few milliseconds. */
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { compiledCatalogues } from '../../src/console/build/catalogue-plugin.ts'
import type { Block } from '../../src/core/document/model.ts'
import { drawn } from '../sites/browser.ts'

/**
 * What the page runs. The sources of the browser have a configuration of their own, so this is no module of the tests.
 * Paths are in double quotes, or `test/groups.ts` would take them for imports of this file.
 */
const ENTRY = String.raw`
import { EditorState, NodeSelection, TextSelection } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import "./program/styles.css"
import "./editor/editor.css"
import "./content/views/prose.css"
import "./content/views/blocks.css"
import "./content/views/colors.css"
import { clipboardProps } from "./editor/commands/clipboard.ts"
import { docOf } from "./content/schema/convert.ts"
import { dropPlugin } from "./editor/commands/drag.ts"
import { headingLevels } from "./content/views/heading-levels.ts"
import { typedColors } from "./editor/typed-colors.ts"
import { typedTags } from "./editor/caret/typed-tags.ts"
import { markViews, nodeViews } from "./content/views/views.ts"
import { writingPlugins } from "./editor/writing.ts"

const nothing = () => undefined
const context = { content: undefined, pages: [] }
const stateOf = (blocks) =>
  EditorState.create({
    doc: docOf(blocks),
    plugins: [dropPlugin, ...writingPlugins('space', nothing), headingLevels()],
  })
/** Colours three characters, and none of the next three, after a moment as a server does. */
const findTokens = async (blocks) => {
  await new Promise((done) => setTimeout(done, 5))
  const tokensOf = (line) =>
    (line.match(/[^]{1,3}/g) ?? []).map(({ length }, at) => (at % 2 ? { length } : { length, kind: 'keyword' }))
  return { blocks: blocks.map(({ code }) => ({ lines: code.split('\n').map(tokensOf) })), complete: true }
}
globalThis.view = new EditorView(document.querySelector('#text'), {
  state: stateOf([]),
  plugins: [typedColors(findTokens), typedTags(docOf([]))],
  attributes: { class: 'prose writing', role: 'textbox' },
  nodeViews: nodeViews(context, nothing),
  markViews: markViews(context),
  ...clipboardProps(nothing),
})
globalThis.open = (blocks) => {
  view.updateState(stateOf(blocks))
  view.focus()
}

/** The places and the types of the nodes that one can select. A row of titles may be hidden. */
globalThis.selectable = () => {
  const found = []
  view.state.doc.descendants((node, pos) => {
    const { name } = node.type
    if (NodeSelection.isSelectable(node) && name !== 'table_head') found.push([pos, name])
  })
  return found
}
globalThis.selectNode = (pos) => {
  const { doc, tr } = view.state
  view.dispatch(tr.setSelection(NodeSelection.create(doc, pos)))
  view.focus()
}

// The library reads the selection of the browser 20 ms after a change that it has made itself.
globalThis.settled = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 25)))

/** The text block that a node of the page belongs to, and its element; undefined outside of text. */
const textBlockOf = (node) => {
  for (let at = node; at && at !== view.dom; at = at.parentNode) {
    const { node: block, contentDOM } = at.pmViewDesc ?? {}
    if (block?.isBlock) return block.isTextblock && contentDOM.contains(node) ? contentDOM : undefined
  }
  return undefined
}

/** The texts that one sees and can write in, by their text blocks. What is outside of one has the key undefined. */
const paintedTexts = () => {
  const found = new Map()
  const walker = document.createTreeWalker(view.dom, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node.contentEditable === 'false' ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  )
  while (walker.nextNode()) {
    const { currentNode: node } = walker
    const block = textBlockOf(node)
    const text = (node.data ?? '').replaceAll('\ufeff', '')
    if (block || text) found.set(block, (found.get(block) ?? '') + text)
  }
  return found
}

const faultsOf = ({ doc, selection }) => {
  const faults = []
  const painted = paintedTexts()
  if (painted.has(undefined)) faults.push('painted outside of text: ' + painted.get(undefined))
  painted.delete(undefined)
  const texts = []
  doc.descendants((node) => {
    if (node.isTextblock) texts.push(node.textBetween(0, node.content.size, '', ''))
    if (node.type.name === 'table' && node.children.some((row) => row.childCount !== node.firstChild.childCount))
      faults.push('the rows of a table have different lengths')
    return !node.isTextblock
  })
  const shown = [...painted.values()]
  // An empty text block may have no element that the walk has met.
  if (shown.filter(Boolean).join('\n') !== texts.filter(Boolean).join('\n'))
    faults.push('painted ' + JSON.stringify(shown) + ', but the document has ' + JSON.stringify(texts))
  if (document.activeElement === view.dom && selection instanceof TextSelection) {
    if (!selection.$head.parent.inlineContent) faults.push('the caret of the editor is in no text')
    const { anchorNode, focusNode } = getSelection()
    for (const node of [anchorNode, focusNode])
      if (!textBlockOf(node)) faults.push('the caret of the browser is in no text, but in ' + (node?.nodeName ?? node))
  }
  return faults
}

/** The point of the window at shares of the width and the height of the text, which is scrolled there. */
globalThis.pointAt = (x, y) => {
  const { top, height } = view.dom.getBoundingClientRect()
  scrollTo(0, scrollY + top + y * height - innerHeight / 2)
  const { left, width, top: now } = view.dom.getBoundingClientRect()
  return { x: left + x * width, y: now + y * height }
}

globalThis.look = () => {
  const { doc, selection } = view.state
  const nodes = {}
  doc.descendants(({ type }) => void (nodes[type.name] = (nodes[type.name] ?? 0) + 1))
  return {
    faults: faultsOf(view.state),
    doc: doc.toString(),
    size: doc.textContent.length,
    nodes,
    selection: document.activeElement === view.dom ? selection.toJSON().type : undefined,
    isCaret: selection.empty,
    content: doc.toJSON(),
  }
}
`

/** One group of each kind whose parts are in step, or that has places between its parts. */
export const GROUPS: Readonly<Record<string, string>> = {
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
const FOLDER = fileURLToPath(new URL('../../src/console/app', import.meta.url))

const ADDRESS = 'http://editor.example/'
const PAGE = `<!doctype html>
<main class="page-editor"><div class="text-frame"><div id="text" class="text-of-page"></div></div></main>`

/** Opens the editor in a page of a browser. */
export async function openBareEditor(page: Page): Promise<void> {
  const esbuild = await import('esbuild')
  const { outputFiles } = await esbuild.build({
    stdin: { contents: ENTRY, resolveDir: FOLDER, loader: 'ts' },
    absWorkingDir: FOLDER,
    outdir: '/',
    bundle: true,
    format: 'esm',
    target: 'es2023',
    jsx: 'automatic',
    plugins: [compiledCatalogues],
    write: false,
    logLevel: 'silent',
  })
  await esbuild.stop()
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? ''
  // Only a page with an address may have cookies, which hold the language.
  await page.route('**', (route) =>
    route.request().url() === ADDRESS
      ? route.fulfill({ contentType: 'text/html', body: PAGE })
      : route.abort(),
  )
  await page.goto(ADDRESS)
  await page.addStyleTag({ content: textOf('.css') })
  await page.addScriptTag({ content: textOf('.js'), type: 'module' })
  await page.waitForSelector('.writing')
}

/** Opens a text in the editor, with the caret at its start. */
export async function open(page: Page, blocks: readonly Block[]): Promise<void> {
  await page.evaluate(`open(${JSON.stringify(blocks)})`)
  await drawn(page)
}

/** What the editor shows and has. */
export interface Look {
  /** What is wrong: a text that is painted and not in the document, or a caret where nobody can write. */
  faults: string[]
  /** The document as ProseMirror prints it. */
  doc: string
  /** The number of characters. */
  size: number
  /** How many nodes there are of each type. */
  nodes: Record<string, number>
  /** The kind of selection; undefined if something else has the focus, such as a field of a block. */
  selection: string | undefined
  isCaret: boolean
  /** The document as JSON. */
  content: object
}

/** Looks at the editor once the browser has drawn it. */
export async function look(page: Page): Promise<Look> {
  await page.evaluate('settled()')
  return page.evaluate('look()')
}

/**
 * Writes as an input method does, and looks after each step.
 * @param parts what is composed, step by step; the last one is what is written
 */
export async function compose(page: Page, parts: readonly string[]): Promise<Look[]> {
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
  return looks
}
