import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Button } from 'react-aria-components'
import { useLocation } from 'wouter'
import { hasNoFocus } from './kept-focus.ts'
import { t } from '../words/words.ts'

/** The styles of narrow screens have the same limit. */
const NARROW = matchMedia('(width < 48rem)')

const useNarrow = () =>
  useSyncExternalStore(
    (changed) => {
      NARROW.addEventListener('change', changed)
      return () => NARROW.removeEventListener('change', changed)
    },
    () => NARROW.matches,
  )

/** Whether the focus was in a tree whose screen has gone: the tree of the next screen takes it. */
let isFocusLeft = false

/** A page tree beside a page. A narrow screen shows a button in its place, which opens it until a page is chosen. */
export function TreeFrame({ children }: { children: ReactNode }) {
  const isNarrow = useNarrow()
  const [location] = useLocation()
  // A tree that was opened at one address is closed at the next.
  const [openAt, setOpenAt] = useState<string>()
  const isOpen = openAt === location
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()

  useEffect(() => {
    if (isFocusLeft && hasNoFocus()) button.current?.focus()
    isFocusLeft = false
  }, [])
  useEffect(() => {
    if (openAt === undefined) return undefined
    if (openAt !== location) {
      setOpenAt(undefined)
      if (hasNoFocus()) button.current?.focus()
      return undefined
    }
    const own = button.current
    return () => {
      isFocusLeft = own !== null && !own.isConnected
    }
  }, [openAt, location])

  if (!isNarrow) return <>{children}</>
  // The tree itself takes Escape too, and keys in dialogs and menus pass here although they are elsewhere.
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const isHere = event.currentTarget.contains(event.target as Element)
    if (event.key !== 'Escape' || !isHere || event.defaultPrevented || !isOpen) return
    setOpenAt(undefined)
    button.current?.focus()
  }
  return (
    <div className="tree-frame" onKeyDownCapture={onKeyDown}>
      <Button
        ref={button}
        className="button tree-switch"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onPress={() => setOpenAt(isOpen ? undefined : location)}
      >
        {t('common.pages')}
      </Button>
      {isOpen && (
        <div id={id} className="tree-inside">
          {children}
        </div>
      )}
    </div>
  )
}
