import { type ReactNode, useLayoutEffect, useRef } from 'react'
import type { Margin } from './margin.ts'

/** The card of a comment in the margin. @param id of the comment */
export function MarginCard({ margin, id, children }: { margin: Margin; id: string; children: ReactNode }) {
  const card = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => margin.add(id, card.current!), [margin, id])
  // The card moves after a click and not when it gets the focus, because the pointer would miss a button that moves.
  // The key that moves the focus to the card is released there.
  const activate = () => margin.activate(id)
  return (
    <div ref={card} className="margin-card" onClickCapture={activate} onKeyUpCapture={activate}>
      {children}
    </div>
  )
}
