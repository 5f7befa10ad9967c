/** Saves the source of a page while it is written. */
import { api } from '../../api/api.ts'
import { store, stored } from '../../api/browser-storage.ts'
import type { ConflictChoice } from '../saving/saving.ts'
import { type SavedSource, sendSource } from '../saving/page-requests.ts'
import { changeRequestOf, type PagePlace } from '../../api/page-place.ts'
import { SaveSchedule, type SaveState } from '../saving/save-schedule.ts'
import { hold } from '../saving/kept-text.ts'
import { keptSourceAt } from './kept-source.ts'
import { changesBetween, settleSource, type TextChange } from './settle-source.ts'
import type { AnyPage } from '../../api/types.ts'

/** A source as it is opened, with what an earlier session could not save. */
export interface OpenedSource {
  saved: SavedSource
  source: string
}

/** The editor of a source. */
export interface SourceView {
  source(): string
  /** Makes changes that are not the writer's, of the source as it was when `mark` was called last. */
  change(changes: TextChange[]): void
  /** Remembers the source as it is now. */
  mark(): void
}

/** Reads the newest source of a page to write in it. */
export async function openSource(place: PagePlace): Promise<OpenedSource> {
  const kept = stored(keptSourceAt(place))
  const unsaved = kept === undefined ? undefined : (JSON.parse(kept) as SavedSource)
  const read = unsaved && (await readSource(place, unsaved.revision).catch(() => undefined))
  if (unsaved && read !== undefined)
    return { saved: { revision: unsaved.revision, source: read }, source: unsaved.source }
  const saved = await readNewest(place)
  return { saved, source: saved.source }
}

async function readNewest(place: PagePlace): Promise<SavedSource> {
  const { revision } = await api(`GET ${changeRequestOf(place)}`)
  return { revision, source: await readSource(place, revision) }
}

async function readSource({ spaceId, page }: PagePlace, revision: string): Promise<string> {
  const path = `/spaces/${spaceId}/revisions/${revision}/page/${page}?format=markdown` as const
  const { markdown = '' }: AnyPage = await api(`GET ${path}`)
  return markdown
}

/** Saves what is written in a source, until it is closed. */
export class SourceSession {
  readonly #place: PagePlace
  readonly #view: SourceView
  readonly #show: (state: SaveState) => void
  readonly #schedule: SaveSchedule
  /** Says to the other tabs that this one is open. */
  readonly #lock: ReturnType<typeof hold>
  #saved: SavedSource
  #isSaving = false
  #isPaused = false
  #isClosed = false

  constructor(place: PagePlace, view: SourceView, saved: SavedSource, show: (state: SaveState) => void) {
    this.#place = place
    this.#view = view
    this.#show = show
    this.#saved = saved
    this.#lock = hold(keptSourceAt(place))
    this.#schedule = new SaveSchedule(place, {
      save: () => this.save(),
      keep: () => this.#keepUnsaved(),
      follow: () => this.#followOthers(),
    })
    if (this.#isDirty()) this.changed()
  }

  /** Shows what others have written, unless something is not saved: then the next save does. */
  async #followOthers(): Promise<void> {
    const before = this.#saved
    const newest = await this.#schedule.readNews(
      () => this.#saved,
      () => !this.#isBusy() && !this.#isDirty(),
      () => readNewest(this.#place),
    )
    if (!newest) return
    this.#view.mark()
    this.#take(newest, before.source)
    this.#show({ is: 'saved' })
    await this.#followOthers()
  }

  /** Takes the source of the server, which is another than that of the view as it was marked. */
  #take(newest: SavedSource, marked: string): void {
    this.#saved = newest
    const changes = changesBetween(marked, newest.source)
    if (changes.length > 0 && !this.#isClosed) this.#view.change(changes)
  }

  #isBusy(): boolean {
    return this.#isSaving || this.#isPaused || this.#isClosed
  }

  #isDirty(): boolean {
    return this.#view.source() !== this.#saved.source
  }

  /** Called after each change of the source. */
  changed(): void {
    if (!this.#isBusy()) this.#show({ is: 'waiting' })
    this.#schedule.changed(this.#isPaused)
  }

  /** Keeps in the browser what the server does not have. */
  #keepUnsaved(): void {
    const unsaved = (): SavedSource => ({ revision: this.#saved.revision, source: this.#view.source() })
    store(keptSourceAt(this.#place), this.#isDirty() ? JSON.stringify(unsaved()) : undefined)
  }

  /** Saves now, if something has changed. @returns false if something is not saved */
  async save(): Promise<boolean> {
    if (this.#isBusy()) return false
    this.#schedule.begin()
    const source = this.#view.source()
    if (source === this.#saved.source) {
      this.#show({ is: 'saved' })
      return true
    }
    this.#isSaving = true
    this.#view.mark()
    this.#show({ is: 'saving' })
    try {
      const { revision } = await sendSource(this.#place, { revision: this.#saved.revision, source })
      this.#saved = { revision, source }
      // The server has merged what others have written meanwhile.
      const newest = await readSource(this.#place, revision).catch(() => source)
      this.#isSaving = false
      this.#take({ revision, source: newest }, source)
      return this.#afterSave()
    } catch (error) {
      this.#isSaving = false
      this.#fail(error as Error)
      return false
    }
  }

  #afterSave(): boolean {
    this.#keepUnsaved()
    const isDirty = this.#isDirty()
    this.#show({ is: isDirty ? 'waiting' : 'saved' })
    if (isDirty) this.changed()
    else void this.#followOthers()
    return !isDirty
  }

  #fail(error: Error): void {
    this.#keepUnsaved()
    const state = this.#schedule.failed(error)
    this.#isPaused = state.is === 'conflict'
    this.#show(state)
  }

  /** Settles a conflict: with what others have written, and the choice where both have changed the same lines. */
  async settle(choice: ConflictChoice): Promise<void> {
    try {
      const theirs = await readNewest(this.#place)
      const mine = this.#view.source()
      const settled = settleSource(this.#saved.source, theirs.source, mine, choice)
      this.#view.mark()
      this.#saved = theirs
      this.#isPaused = false
      this.#view.change(changesBetween(mine, settled))
      await this.save()
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  /** Saves for the last time; the view is closed after it. */
  close(): void {
    if (this.#isClosed) return
    this.#keepUnsaved()
    const release = this.#lock
    void this.save().then(async () => (await release)?.())
    this.#isClosed = true
    this.#schedule.close()
  }
}
