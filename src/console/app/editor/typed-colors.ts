/** Colours code while it is written. The server finds the tokens, as it does for published pages, whenever the writer pauses. */
import type { Node } from 'prosemirror-model'
import { Plugin } from 'prosemirror-state'
import type { Decoration, EditorView } from 'prosemirror-view'
import type { CodeToken } from '../../../core/document/html/renderer.ts'
import { append } from '../../../core/data/lists.ts'
import { colorsIn, recolor } from '../content/views/code-color-state.ts'
import { batchesOf, type CodeBlock, codeBlocksOf, colorsOf } from '../content/views/code-colors.ts'

/** Finds the tokens of blocks, which are few enough for one request. `complete` is false if there was no time for all. */
export type FindTokens = (
  blocks: readonly CodeBlock[],
  signal: AbortSignal,
) => Promise<{ blocks: readonly { lines?: CodeToken[][] }[]; complete: boolean }>

/** Code is coloured once nobody has typed for so long. */
const PAUSE_MS = 150
/** After a request that failed or was not complete, the next one waits, and after so many it waits for a change. */
const RETRY_MS = 3000
const RETRIES = 3

/** Colours the code of an editor that has `codeColors`. */
export const typedColors = (findTokens: FindTokens): Plugin =>
  new Plugin({
    view(view) {
      const colors = new TypedColors(view, findTokens)
      return {
        update: (_view, before) => {
          if (before.doc !== view.state.doc) colors.soon(PAUSE_MS)
        },
        destroy: () => colors.end(),
      }
    },
  })

class TypedColors {
  readonly #view: EditorView
  readonly #findTokens: FindTokens
  readonly #leaving = new AbortController()
  /** The blocks whose tokens are known. A block that changes is another node. */
  readonly #known = new WeakSet<Node>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #isAsking = false
  #failures = 0

  constructor(view: EditorView, findTokens: FindTokens) {
    this.#view = view
    this.#findTokens = findTokens
    this.soon(0)
  }

  /** Colours what has changed, after a pause in which nothing changes. */
  soon(pause: number): void {
    clearTimeout(this.#timer)
    if (!this.#isAsking) this.#timer = setTimeout(() => void this.#color(), pause)
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#leaving.abort()
  }

  async #color(): Promise<void> {
    const view = this.#view
    // Other elements around the words would end what an input method composes.
    if (view.composing) return this.soon(PAUSE_MS)
    uncolorOthers(view)
    const [sent] = batchesOf(codeBlocksOf(view.state.doc)).flatMap((batch) => {
      const changed = batch.filter(({ node }) => !this.#known.has(node))
      return changed.length > 0 ? [changed] : []
    })
    if (!sent) return undefined
    this.#isAsking = true
    const { signal } = this.#leaving
    let pause = RETRY_MS
    try {
      const { blocks, complete } = await this.#findTokens(sent, signal)
      if (signal.aborted) return undefined
      if (view.composing) pause = PAUSE_MS
      else {
        showTokens(view, sent, blocks)
        for (const [index, { node }] of sent.entries())
          if (complete || blocks[index]?.lines) this.#known.add(node)
        this.#failures = complete ? 0 : this.#failures + 1
        if (complete) pause = PAUSE_MS
      }
    } catch {
      // Code can be written without colours.
      this.#failures += 1
    }
    this.#isAsking = false
    if (!signal.aborted && this.#failures < RETRIES) this.soon(pause)
    return undefined
  }
}

/** Shows the tokens in the lines that nobody has changed since they were sent. */
function showTokens(
  view: EditorView,
  sent: readonly CodeBlock[],
  found: readonly { lines?: CodeToken[][] }[],
): void {
  const tokensOfLine = new Map<Node, CodeToken[]>()
  for (const [index, { node }] of sent.entries())
    for (const [at, tokens] of (found[index]?.lines ?? []).entries())
      if (at < node.childCount) tokensOfLine.set(node.child(at), tokens)
  const shown = colorsIn(view.state)
  const cleared: { from: number; to: number }[] = []
  const colors: Decoration[] = []
  for (const { node, lines } of codeBlocksOf(view.state.doc))
    for (const [at, runs] of lines.entries()) {
      const tokens = tokensOfLine.get(node.child(at))
      const [first, last] = [runs[0], runs.at(-1)]
      if (!tokens || !first || !last) continue
      const line = { from: first.from, to: last.from + last.length }
      const wanted = colorsOf({ lines: [runs] }, [tokens])
      if (areSame(shown?.find(line.from, line.to) ?? [], wanted)) continue
      cleared.push(line)
      append(colors, wanted)
    }
  if (cleared.length > 0) view.dispatch(recolor(view.state.tr, { cleared, colors }))
}

/** Most lines have the colours that they had, and their elements stay as they are. */
function areSame(before: readonly Decoration[], now: readonly Decoration[]): boolean {
  const lookKey = ({ from, to, type }: Decoration & { type?: { attrs: { class: string } } }) =>
    `${from} ${to} ${type?.attrs.class}`
  const known = new Set(before.map(lookKey))
  return before.length === now.length && now.every((one) => known.has(lookKey(one)))
}

/** Takes the colours from code whose language was removed, or that has become too long. */
function uncolorOthers(view: EditorView): void {
  const colored = new Set(codeBlocksOf(view.state.doc).map(({ node }) => node))
  const cleared: { from: number; to: number }[] = []
  view.state.doc.descendants((node, pos) => {
    if (node.type.name !== 'code_block') return !node.isTextblock
    const range = { from: pos, to: pos + node.nodeSize }
    if (!colored.has(node) && colorsIn(view.state)?.find(range.from, range.to).length) cleared.push(range)
    return false
  })
  if (cleared.length > 0) view.dispatch(recolor(view.state.tr, { cleared, colors: [] }))
}
