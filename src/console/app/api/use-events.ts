import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listen } from './streams.ts'

/** Reads again everything whose path begins with one of these. */
export async function readAgain(client: QueryClient, starts: readonly string[]): Promise<void> {
  await client.invalidateQueries({
    predicate: ({ queryKey: [kind, path] }) =>
      kind === 'api' && starts.some((start) => String(path).startsWith(start)),
  })
}

/** Whether an event is about a space itself, and not about one of its change requests, whose authors save all the time. */
export const isOfSpace = ({ changeRequest }: Record<string, unknown>): boolean => changeRequest === undefined

/**
 * Reads again what a screen shows when the server says that it has changed.
 * @param base the path of the space or change request below `/v1`
 * @param starts the beginnings of the paths that are read again; without any, nothing is
 * @param isMeant whether an event with this data matters; it is the same function each time
 */
export function useEvents(
  base: string,
  starts: readonly string[],
  isMeant?: (data: Record<string, unknown>) => boolean,
): void {
  const client = useQueryClient()
  const all = starts.join(' ')
  useEffect(() => {
    if (all === '') return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const leave = listen(base, (name, data) => {
      if (name === 'ready' || name === 'presence' || isMeant?.(data) === false) return
      clearTimeout(timer)
      timer = setTimeout(() => void readAgain(client, all.split(' ')), 300)
    })
    return () => {
      clearTimeout(timer)
      leave()
    }
  }, [client, base, all, isMeant])
}
