/** The bar that finds and replaces in the page: Ctrl+F opens it, and Ctrl+H its second line. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { EditorView } from 'prosemirror-view'
import { t } from '../../words/words.ts'
import { Tool } from '../toolbar.tsx'
import { type Finder, finderOf } from './finder.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './find-bar.css'
import { type FindShown, MOST_MATCHES } from './matches.ts'

/** A selection that is longer is not looked for. */
const LONGEST_QUERY = 200

/** Opens the bar by the keys of browsers. In the bar, the same key leads to the search of the browser. */
export function FindBar({
  view,
  shown,
  show,
}: {
  view: EditorView
  shown: FindShown
  show: (shown: FindShown) => void
}) {
  const [opened, setOpened] = useState(0)
  useEffect(() => {
    const area = view.dom.closest('.page-editor')
    const listen = (event: Event) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event as globalThis.KeyboardEvent
      if (!(ctrlKey || metaKey) || shiftKey) return
      const isInBar = target instanceof Element && target.closest('.find-bar') !== null
      const isReplace = (ctrlKey && !altKey && key === 'h') || (metaKey && altKey && key === 'f')
      const isFind = !altKey && key === 'f' && !isInBar
      if (!isReplace && !isFind) return
      event.preventDefault()
      show(isReplace ? 'replace' : 'find')
      setOpened((count) => count + 1)
    }
    // Before the keys of the text, in which Ctrl+H deletes on a Mac.
    area?.addEventListener('keydown', listen, { capture: true })
    return () => area?.removeEventListener('keydown', listen, { capture: true })
  }, [view, show])
  if (shown === 'nothing') return null
  const close = () => {
    show('nothing')
    view.focus()
  }
  return <OpenBar key={opened} {...{ view, shown, show, close }} />
}

interface OpenBarProps {
  view: EditorView
  shown: FindShown
  show: (shown: FindShown) => void
  close: () => void
}

function OpenBar({ view, shown, show, close }: OpenBarProps) {
  const finder = finderOf(view)
  const [text, setText] = useState(() => selectedWords(view))
  const [isCaseSensitive, setCaseSensitive] = useState(false)
  const [, setLooked] = useState(0)
  useEffect(() => {
    finder.look({ text, isCaseSensitive })
    setLooked((count) => count + 1)
  }, [finder, text, isCaseSensitive])
  useEffect(() => () => finder.end(), [finder])
  const step = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    finder.step(event.shiftKey ? -1 : 1)
  }
  const isReplacing = shown === 'replace'
  return (
    <search
      className="find-bar"
      aria-label={t('editor.find-in-the-page')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close()
      }}
    >
      <div className="find-line">
        <Tool
          label={t('common.replace')}
          isPressed={isReplacing}
          onPress={() => show(isReplacing ? 'find' : 'replace')}
        >
          {isReplacing ? '▾' : '▸'}
        </Tool>
        <input
          type="text"
          aria-label={t('common.find')}
          placeholder={t('common.find')}
          dir="auto"
          maxLength={LONGEST_QUERY}
          autoFocus
          onFocus={({ currentTarget }) => currentTarget.select()}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={step}
        />
        <span className="find-count" role="status">
          {text !== '' && matchCount(finder)}
        </span>
        <Tool
          label={t('editor.match-case')}
          isPressed={isCaseSensitive}
          onPress={() => setCaseSensitive(!isCaseSensitive)}
        >
          Aa
        </Tool>
        <Tool label={t('editor.previous-match')} onPress={() => finder.step(-1)}>
          ↑
        </Tool>
        <Tool label={t('editor.next-match')} onPress={() => finder.step(1)}>
          ↓
        </Tool>
        <Tool label={t('common.close')} onPress={close}>
          ×
        </Tool>
      </div>
      {isReplacing && <ReplaceLine finder={finder} />}
    </search>
  )
}

function ReplaceLine({ finder }: { finder: Finder }) {
  const field = useRef<HTMLInputElement>(null)
  const text = () => field.current?.value ?? ''
  return (
    <div className="find-line">
      <input
        ref={field}
        type="text"
        aria-label={t('editor.replace-with')}
        placeholder={t('editor.replace-with')}
        dir="auto"
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          finder.replace(text())
        }}
      />
      <button type="button" className="small" onClick={() => finder.replace(text())}>
        {t('common.replace')}
      </button>
      <button type="button" className="small" onClick={() => finder.replaceAll(text())}>
        {t('editor.replace-all')}
      </button>
    </div>
  )
}

/** The selected words, if they are in one line. */
function selectedWords(view: EditorView): string {
  const { $from, $to, from, to } = view.state.selection
  const words = $from.sameParent($to) ? view.state.doc.textBetween(from, to) : ''
  return words.length <= LONGEST_QUERY ? words : ''
}

function matchCount(finder: Finder): string {
  const count = finder.matches().length
  if (count === 0) return t('editor.no-matches')
  const shown = count < MOST_MATCHES ? String(count) : `${count}+`
  const current = finder.current()
  return current === -1 ? shown : t('editor.number-of-count', { number: String(current + 1), count: shown })
}
