/** The page tree as the console reads it: one level at a time, so that a large space shows as fast as a small one. */
import { type QueryClient, useQueries, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type ApiFault, useApi } from '../../api/api.ts'
import {
  levelAt,
  type OutlinePage,
  outlineAt,
  PART,
  type Purpose,
  readLevel,
  type TreeLevel,
  wayAt,
} from './levels.ts'
import type { ContentPath } from '../../api/paths.ts'

/** Groups are open at first if they have at most so many pages together. */
const FEW = 100
const NONE: OutlinePage[] = []

/** A page tree, of which only the open levels are read. */
export interface TreeOfPages {
  /** The pages below a page, or at the top level for null; undefined until they are read. */
  level: (parent: string | null) => TreeLevel | undefined
  isOpen: (page: OutlinePage) => boolean
  setOpen: (page: OutlinePage, isOpen: boolean) => void
  /** Reads more of a level. */
  showMore: (parent: string | null) => void
  /** Every page that has been read. */
  known: () => OutlinePage[]
  /** Changes when the pages that have been read do, or what is open. */
  version: string
  /** Whether nothing newer has been read than what this tree shows; another tree follows at once where it has. */
  isUpToDate: () => boolean
  error: Error | null
  isFetching: boolean
  /** Reads the levels again that could not be read. */
  refetch: () => void
}

/**
 * The page tree of a content, open along the way to the current page.
 * @param content the path of the content below `/v1`
 * @param current the path of the current page
 */
export function usePageTree(
  content: ContentPath,
  current: string | undefined,
  purpose: Purpose = 'reading',
): TreeOfPages {
  const client = useQueryClient()
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map())
  const most = useRef(new Map<string, number>())

  const read = (parent: string | null) =>
    client.getQueryState<TreeLevel>(['api', levelAt(content, parent, purpose)])
  const level = (parent: string | null) => read(parent)?.data
  const groups = (level(null)?.items ?? NONE).filter(({ type }) => type === 'group')
  const areFew = groups.reduce((sum, { children }) => sum + children, 0) <= FEW
  const isOpen = ({ id, type, path }: OutlinePage) =>
    choices.get(id) ??
    ((type === 'group' && areFew) ||
      (current !== undefined && path !== undefined && `${current}/`.startsWith(`${path}/`)))

  /** The levels that are shown. @param way the way to the current page, which may be beyond what has been read */
  const levelsShown = (way: OutlinePage[]) => {
    const shown: (string | null)[] = [null]
    for (const parent of shown)
      for (const page of [...(level(parent)?.items ?? NONE), ...(beyond(way, parent) ?? NONE)])
        if (page.children > 0 && isOpen(page)) shown.push(page.id)
    return shown
  }
  const beyond = (way: OutlinePage[], parent: string | null) => {
    const items = level(parent)?.items
    return items && way.filter((one) => one.parent === parent && !items.some(({ id }) => id === one.id))
  }
  const isBeyond =
    current !== undefined &&
    levelsShown(NONE).every((parent) => level(parent)) &&
    !levelsShown(NONE).some((parent) => level(parent)?.items.some(({ path }) => path === current))
  const way = useWayTo(isBeyond ? content : undefined, current ?? '', purpose).data?.items ?? NONE
  const wanted = levelsShown(way)
  const sizes = new Map<string | null, number>(
    wanted.flatMap((parent) =>
      (level(parent)?.items ?? NONE).concat(way).map(({ id, children }) => [id, children]),
    ),
  )
  const results = useQueries({
    queries: wanted.map((parent) => {
      const path = levelAt(content, parent, purpose)
      return {
        queryKey: ['api', path],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          readLevel(
            { content, parent, purpose, children: sizes.get(parent), most: most.current.get(path) ?? PART },
            signal,
          ),
      }
    }),
  })

  const failed = results.filter(({ error }) => error)

  // After a move, one level is read again before the other, and the page would be in both.
  const newest = new Map<string, number>()
  for (const parent of wanted)
    for (const { id } of level(parent)?.items ?? NONE)
      newest.set(id, Math.max(newest.get(id) ?? 0, read(parent)?.dataUpdatedAt ?? 0))
  const isNewest = (parent: string | null) => {
    const at = read(parent)?.dataUpdatedAt ?? 0
    return ({ id }: OutlinePage) => newest.get(id) === at
  }
  const levels = new Map(
    wanted.flatMap((parent) => {
      const known = level(parent)
      if (!known) return []
      const [one] = beyond(way, parent) ?? NONE
      return [
        [parent, { ...known, items: known.items.filter(isNewest(parent)), ...(one && { beyond: one }) }],
      ]
    }),
  )

  return {
    level: (parent) => levels.get(parent),
    isOpen,
    setOpen: ({ id }, open) => setChoices((before) => new Map(before).set(id, open)),
    showMore(parent) {
      const path = levelAt(content, parent, purpose)
      most.current.set(path, (most.current.get(path) ?? PART) + PART)
      void client.invalidateQueries({ queryKey: ['api', path] })
    },
    known: () => [...levels.values()].flatMap(({ items, beyond: one = [] }) => items.concat(one)),
    version: `${wanted.join(' ')} ${results.map(({ dataUpdatedAt }) => dataUpdatedAt).join(' ')} ${way.map(({ id }) => id).join(' ')}`,
    isUpToDate: () =>
      wanted.every((parent, index) => read(parent)?.dataUpdatedAt === results[index]?.dataUpdatedAt),
    error: failed[0]?.error ?? null,
    isFetching: failed.some(({ isFetching }) => isFetching),
    refetch: () => failed.forEach(({ refetch }) => void refetch()),
  }
}

/** The way from the top level to the page at a path, the first document for none. The page itself is the last. */
export function useWayTo(content: ContentPath | undefined, path: string, purpose: Purpose = 'reading') {
  return useApi(content && wayAt(content, path, purpose), { live: true })
}

/** The pages whose titles or paths contain a text. */
export function useFoundPages(content: ContentPath, text: string) {
  return useApi(`${outlineAt(content)}?query=${encodeURIComponent(text.trim())}&limit=20`)
}

/** Reads the page tree again, after something has changed it. */
export function readTreeAgain(client: QueryClient, content: ContentPath): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [, path] }) => String(path).startsWith(outlineAt(content)),
  })
}

/** Whether a content has no page with this path, in contrast to other faults. */
export const isMissing = (error: ApiFault | null): boolean => error?.status === 404
