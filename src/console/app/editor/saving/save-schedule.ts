/** When a page that is being written is saved, and how far that is. */
import { ApiFault, type Conflict } from '../../api/api.ts'
import { listen } from '../../api/streams.ts'
import { changeRequestOf, type PagePlace } from '../../api/page-place.ts'

/** How far saving is. */
export interface SaveState {
  is: 'saved' | 'waiting' | 'saving' | 'offline' | 'conflict' | 'refused'
  error?: Error
  conflicts?: Conflict[]
}

/** Saving begins after this time without a change. */
const QUIET = 2000
/** It begins after this time in any case. */
const LONGEST = 10_000
/** The browser keeps unsaved changes after this time. */
const KEEP = 300

/** The methods that a schedule calls. */
interface Saver {
  save(): Promise<unknown>
  /** Keeps in the browser what the server does not have. */
  keep(): void
  /** Shows what others have written. */
  follow(): unknown
}

/**
 * Saves after a pause in writing, when the tab is hidden and when the network returns; follows the others when the server
 * has news of them.
 */
export class SaveSchedule {
  readonly #saver: Saver
  readonly #leave: () => void
  #quiet: ReturnType<typeof setTimeout> | undefined
  #keep: ReturnType<typeof setTimeout> | undefined
  #later: ReturnType<typeof setTimeout> | undefined
  #firstChange = 0
  #isClosed = false
  /** The newest revision that the server has named; null if there may be one that the browser has missed. */
  #news: string | null | undefined

  constructor(place: PagePlace, saver: Saver) {
    this.#saver = saver
    document.addEventListener('visibilitychange', this.#onHidden)
    window.addEventListener('online', this.#onOnline)
    this.#leave = listen(changeRequestOf(place), (name, { changeRequest, revision }) => {
      if (name === 'again' || name === 'reset') {
        this.#news = null
        void saver.save().then(() => saver.follow())
      } else if (name === 'content' && changeRequest !== undefined) {
        this.#news = revision as string
        void saver.follow()
      }
    })
  }

  #onHidden = (): void => {
    if (document.visibilityState !== 'hidden') return
    this.#saver.keep()
    void this.#saver.save()
  }

  #onOnline = (): void => void this.#saver.save()

  /** Plans the next save after a change. @param isPaused true if it is only kept in the browser */
  changed(isPaused: boolean): void {
    if (this.#isClosed) return
    clearTimeout(this.#keep)
    this.#keep = setTimeout(() => this.#saver.keep(), KEEP)
    if (isPaused) return
    if (this.#firstChange === 0) this.#firstChange = Date.now()
    const left = this.#firstChange + LONGEST - Date.now()
    this.#saveIn(Math.max(0, Math.min(QUIET, left)))
  }

  /**
   * Reads the newest version if the server has news of one, and nobody writes or saves meanwhile. If reading fails, it
   * follows again later.
   * @param saved what the server had last
   */
  async readNews<V extends { revision: string }>(
    saved: () => { revision: string },
    isIdle: () => boolean,
    readNewest: () => Promise<V>,
  ): Promise<V | undefined> {
    const before = saved()
    const news = this.#news
    if (news === undefined || news === before.revision || !isIdle()) return undefined
    const newest = await readNewest().catch(() => undefined)
    if (!newest) this.#followLater()
    if (!newest || saved() !== before || !isIdle()) return undefined
    // A revision that the server has named meanwhile may be newer than this one.
    if (this.#news === news) this.#news = newest.revision
    return newest
  }

  #followLater(): void {
    clearTimeout(this.#later)
    if (!this.#isClosed) this.#later = setTimeout(() => void this.#saver.follow(), LONGEST)
  }

  /** Returns the state after a save has failed. The save is retried if the server may accept it later. */
  failed(error: Error): SaveState {
    const state = stateAfter(error)
    if (state.is === 'offline' && !this.#isClosed) this.#saveIn(LONGEST)
    return state
  }

  #saveIn(time: number): void {
    clearTimeout(this.#quiet)
    this.#quiet = setTimeout(() => void this.#saver.save(), time)
  }

  /** A save begins, so none has to be planned until the next change. */
  begin(): void {
    clearTimeout(this.#quiet)
    this.#firstChange = 0
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#quiet)
    clearTimeout(this.#keep)
    clearTimeout(this.#later)
    this.#leave()
    document.removeEventListener('visibilitychange', this.#onHidden)
    window.removeEventListener('online', this.#onOnline)
  }
}

/** Whether nobody knows if the server has done what was asked. */
export function isUnanswered(error: unknown): boolean {
  return !(error instanceof ApiFault) || error.status === 0 || error.status >= 500
}

/** Returns the state after a save has failed: the save is retried, or the author has to act. */
export function stateAfter(error: Error): SaveState {
  const status = error instanceof ApiFault ? error.status : 0
  if (isUnanswered(error) || status === 429) return { is: 'offline', error }
  const conflicts = error instanceof ApiFault ? error.conflicts : []
  if (status === 409 && conflicts.length > 0) return { is: 'conflict', error, conflicts }
  return { is: 'refused', error }
}
