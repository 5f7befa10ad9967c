/** Deleting with a way back, instead of a question. */
import { useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { t } from '../words/words.ts'

/** There is so much time to change one's mind. */
const UNDO_MS = 6000

/** Does something when there was time to undo it, or when the screen is left. */
export function useUndoable(run: () => void): { isGoing: boolean; begin: () => void; undo: () => void } {
  const [isGoing, setGoing] = useState(false)
  const isWanted = useRef(false)
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    if (!isGoing) return undefined
    const finish = () => {
      if (isWanted.current) latest.current()
      isWanted.current = false
    }
    const timer = setTimeout(finish, UNDO_MS)
    window.addEventListener('pagehide', finish)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pagehide', finish)
      finish()
    }
  }, [isGoing])
  const set = (isOn: boolean) => () => {
    isWanted.current = isOn
    setGoing(isOn)
  }
  return { isGoing, begin: set(true), undo: set(false) }
}

/** Stands where something was that is about to be deleted. */
export function Undo({ text, undo }: { text: string; undo: () => void }) {
  return (
    <p className="undo-line" role="status">
      {text}{' '}
      <Button className="small" autoFocus onPress={undo}>
        {t('common.undo')}
      </Button>
    </p>
  )
}
