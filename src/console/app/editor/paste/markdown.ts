/** Markdown that is pasted as plain text: it becomes blocks as soon as the server has read it. */
import { closeHistory } from 'prosemirror-history'
import { Fragment, type ResolvedPos, Slice } from 'prosemirror-model'
import { Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { api } from '../../api/api.ts'
import { docOf } from '../../content/schema/convert.ts'
import { schema } from '../../content/schema/schema.ts'

/** The most that the server converts. */
const LONGEST = 200_000
/** The patterns of text that was written as Markdown. Each one examines a bounded part from its start. */
const SIGNS = [
  /^#{1,6} \S/m,
  /^(?:```|~~~)/m,
  /^ {0,3}(?:[-*+]|\d{1,9}[.)]) \S/m,
  /^> /m,
  /^\|.{1,500}\|[ \t]*$/m,
  /^\{% \w/m,
  /\[[^\]\n]{1,200}\]\([^)\s]{1,500}\)/,
  /\*\*[^*\s][^*\n]{0,200}\*\*/,
  /__[^_\s][^_\n]{0,200}__/,
  /~~[^~\s][^~\n]{0,200}~~/,
  /`[^`\n]{1,200}`/,
]

/** True for text that looks like Markdown. */
const looksLikeMarkdown = (text: string): boolean =>
  text.length <= LONGEST && SIGNS.some((sign) => sign.test(text))

/** A pasted text that the server reads, and where it stands. */
interface Awaited {
  id: number
  from: number
  to: number
}
type Change = { add: Awaited } | { remove: number }
const key = new PluginKey<readonly Awaited[]>('pasted-markdown')

/**
 * Pastes Markdown as text, and replaces it by its blocks. So nothing is lost without a network, and a writer who wants
 * the text has it with one undo. Pasted "without formatting", it stays text.
 */
export function markdownPaste(spaceId: string): Plugin {
  let markdown: string | undefined
  let count = 0

  async function convert(view: EditorView, id: number, text: string): Promise<void> {
    const { nodes } = await api(`POST /spaces/${spaceId}/content/markdown`, { markdown: text })
    const place = key.getState(view.state)?.find((one) => one.id === id)
    if (view.isDestroyed || !place || nodes.length === 0) return
    // The keys of the blocks are those of no page.
    const { content } = schema.nodeFromJSON(docOf(nodes).toJSON())
    const tr = closeHistory(view.state.tr)
    tr.replaceRange(place.from, place.to, Slice.maxOpen(content))
    view.dispatch(tr.setMeta(key, { remove: id } satisfies Change))
  }

  return new Plugin<readonly Awaited[]>({
    key,
    state: {
      init: () => [],
      apply(tr, places) {
        const change = tr.getMeta(key) as Change | undefined
        const kept = places
          .flatMap((place) => mapped(place, tr))
          .filter(({ id }) => !(change && 'remove' in change && change.remove === id))
        return change && 'add' in change ? [...kept, change.add] : kept
      },
    },
    props: {
      clipboardTextParser(text: string, $context: ResolvedPos, isPlain: boolean) {
        markdown =
          !isPlain && $context.parent.type === schema.nodes.paragraph && looksLikeMarkdown(text)
            ? text
            : undefined
        // Without an answer, the text is parsed as usual.
        return undefined as unknown as Slice
      },
      handlePaste(view, event, slice) {
        const text = markdownOfEditor(event) ?? markdown
        markdown = undefined
        if (text === undefined) return false
        const { from } = view.state.selection
        const tr = view.state.tr.replaceSelection(text === markdownOfEditor(event) ? linesIn(text) : slice)
        const add = { id: (count += 1), from, to: tr.selection.to }
        view.dispatch(
          tr
            .setMeta(key, { add } satisfies Change)
            .setMeta('paste', true)
            .scrollIntoView(),
        )
        // Without an answer, the text stays as it is.
        convert(view, add.id, text).catch(() => undefined)
        return true
      },
    },
  })
}

/** The place after a change; none if the writer has changed something in it. */
function mapped(place: Awaited, tr: Transaction): Awaited[] {
  const [from, to] = [tr.mapping.map(place.from, 1), tr.mapping.map(place.to, -1)]
  const isWhole = to - from === place.to - place.from
  return isWhole ? [{ ...place, from, to }] : []
}

/** Markdown that an editor of programs has copied, beside an HTML picture of it. */
function markdownOfEditor({ clipboardData }: ClipboardEvent): string | undefined {
  const data = clipboardData?.getData('vscode-editor-data') ?? ''
  return data.includes('"mode":"markdown"') ? clipboardData?.getData('text/plain') : undefined
}

const linesIn = (text: string): Slice =>
  new Slice(
    Fragment.from(
      text
        .split(/[\r\n]+/)
        .filter((line) => line !== '')
        .map((line) => schema.node('paragraph', null, schema.text(line))),
    ),
    1,
    1,
  )
