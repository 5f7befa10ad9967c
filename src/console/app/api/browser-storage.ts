/**
 * The values that the browser stores for the console. Its storage may be full, or not allowed: then the browser stores
 * nothing, and the tab goes on with the values that it has.
 */

/** `tab` ends with the tab; `browser` is there for all tabs, also later. */
type Kept = 'browser' | 'tab'

const storageOf = (kept: Kept): Storage => (kept === 'tab' ? sessionStorage : localStorage)

/** The text that is kept under a name. */
export function stored(name: string, where: Kept = 'browser'): string | undefined {
  return attempt(() => storageOf(where).getItem(name) ?? undefined)
}

/** Keeps a text under a name; without a text, forgets the one before. */
export function store(name: string, text: string | undefined, where: Kept = 'browser'): void {
  attempt(() => {
    if (text === undefined) storageOf(where).removeItem(name)
    else storageOf(where).setItem(name, text)
  })
}

/** The names of the kept texts that begin like this. */
export function storedNames(start: string): string[] {
  return attempt(() => Object.keys(localStorage).filter((name) => name.startsWith(start))) ?? []
}

function attempt<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
