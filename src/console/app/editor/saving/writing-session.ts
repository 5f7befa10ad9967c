/** Saves a page while it is written. */
import type { Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { BatchDone } from '../../content/tree/changes.ts'
import { takeOpening } from './opening.ts'
import { keepText, leftTexts } from './kept-text.ts'
import { type NewestPage, readNewest } from './page-requests.ts'
import { placeName, type PagePlace } from '../../api/page-place.ts'
import { openWith, sendTexts } from './left-page.ts'
import { SessionRunner } from './session-runner.ts'
import type { SaveState } from './session-machine.ts'
import { type ConflictChoice, savedPage } from './saving.ts'
import { type OpenedPage, PageWork } from './page-work.ts'

/** The last saves of sessions that were closed. */
const closing = new Map<string, Promise<unknown>>()

/** Reads the newest version of a page to write in it. */
export async function openPage(place: PagePlace): Promise<OpenedPage> {
  const early = takeOpening(place)
  const last = closing.get(placeName(place))
  await last
  const texts = await leftTexts(placeName(place))
  const refused = await sendTexts(place, texts)
  try {
    if (refused) return await openWith(place, refused)
    // A page that was read before the last text was sent does not contain that text.
    const isKnown = last === undefined && texts.length === 0
    const { revision, title, blocks } = (isKnown && (await early)) || (await readNewest(place))
    const kept = await keepText(placeName(place))
    return { saved: savedPage(revision, title, blocks), title, blocks, kept }
  } catch (error) {
    refused?.leave()
    throw error
  }
}

/** Saves what is written in a view, until it is closed. */
export class WritingSession {
  readonly #page: PageWork
  readonly #runner: SessionRunner<NewestPage, BatchDone>

  constructor(
    place: PagePlace,
    view: EditorView,
    opened: OpenedPage,
    show: (state: SaveState, title: string) => void,
  ) {
    this.#page = new PageWork(place, view, opened, show)
    this.#runner = new SessionRunner(place, this.#page)
  }

  /** Called after each change of the document. */
  changed(tr: Transaction): void {
    this.#page.map(tr.mapping)
    this.#runner.changed()
  }

  /** Called when the writer has changed the title. */
  rename(title: string): void {
    this.#page.title = title
    this.#runner.changed()
  }

  /** The keys of the blocks of the document; undefined for those that the server does not have. */
  keys(): (string | undefined)[] {
    return this.#page.keys()
  }

  /** Saves now, if something has changed. @returns false if something is not saved */
  save(): Promise<boolean> {
    return this.#runner.save()
  }

  /** Saves everything, also what was written while the last save was on its way. @returns false if it is not saved */
  finish(): Promise<boolean> {
    return this.#runner.finish()
  }

  /** Settles a conflict: with what others have written, and the choice where both have changed the same. */
  settle(choice: ConflictChoice): Promise<void> {
    return this.#runner.settle(choice)
  }

  /** Saves for the last time; the view is closed after it. */
  close(): void {
    const at = placeName(this.#page.place)
    const last = this.#runner.close().finally(() => {
      closing.delete(at)
      this.#page.kept.leave()
    })
    closing.set(at, last)
  }
}
