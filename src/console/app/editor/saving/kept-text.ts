/** Text that is not saved yet, kept in the browser. Each tab keeps its own. */
import { store, storedNames, stored } from '../../api/browser-storage.ts'
import type { SavedSource, Unsaved } from './page-requests.ts'
import type { PagePlace } from '../../api/page-place.ts'

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
  return namedText(name, await hold(name))
}

/** The texts of a page that tabs have left without having saved them. */
export async function leftTexts(page: string): Promise<KeptText[]> {
  const places = await Promise.all(
    storedNames(`${PREFIX}${page} `).map(async (name) => {
      const release = await hold(name)
      return release && namedText(name, release)
    }),
  )
  return places.filter((place) => place !== undefined)
}

/** Whether the browser has a text of a change request that is not saved yet, also one that another tab is writing. */
export function hasKeptText({ spaceId, number }: Pick<PagePlace, 'spaceId' | 'number'>): boolean {
  return storedNames(PREFIX).some((name) => {
    const [, space, change] = NAME.exec(name) ?? []
    return space === spaceId && change === number
  })
}

/** A text that no open tab has. Other tabs leave it alone until it is left to them. */
export interface LeftText {
  /** Its name in the storage of the browser. */
  name: string
  place: PagePlace
  /** The content that a save would send; the text is Markdown if it is the source of a page. */
  unsaved: Unsaved | SavedSource
  /** Leaves the text to other tabs. */
  leave(): void
}

/** The texts of all pages that tabs have left without having saved them. @param except leaves some change requests out */
export async function allLeftTexts(except: (place: PagePlace) => boolean): Promise<LeftText[]> {
  const found = storedNames(PREFIX).flatMap((name) => {
    const [all, spaceId = '', number = '', page = ''] = NAME.exec(name) ?? []
    const place = { spaceId, number, page }
    return all === undefined || except(place) ? [] : [{ name, place }]
  })
  const texts = await Promise.all(
    found.map(async ({ name, place }): Promise<LeftText | undefined> => {
      const leave = await hold(name)
      if (!leave) return undefined
      // Only now: until it had the lock, the tab before could write and save.
      const text = stored(name)
      if (text === undefined) {
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

function namedText(name: string, release: (() => void) | undefined): KeptText {
  return {
    read() {
      const text = stored(name)
      return text === undefined ? undefined : (JSON.parse(text) as Unsaved)
    },
    write: (unsaved) => store(name, unsaved && JSON.stringify(unsaved)),
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
