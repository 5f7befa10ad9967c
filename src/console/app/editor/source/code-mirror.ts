/** The editor of the source of a page. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { markdownKeymap, markdownLanguage } from '@codemirror/lang-markdown'
import { syntaxHighlighting } from '@codemirror/language'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { ChangeSet, EditorState, Transaction } from '@codemirror/state'
import { drawSelection, EditorView, keymap } from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import type { PlainId } from '../../words/message-ids.ts'
import { t } from '../../words/words.ts'
import type { SourceView } from './source-session.ts'

/** The source to show, and the way to show it. */
interface SourceOptions {
  parent: HTMLElement
  source: string
  isReadOnly: boolean
  onChange: () => void
}

/** The words of the search box, by those of the library. */
const PHRASES: Readonly<Record<string, PlainId>> = {
  Find: 'common.find',
  Replace: 'common.replace',
  next: 'source.next',
  previous: 'source.previous',
  all: 'source.all',
  'match case': 'source.match-case',
  regexp: 'source.regexp',
  'by word': 'source.by-word',
  replace: 'source.replace',
  'replace all': 'source.replace-all',
  close: 'source.close',
}

/** Styles of the editor need the nonce of the page. */
function nonceOfPage(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
}

/**
 * Shows the source of a page. Its bytes stay: only a line feed is a line break here, and the carriage return of another
 * system stays a character at the end of its line.
 */
export function showSource({ parent, source, isReadOnly, onChange }: SourceOptions): {
  view: EditorView
  shown: SourceView
  /** Moves the caret to the beginning of a line; to the last line, if there are fewer. */
  showLine: (line: number) => void
} {
  let since = ChangeSet.empty(source.length)
  const view = new EditorView({
    parent,
    doc: source,
    extensions: [
      EditorState.lineSeparator.of('\n'),
      EditorView.cspNonce.of(nonceOfPage()),
      EditorState.readOnly.of(isReadOnly),
      EditorView.contentAttributes.of({ 'aria-label': t('source.source-page'), spellcheck: 'true' }),
      EditorView.lineWrapping,
      EditorView.perLineTextDirection.of(true),
      EditorState.phrases.of(
        Object.fromEntries(Object.entries(PHRASES).map(([phrase, id]) => [phrase, t(id)])),
      ),
      history(),
      drawSelection(),
      highlightSelectionMatches(),
      search({ top: true }),
      markdownLanguage,
      syntaxHighlighting(classHighlighter),
      keymap.of([...markdownKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap]),
      EditorView.updateListener.of(({ docChanged, changes, transactions }) => {
        if (!docChanged) return
        since = since.compose(changes)
        if (!transactions.every((one) => one.annotation(Transaction.remote))) onChange()
      }),
    ],
  })
  const mark = () => {
    since = ChangeSet.empty(view.state.doc.length)
  }
  return {
    view,
    showLine(line) {
      const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines))
      view.dispatch({ selection: { anchor: from }, scrollIntoView: true })
      view.focus()
    },
    shown: {
      source: () => view.state.sliceDoc(),
      mark,
      change(changes) {
        view.dispatch({
          changes: ChangeSet.of(changes, since.length, '\n').map(since),
          annotations: [Transaction.addToHistory.of(false), Transaction.remote.of(true)],
        })
        mark()
      },
    },
  }
}
