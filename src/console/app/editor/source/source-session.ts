/** Saves the source of a page while it is written. */
import { api } from '../../api/api.ts'
import { store, stored } from '../../api/browser-storage.ts'
import type { ConflictChoice } from '../saving/saving.ts'
import { type SavedSource, sendSource } from '../saving/page-requests.ts'
import { changeRequestOf, type PagePlace } from '../../api/page-place.ts'
import type { Comparison, SaveState } from '../saving/session-machine.ts'
import { SessionRunner, type SessionWork } from '../saving/session-runner.ts'
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

/** The source of a page after a save: the server has merged what others have written meanwhile. */
interface StoredSource extends SavedSource {
  /** As it was sent. */
  sent: string
}

/** A source that is written in a view, and what the server has of it. */
class SourceWork implements SessionWork<SavedSource, StoredSource> {
  readonly #place: PagePlace
  readonly #view: SourceView
  readonly show: (state: SaveState) => void
  #saved: SavedSource
  /** What was sent last, until it is known whether the server has it. */
  #sent: string | undefined
  /** The source of a view that is closed. */
  #last: string | undefined

  constructor(place: PagePlace, view: SourceView, saved: SavedSource, show: (state: SaveState) => void) {
    this.#place = place
    this.#view = view
    this.#saved = saved
    this.show = show
  }

  get #source(): string {
    return this.#last ?? this.#view.source()
  }

  leaveView(): void {
    this.#last = this.#view.source()
  }

  compare(): Pick<Comparison, 'unsaved' | 'revision'> {
    const { revision, source } = this.#saved
    return { unsaved: this.#source === source ? 'nothing' : 'some', revision }
  }

  readNewest(): Promise<SavedSource> {
    return readNewest(this.#place)
  }

  async send(): Promise<StoredSource> {
    const source = this.#source
    this.#sent = source
    this.#view.mark()
    const { revision } = await sendSource(this.#place, { revision: this.#saved.revision, source })
    this.#saved = { revision, source }
    return { revision, source: await readSource(this.#place, revision).catch(() => source), sent: source }
  }

  take({ sent, revision, source }: StoredSource): void {
    this.#sent = undefined
    this.#put({ revision, source }, sent)
  }

  forget(): void {
    this.#sent = undefined
  }

  endDoubt(newest: SavedSource): void {
    if (newest.source === this.#sent) this.#saved = newest
    this.#sent = undefined
  }

  follow(newest: SavedSource): void {
    this.#view.mark()
    this.#put(newest, this.#saved.source)
  }

  /** Puts the source of the server into the view, which had another one when it was marked. */
  #put(newest: SavedSource, marked: string): void {
    this.#saved = newest
    const changes = changesBetween(marked, newest.source)
    if (changes.length === 0) return
    if (this.#last === undefined) this.#view.change(changes)
    else this.#last = settleSource(marked, newest.source, this.#last, 'both')
  }

  settle(theirs: SavedSource, choice: ConflictChoice): void {
    const mine = this.#source
    const settled = settleSource(this.#saved.source, theirs.source, mine, choice)
    this.#view.mark()
    this.#saved = theirs
    this.#view.change(changesBetween(mine, settled))
  }

  keep(): void {
    const { revision, source: saved } = this.#saved
    const source = this.#source
    store(keptSourceAt(this.#place), source === saved ? undefined : JSON.stringify({ revision, source }))
  }
}

/** Saves what is written in a source, until it is closed. */
export class SourceSession {
  readonly #runner: SessionRunner<SavedSource, StoredSource>
  /** Says to the other tabs that this one is open. */
  readonly #lock: ReturnType<typeof hold>

  constructor(place: PagePlace, view: SourceView, saved: SavedSource, show: (state: SaveState) => void) {
    this.#lock = hold(keptSourceAt(place))
    this.#runner = new SessionRunner(place, new SourceWork(place, view, saved, show))
  }

  /** Called after each change of the source. */
  changed(): void {
    this.#runner.changed()
  }

  /** Saves now, if something has changed. @returns false if something is not saved */
  save(): Promise<boolean> {
    return this.#runner.save()
  }

  /** Settles a conflict: with what others have written, and the choice where both have changed the same lines. */
  settle(choice: ConflictChoice): Promise<void> {
    return this.#runner.settle(choice)
  }

  /** Saves for the last time; the view is closed after it. */
  close(): void {
    void this.#runner.close().then(async () => (await this.#lock)?.())
  }
}
