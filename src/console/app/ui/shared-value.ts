import { useSyncExternalStore } from 'react'

/** A value that several parts of the interface show and change. */
export interface SharedValue<T> {
  get(): T
  set(value: T): void
  subscribe(changed: () => void): () => void
}

/** @param changed is called with each new value, before the parts that show it */
export function sharedValue<T>(first: T, changed?: (value: T) => void): SharedValue<T> {
  const listeners = new Set<() => void>()
  let value = first
  return {
    get: () => value,
    set(next) {
      if (next === value) return
      value = next
      changed?.(next)
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Shows a shared value. The component is drawn again when the value changes. */
export function useShared<T>({ subscribe, get }: SharedValue<T>): T {
  return useSyncExternalStore(subscribe, get)
}
