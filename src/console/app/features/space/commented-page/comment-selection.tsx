/** Commenting on the words that are selected. */
import { useEffect, useState } from 'react'
import { t } from '../../../words/words.ts'
import { selectedPlace } from './comment-places.ts'
import { CommentSign } from './comment-sign.tsx'
import type { SelectedPlace } from './leaf-runs.ts'
import type { MarkedView, FrameRef } from './marked-view.ts'

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent)
const KEYS = IS_MAC ? '⌘⌥M' : 'Ctrl+Alt+M'

/** The words that are selected in a page, and where the button that comments on them is. */
type SelectedWords = SelectedPlace & { top: number }

/** Follows the selection in the text. @param mayComment whether the selection can be commented on */
export function useSelectedWords({ view, write }: MarkedView, frame: FrameRef, mayComment: boolean) {
  const [selected, setSelected] = useState<SelectedWords>()
  useEffect(() => {
    if (!view || !mayComment) return undefined
    const look = () => {
      const found = frame.current && selectedPlace(view, frame.current)
      setSelected(found ?? undefined)
    }
    const listen = (event: KeyboardEvent) => {
      if (event.code !== 'KeyM' || !event.altKey || !(event.ctrlKey || event.metaKey)) return
      const found = frame.current && selectedPlace(view, frame.current)
      if (!found) return
      event.preventDefault()
      write(found)
      setSelected(undefined)
    }
    document.addEventListener('selectionchange', look)
    document.addEventListener('keydown', listen)
    return () => {
      document.removeEventListener('selectionchange', look)
      document.removeEventListener('keydown', listen)
    }
  }, [view, mayComment, write, frame])
  return { selected, forget: () => setSelected(undefined) }
}

/** The button below the selected words. */
export function CommentSelection({
  selected,
  write,
}: {
  selected: SelectedWords
  write(place: SelectedPlace): void
}) {
  return (
    <button
      type="button"
      className="comment-selection"
      style={{ top: selected.top }}
      // The words stay selected.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => write(selected)}
    >
      <CommentSign /> {nameOfComment(selected)} <kbd>{KEYS}</kbd>
    </button>
  )
}

/** The words of the button that comments on a selection. They name what the comment will be about. */
function nameOfComment({ range, goesOn }: SelectedPlace): string {
  if (range) return goesOn ? t('space.comment-words-first-block') : t('space.comment-selection')
  return goesOn ? t('space.comment-first-block') : t('space.comment-block-text')
}
