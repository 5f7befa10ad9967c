/** What was written and is not saved yet, kept in the browser. Each tab keeps its own. */
import type { PagePlace, SavedSource, Unsaved } from './page-requests.ts'

/** The place in the storage of the browser where one tab keeps the text of a page. */
export interface KeptText {
  read(): Unsaved | undefined
  /** Undefined if everything is saved. */
  write(unsaved: Unsaved | undefined): void
  /** Leaves the text to the next tab that opens the page. */
  leave(): void
}

const PREFIX = 'unsaved '
/** The names of kept texts, and of kept sources. */
const NAME = /^unsaved (?:source )?\/spaces\/([^/ ]+)\/change-requests\/(\d+)\/content (\S+)/

/**
 * So long a lock is waited for. A tab that is loaded again still holds its lock for a moment; another tab with the same
 * page keeps its lock.
 */
const LOCK_MS = 500

/** The place of a tab that begins to write. @param page names the page */
export async function keepText(page: string): Promise<KeptText> {
  const name = `${PREFIX}${page} ${crypto.randomUUID()}`
  return placeOf(name, await hold(name))
}

/** The texts of a page that tabs have left without having saved them. */
export async function leftTexts(page: string): Promise<KeptText[]> {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(`${PREFIX}${page} `))
  const places = await Promise.all(
    names.map(async (name) => {
      const release = await hold(name)
      return release && placeOf(name, release)
    }),
  )
  return places.filter((place) => place !== undefined)
}

/** A text that no open tab has. Other tabs leave it alone until it is left to them. */
export interface LeftText {
  /** Its name in the storage of the browser. */
  name: string
  place: PagePlace
  /** What would be sent; the text is Markdown if it is the source of a page. */
  unsaved: Unsaved | SavedSource
  /** Leaves the text to other tabs. */
  leave(): void
}

/** The texts of all pages that tabs have left without having saved them. @param except leaves some change requests out */
export async function allLeftTexts(except: (place: PagePlace) => boolean): Promise<LeftText[]> {
  const found = Object.keys(localStorage).flatMap((name) => {
    const [all, spaceId = '', number = '', page = ''] = NAME.exec(name) ?? []
    const place = { spaceId, number, page }
    return all === undefined || except(place) ? [] : [{ name, place }]
  })
  const texts = await Promise.all(
    found.map(async ({ name, place }): Promise<LeftText | undefined> => {
      const leave = await hold(name)
      if (!leave) return undefined
      // Only now: until it had the lock, the tab before could write and save.
      const text = localStorage.getItem(name)
      if (text === null) {
        leave()
        return undefined
      }
      const unsaved = JSON.parse(text) as Unsaved | SavedSource
      const isReusable = 'isReusable' in unsaved && unsaved.isReusable === true
      return { name, place: { ...place, isReusable }, unsaved, leave }
    }),
  )
  return texts.filter((text) => text !== undefined)
}

function placeOf(name: string, release: (() => void) | undefined): KeptText {
  return {
    read() {
      const text = localStorage.getItem(name)
      return text === null ? undefined : (JSON.parse(text) as Unsaved)
    },
    write(unsaved) {
      if (!unsaved) return localStorage.removeItem(name)
      try {
        localStorage.setItem(name, JSON.stringify(unsaved))
      } catch {
        // The storage of the browser is full: the text is saved to the server alone.
      }
      return undefined
    },
    leave: () => release?.(),
  }
}

/** Holds the lock of a place: it says to the other tabs that its tab is open. @returns releases it */
export async function hold(name: string): Promise<(() => void) | undefined> {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { promise, resolve } = Promise.withResolvers<(() => void) | undefined>()
  navigator.locks
    .request(name, { signal: AbortSignal.timeout(LOCK_MS) }, () => {
      resolve(release)
      return held
    })
    .catch(() => resolve(undefined))
  return promise
}
