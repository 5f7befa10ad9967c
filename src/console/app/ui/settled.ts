import { useEffect, useState } from 'react'

/** So long after a key, most people have paused. */
const PAUSE_MS = 400

/** A value as it is when it has not changed for a while, for what would be too much to do at every key. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
