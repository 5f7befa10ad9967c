/** The pages that a user has read last. Only this browser keeps them. */
import { store, stored } from '../api/browser-storage.ts'
import { sharedValue, useShared } from '../ui/shared-value.ts'

/** A page that was read. */
export interface RecentPage {
  /** Its address below `/app`. */
  to: string
  title: string
  emoji?: string
  /** The title of its space. */
  space: string
  /** When it was read, in milliseconds since 1970. */
  at: number
}

const MOST_KEPT = 12
const storageName = (userId: string) => `lectern-recent-${userId}`

/** The pages of one user. Another user may sign in without a new page load only by another tab, which has its own. */
const recent = sharedValue<{ userId?: string; pages: readonly RecentPage[] }>({ pages: [] })

/** The pages that the user has read last, the latest first. @param userId undefined while it is not known */
export function useRecentPages(userId: string | undefined): readonly RecentPage[] {
  const now = useShared(recent)
  if (userId === undefined) return []
  return now.userId === userId ? now.pages : readRecent(userId)
}

/** Puts a page in front of the pages that the user has read. */
export function noteRecentPage(userId: string, page: RecentPage): void {
  const others = readRecent(userId).filter(({ to }) => to !== page.to)
  keep(userId, [page, ...others].slice(0, MOST_KEPT))
}

/** Removes a page that is not there any more. @param to its address below `/app` */
export function forgetRecentPage(userId: string, to: string): void {
  const before = readRecent(userId)
  const after = before.filter((one) => one.to !== to)
  if (after.length < before.length) keep(userId, after)
}

function keep(userId: string, pages: readonly RecentPage[]): void {
  store(storageName(userId), JSON.stringify(pages))
  recent.set({ userId, pages })
}

/** What other tabs have noted in the meantime is there too. */
function readRecent(userId: string): readonly RecentPage[] {
  try {
    const pages: unknown = JSON.parse(stored(storageName(userId)) ?? '[]')
    return Array.isArray(pages) ? pages.filter(isPage) : []
  } catch {
    return []
  }
}

const isPage = (one: unknown): one is RecentPage => {
  const { to, title, space, at } = (one ?? {}) as Partial<RecentPage>
  return [to, title, space].every((text) => typeof text === 'string') && typeof at === 'number'
}
