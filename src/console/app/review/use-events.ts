import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listen } from '../together/streams.ts'

/** Reads again everything whose path begins with one of these. */
export async function readAgain(client: QueryClient, starts: readonly string[]): Promise<void> {
  await client.invalidateQueries({
    predicate: ({ queryKey: [kind, path] }) =>
      kind === 'api' && starts.some((start) => String(path).startsWith(start)),
  })
}

/**
 * Reads again what a screen shows when the server says that it has changed.
 * @param base the path of the space or change request below `/v1`
 * @param start the beginning of the paths that are read again
 */
export function useEvents(base: string, start: string): void {
  const client = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const leave = listen(base, (name) => {
      if (name === 'ready' || name === 'presence') return
      clearTimeout(timer)
      timer = setTimeout(() => void readAgain(client, [start]), 300)
    })
    return () => {
      clearTimeout(timer)
      leave()
    }
  }, [client, base, start])
}
