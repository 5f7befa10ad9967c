import { createContext, type ReactNode, useState } from 'react'
import { t } from '../words/words.ts'

/** Whether everything is shown, because somebody chooses between whole versions. */
export const FoldsNothing = createContext(false)

/** So many equal things stay beside each change. */
const AROUND = 1
const LEAST_FOLDED = 3

/** Things in order; long parts without any change are folded until somebody opens them. */
export function Folded<T>({
  all,
  isQuiet,
  show,
  label = (count) => t('diff.show-count-unchanged-blocks', { count }),
  frame = (button) => button,
}: {
  all: readonly T[]
  isQuiet: (one: T) => boolean
  show: (one: T, index: number) => ReactNode
  label?: (count: number) => string
  /** Returns the elements around the button that opens a part. */
  frame?: (button: ReactNode, start: number) => ReactNode
}) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const isNear = (at: number) => {
    for (let i = Math.max(0, at - AROUND); i <= Math.min(all.length - 1, at + AROUND); i++)
      if (!isQuiet(all[i]!)) return true
    return false
  }
  const parts: ReactNode[] = []
  for (let at = 0; at < all.length;) {
    let end = at
    while (end < all.length && !isNear(end)) end++
    if (end - at >= LEAST_FOLDED && !opened.has(at)) {
      const [start, count] = [at, end - at]
      const button = (
        <button
          key={`fold ${start}`}
          type="button"
          className="fold"
          onClick={() => setOpened(new Set([...opened, start]))}
        >
          {label(count)}
        </button>
      )
      parts.push(frame(button, start))
      at = end
      continue
    }
    for (const until = Math.max(end, at + 1); at < until; at++) parts.push(show(all[at]!, at))
  }
  return parts
}
