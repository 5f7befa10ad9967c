/** The colours of code. The server finds the tokens, as it does for published pages. */
import type { Node } from 'prosemirror-model'
import { Decoration, type EditorView } from 'prosemirror-view'
import type { CodeToken } from '../../../../core/document/html/renderer.ts'
import { TOKEN_CLASS } from '../../../../core/document/html/token-class.ts'
import { append } from '../../../../core/data/lists.ts'
import { api } from '../../api/requests.ts'
import { recolor } from './code-color-state.ts'

/** In characters. A longer block stays plain, because each of its tokens would be an element. */
const LONGEST = 20_000
/** In characters. The blocks of a page after these stay plain. */
const LONGEST_PAGE = 300_000
/** The limits of one request. */
const AT_ONCE = { blocks: 50, characters: 100_000 }
/** The pauses after which the console requests colours again for blocks for which the server had no time. */
const PAUSES_MS = [250, 500, 1000, 2000, 4000]

/** A block of code, with the places of the texts of each line. */
export interface CodeBlock {
  node: Node
  code: string
  syntax: string
  lines: Run[][]
}

/** A text in the document. */
interface Run {
  from: number
  length: number
}

/** The colours of a page: those that are known, and a view that gets the others as they arrive. */
export interface ComingColors {
  readonly doc: Node
  readonly known: Decoration[]
  view?: EditorView | undefined
}

/**
 * Finds the colours of the code of a page, which need not be shown yet. Code stays plain if that fails.
 * @param content the path of the content below `/v1`
 */
export function beginColors(doc: Node, content: string, signal: AbortSignal): ComingColors {
  const coming: ComingColors = { doc, known: [] }
  const space = /^\/spaces\/([^/]+)/.exec(content)?.[1]
  // The page is readable without colours.
  if (space !== undefined) findColors(coming, space, signal).catch(() => undefined)
  return coming
}

async function findColors(coming: ComingColors, space: string, signal: AbortSignal) {
  for (const blocks of batchesOf(codeBlocksOf(coming.doc))) {
    let left = blocks
    for (const pause of [0, ...PAUSES_MS]) {
      if (left.length === 0) break
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
      signal.throwIfAborted()
      const sent = left
      const { blocks: found, complete } = await readTokens(space, sent, signal)
      signal.throwIfAborted()
      const colors = sent.flatMap((block, index) => colorsOf(block, found[index]?.lines ?? []))
      append(coming.known, colors)
      if (coming.view && colors.length > 0)
        coming.view.dispatch(recolor(coming.view.state.tr, { cleared: [], colors }))
      left = complete ? [] : sent.filter((_block, index) => !found[index]?.lines)
    }
  }
}

/** Asks the server for the tokens of blocks, at most as many as one request may have. */
export function readTokens(space: string, blocks: readonly CodeBlock[], signal: AbortSignal) {
  const body = { blocks: blocks.map(({ code, syntax }) => ({ code, syntax })) }
  return api(`POST /spaces/${space}/content/highlight`, body, signal)
}

/** The blocks of code that name their language, and are not too long. */
export function codeBlocksOf(doc: Node): CodeBlock[] {
  const blocks: CodeBlock[] = []
  doc.descendants((node, pos) => {
    if (node.type.name !== 'code_block') return !node.isTextblock
    const { syntax } = node.attrs.data as { syntax?: unknown }
    if (typeof syntax === 'string' && syntax !== '' && syntax.length <= 100 && node.content.size <= LONGEST)
      blocks.push({ node, syntax, ...codeOf(node, pos) })
    return false
  })
  return blocks.filter(({ code }) => code !== '')
}

function codeOf(block: Node, pos: number): Pick<CodeBlock, 'code' | 'lines'> {
  const lines: Run[][] = []
  const texts: string[] = []
  block.forEach((line, offset) => {
    const runs: Run[] = []
    let text = ''
    line.descendants((node, at) => {
      if (node.text === undefined) return
      runs.push({ from: pos + 1 + offset + 1 + at, length: node.text.length })
      text += node.text
    })
    lines.push(runs)
    texts.push(text)
  })
  return { lines, code: texts.join('\n') }
}

export function batchesOf(blocks: readonly CodeBlock[]): CodeBlock[][] {
  const batches: CodeBlock[][] = []
  let characters = 0
  let sum = 0
  for (const block of blocks) {
    sum += block.code.length
    if (sum > LONGEST_PAGE) break
    const last = batches.at(-1)
    characters += block.code.length
    if (last && last.length < AT_ONCE.blocks && characters <= AT_ONCE.characters) last.push(block)
    else {
      batches.push([block])
      characters = block.code.length
    }
  }
  return batches
}

/** A word that is being written keeps its colour. */
const colorOf = (from: number, to: number, kind: NonNullable<CodeToken['kind']>): Decoration =>
  Decoration.inline(from, to, { class: TOKEN_CLASS[kind] }, { inclusiveEnd: true })

/** The colours of a block. A mark can begin inside a token, so that a token can be in several texts. */
export function colorsOf({ lines }: Pick<CodeBlock, 'lines'>, found: readonly CodeToken[][]): Decoration[] {
  if (found.length !== lines.length) return []
  return lines.flatMap((runs, index) => {
    const colors: Decoration[] = []
    const tokens = found[index]!.values()
    let token = tokens.next().value
    let used = 0
    for (const { from, length } of runs) {
      for (let at = 0; at < length && token;) {
        const size = Math.min(token.length - used, length - at)
        if (token.kind && size > 0) colors.push(colorOf(from + at, from + at + size, token.kind))
        at += size
        used += size
        if (used < token.length) continue
        token = tokens.next().value
        used = 0
      }
    }
    return colors
  })
}
