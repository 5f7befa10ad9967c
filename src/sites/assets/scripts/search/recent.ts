import { memory } from '../kit/memory.ts'

const KEY = 'lectern-searches'
const MOST = 5

/** The queries that the reader searched for, the newest first. */
export function recentSearches(): string[] {
  try {
    const known: unknown = JSON.parse(memory.get(KEY) ?? '[]')
    return Array.isArray(known) ? known.filter((one) => typeof one === 'string').slice(0, MOST) : []
  } catch {
    return []
  }
}

/** Puts a query before the others. */
export function rememberSearch(query: string): void {
  const all = [query, ...recentSearches().filter((one) => one !== query)]
  memory.set(KEY, JSON.stringify(all.slice(0, MOST)))
}

/** Forgets all queries. */
export function forgetSearches(): void {
  memory.set(KEY, null)
}
