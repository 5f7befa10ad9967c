/** The button beside a block of a page that comments on the block. */
import type { EditorView } from 'prosemirror-view'
import { useRef, useState } from 'react'
import { shortNameOf } from '../../../discussion/new-comment.tsx'
import { t } from '../../../words/words.ts'
import { blockUnder, nextBlock, topOf } from './comment-places.ts'
import { CommentSign } from './comment-sign.tsx'
import { innermostBlocks, type SelectedPlace, shownBlocks } from './leaf-runs.ts'
import type { FrameRef } from './marked-view.ts'

/** A block of the page, and where its tools are. */
interface ToolPlace {
  key: string
  name: string
  top: number
}

/** The block whose tool is shown: the one under the pointer, or the one chosen by keyboard. */
export function useBlockTool(view: EditorView | undefined, frame: FrameRef) {
  const button = useRef<HTMLButtonElement>(null)
  const [near, setNear] = useState<ToolPlace>()

  const toolOf = (key: string): ToolPlace | undefined => {
    const one = view && shownBlocks(view.state.doc).find((block) => block.key === key)
    const top = one && frame.current ? topOf(view, one, frame.current) : undefined
    return one && top !== undefined ? { key, name: shortNameOf(one.block), top } : undefined
  }

  return {
    button,
    near,
    point(target: EventTarget) {
      const key = view && blockUnder(view, target)
      if (key !== undefined && key !== near?.key) setNear(toolOf(key))
    },
    leave: () => setNear(undefined),
    /** Chooses the block before or after. @returns its name */
    choose(step: -1 | 0 | 1): string | undefined {
      const next = view && nextBlock(view, innermostBlocks(view.state.doc), near?.key, step)
      const dom = next && view.nodeDOM(next.pos)
      if (step !== 0 && dom instanceof HTMLElement) dom.scrollIntoView({ block: 'nearest' })
      const chosen = next && toolOf(next.key)
      setNear(chosen)
      return chosen?.name
    },
    /** Takes the focus again, after a comment on a block. */
    returnTo(key: string | undefined) {
      if (key !== undefined) setNear(toolOf(key) ?? near)
      button.current?.focus({ preventScroll: true })
    },
  }
}

/** The button, which the arrow keys move from block to block. */
export function BlockTool({
  tool: { button, near, choose },
  write,
  announce,
}: {
  tool: ReturnType<typeof useBlockTool>
  write(place: SelectedPlace): void
  announce(text: string): void
}) {
  return (
    <button
      ref={button}
      type="button"
      className={`comment-tool${near ? ' near' : ''}`}
      aria-label={near ? t('common.comment-on-name', { name: near.name }) : t('space.comment-block')}
      title={t('space.comment-arrow-keys-choose')}
      style={{ top: near?.top ?? 0 }}
      onFocus={() => near ?? announce(choose(0) ?? '')}
      onKeyDown={(event) => {
        const step = { ArrowUp: -1, ArrowDown: 1 }[event.key] as -1 | 1 | undefined
        if (!step) return
        event.preventDefault()
        announce(choose(step) ?? '')
      }}
      onClick={() => near && write({ key: near.key })}
    >
      <CommentSign />{' '}
      {near && <span className="touch-only">{t('common.comment-on-name', { name: near.name })}</span>}
    </button>
  )
}
