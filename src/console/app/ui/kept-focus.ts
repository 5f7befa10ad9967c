import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'

/** Whether nothing that the user chose has the focus. The frame of the screens gets it with each new screen. */
export function hasNoFocus(): boolean {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body || activeElement.id === 'main'
}

/** The code of a screen is there after so many frames, unless the network is slow. */
const MOST_FRAMES = 120

/**
 * Moves the focus into a new screen if the screen before it has taken the focus away: a screen reader says that
 * another screen is there, and Tab goes on in it instead of at the top of the window.
 */
export function useFocusOnNewScreen(): void {
  const [path] = useLocation()
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current === path) return undefined
    shown.current = path
    let frame = 0
    // The screen before is hidden while the code of the new one is loaded, or its dialog closes: the focus goes later.
    const look = (frames: number) => {
      if (hasNoFocus()) document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
      if (frames < MOST_FRAMES) frame = requestAnimationFrame(() => look(frames + 1))
    }
    look(0)
    const end = () => cancelAnimationFrame(frame)
    // From now on, it is the user who moves the focus.
    for (const name of ['keydown', 'pointerdown']) addEventListener(name, end, { capture: true, once: true })
    return () => {
      end()
      for (const name of ['keydown', 'pointerdown']) removeEventListener(name, end, { capture: true })
    }
  }, [path])
}

/**
 * The browser takes the focus from a button that is disabled or that goes when its work is done.
 * @returns the reference of the element that has the focus then
 */
export function useFocusAfter<E extends HTMLElement>(isBusy: boolean) {
  const next = useRef<E>(null)
  const wasBusy = useRef(false)
  useEffect(() => {
    if (wasBusy.current && !isBusy && hasNoFocus()) next.current?.focus()
    wasBusy.current = isBusy
  })
  return next
}
