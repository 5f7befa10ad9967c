/**
 * Creates a function that runs work once for all callers that ask for the same key at the same time. It keeps nothing
 * after the work has ended.
 */
export function sharing<V>(): (key: string, work: () => Promise<V>) => Promise<V> {
  const running = new Map<string, Promise<V>>()
  return (key, work) => {
    const known = running.get(key)
    if (known) return known
    const started = work().finally(() => running.delete(key))
    running.set(key, started)
    return started
  }
}
