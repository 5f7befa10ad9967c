/** Saves a page while it is written. */
import type { Node } from 'prosemirror-model'
import type { EditorState, Transaction } from 'prosemirror-state'
import { Mapping } from 'prosemirror-transform'
import type { EditorView } from 'prosemirror-view'
import type { Block } from '../../../../core/document/model.ts'
import { docOf } from '../../content/schema/convert.ts'
import { takeOpening } from './opening.ts'
import { keepText, type KeptText, leftTexts } from './kept-text.ts'
import { blocksOf, readNewest, readPage, send, writtenIn } from './page-requests.ts'
import { placeName, type PagePlace } from '../../api/page-place.ts'
import { differencesOf, replaceIn } from './replacing.ts'
import { isUnanswered, SaveSchedule, type SaveState } from './save-schedule.ts'
import {
  asAnswer,
  type ConflictChoice,
  originsOf,
  planSave,
  readAnswer,
  type SavedPage,
  type SavePlan,
  savedPage,
  settle,
  withEntries,
  type WrittenEntry,
} from './saving.ts'

/** A page as it is opened: as the server has it, and with what an earlier session could not save. */
export interface OpenedPage {
  saved: SavedPage
  title: string
  blocks: Block[]
  kept: KeptText
}

/** The last saves of sessions that were closed. */
const closing = new Map<string, Promise<unknown>>()

/** Reads the newest version of a page to write in it. */
export async function openPage(place: PagePlace): Promise<OpenedPage> {
  const early = takeOpening(place)
  const last = closing.get(placeName(place))
  await last
  const [left, isSent] = await sendLeft(place)
  try {
    if (left) return await openLeft(place, left)
    // A page that was read before the last text was sent does not contain that text.
    const isKnown = last === undefined && !isSent
    const { revision, title, blocks } = (isKnown && (await early)) || (await readNewest(place))
    return {
      saved: savedPage(revision, title, blocks),
      title,
      blocks,
      kept: await keepText(placeName(place)),
    }
  } catch (error) {
    left?.leave()
    throw error
  }
}

/** Sends what closed tabs could not save. @returns the first text that the server does not take, and if it took one */
async function sendLeft(place: PagePlace): Promise<[refused: KeptText | undefined, isSent: boolean]> {
  let refused: KeptText | undefined
  let isAnySent = false
  for (const kept of await leftTexts(placeName(place))) {
    const unsaved = kept.read()
    const isSent = !unsaved || (await send(place, unsaved).then(Boolean, () => false))
    isAnySent ||= isSent
    if (isSent) kept.write(undefined)
    if (isSent || refused) kept.leave()
    else refused = kept
  }
  return [refused, isAnySent]
}

/** Opens a page with a text that an earlier session could not save. */
async function openLeft(place: PagePlace, kept: KeptText): Promise<OpenedPage> {
  const { revision, title, entries } = kept.read()!
  const base = await readPage(place, revision).catch(() => undefined)
  if (base) {
    const blocks = blocksOf(base.blocks, entries)
    return { saved: savedPage(revision, base.title, base.blocks), title: title ?? base.title, blocks, kept }
  }
  // The server no longer has the revision, so nobody can say what changed: the texts of both are kept.
  const newest = await readNewest(place)
  const saved = savedPage(newest.revision, newest.title, newest.blocks)
  return { saved, title: title ?? newest.title, blocks: withEntries(newest.blocks, entries), kept }
}

/** A document that was sent, and the changes since then. */
interface Sent {
  doc: Node
  plan: SavePlan
  title: string
  since: Mapping
}

/** Saves what is written in a view, until it is closed. */
export class WritingSession {
  readonly #place: PagePlace
  readonly #view: EditorView
  readonly #show: (state: SaveState, title: string) => void
  readonly #kept: KeptText
  readonly #schedule: SaveSchedule
  #saved: SavedPage
  #title: string
  #running: Promise<boolean> | undefined
  #sending: Sent | undefined
  /** A save that was sent and got no response: the server may have stored it or not. */
  #doubtful: Sent | undefined
  #isPaused = false
  /** The last state of a session that is closed. */
  #last: EditorState | undefined

  constructor(
    place: PagePlace,
    view: EditorView,
    opened: OpenedPage,
    show: (state: SaveState, title: string) => void,
  ) {
    this.#place = place
    this.#view = view
    this.#show = show
    this.#saved = opened.saved
    this.#title = opened.title
    this.#kept = opened.kept
    this.#schedule = new SaveSchedule(place, {
      save: () => this.save(),
      keep: () => this.#keepUnsaved(),
      follow: () => this.#followOthers(),
    })
    if (this.#isDirty()) this.#planSave()
  }

  get #state(): EditorState {
    return this.#last ?? this.#view.state
  }

  /** Shows what others have written, unless something is not saved: then the next save does. */
  async #followOthers(): Promise<void> {
    const before = this.#saved
    const newest = await this.#schedule.readNews(
      () => this.#saved,
      () => !this.#isBusy() && !this.#isDirty(),
      () => readNewest(this.#place),
    )
    if (!newest || newest.revision === before.revision) return
    const { doc } = this.#state
    const sent = { doc, plan: planSave(doc, before), title: newest.title, since: new Mapping() }
    this.#title = newest.title
    this.#take(sent, newest.revision, asAnswer(before.blocks, newest.blocks))
    this.#tell({ is: this.#isDirty() ? 'waiting' : 'saved' })
    await this.#followOthers()
  }

  /** Takes the blocks that the page has in a new revision. */
  #take({ doc, plan, title, since }: Sent, revision: string, written: readonly WrittenEntry[]): void {
    const { replacements, blocks } = readAnswer(doc, plan, written)
    this.#saved = { revision, title, blocks }
    if (replacements.length === 0) return
    const tr = replaceIn(this.#state.tr, replacements, doc, since)
    if (this.#last) this.#last = this.#last.apply(tr)
    else this.#view.dispatch(tr)
  }

  #isBusy(): boolean {
    return this.#running !== undefined || this.#isPaused || this.#last !== undefined
  }

  #tell(state: SaveState): void {
    if (!this.#last) this.#show(state, this.#title)
  }

  /** Called after each change of the document. */
  changed(tr: Transaction): void {
    this.#sending?.since.appendMapping(tr.mapping)
    this.#doubtful?.since.appendMapping(tr.mapping)
    this.#planSave()
  }

  /** Called when the writer has changed the title. */
  rename(title: string): void {
    this.#title = title
    this.#planSave()
  }

  /** The keys of the blocks of the document; undefined for those that the server does not have. */
  keys(): (string | undefined)[] {
    const { blocks } = this.#saved
    return originsOf(this.#state.doc.children, blocks).map((origin) => blocks[origin]?.key)
  }

  /** A title that the writer has changed. */
  #renamed(title = this.#title): string | undefined {
    return title === this.#saved.title ? undefined : title
  }

  #isDirty(): boolean {
    return this.#renamed() !== undefined || planSave(this.#state.doc, this.#saved).isChanged
  }

  #planSave(): void {
    if (!this.#running && !this.#isPaused) this.#tell({ is: 'waiting' })
    this.#schedule.changed(this.#isPaused)
  }

  /** Keeps in the browser what the server does not have. */
  #keepUnsaved(): void {
    const { entries, isChanged } = planSave(this.#state.doc, this.#saved)
    const title = this.#renamed()
    const { revision } = this.#saved
    const { isReusable } = this.#place
    const isUnsaved = isChanged || title !== undefined
    this.#kept.write(isUnsaved ? { revision, title, entries, isReusable } : undefined)
  }

  /** Saves now, if something has changed. @returns false if something is not saved */
  save(): Promise<boolean> {
    this.#running ??= this.#saveNow().finally(() => {
      this.#running = undefined
      void this.#followOthers()
    })
    return this.#running
  }

  /** Saves everything, also what was written while the last save was on its way. @returns false if it is not saved */
  async finish(): Promise<boolean> {
    await this.#running
    return (await this.save()) || (!this.#isPaused && !this.#isDirty())
  }

  async #saveNow(): Promise<boolean> {
    this.#schedule.begin()
    if (this.#isPaused) return false
    try {
      await this.#endDoubt()
      const { doc } = this.#state
      const plan = planSave(doc, this.#saved)
      const title = this.#title.trim() === '' ? this.#saved.title : this.#title
      if (plan.isChanged || this.#renamed(title) !== undefined)
        await this.#sendNow({ doc, plan, title, since: new Mapping() })
    } catch (error) {
      this.#fail(error as Error)
      return false
    }
    const isDirty = this.#isDirty()
    this.#keepUnsaved()
    this.#tell({ is: isDirty ? 'waiting' : 'saved' })
    if (isDirty) this.#planSave()
    return !isDirty
  }

  async #sendNow(sent: Sent): Promise<void> {
    const { plan, title } = sent
    this.#sending = sent
    this.#tell({ is: 'saving' })
    try {
      const { revision } = this.#saved
      const unsaved = { revision, title: this.#renamed(title), entries: plan.entries }
      const answer = await send(this.#place, unsaved)
      this.#sending = undefined
      const { title: now = title, blocks } = writtenIn(answer, this.#place)
      this.#titleIs(now, title)
      if (blocks) this.#take({ ...sent, title: now }, answer.revision, blocks)
      else this.#saved = { ...this.#saved, revision: answer.revision, title: now }
    } catch (error) {
      if (isUnanswered(error)) this.#doubtful = sent
      throw error
    } finally {
      this.#sending = undefined
    }
  }

  /** Takes the title that the page has, unless the writer has changed it again since it was sent. */
  #titleIs(now: string, sent: string): void {
    if (this.#title === sent) this.#title = now
  }

  /** Finds out whether the server has what was sent last, so that it is not merged with itself. */
  async #endDoubt(): Promise<void> {
    const sent = this.#doubtful
    if (!sent) return
    const { revision, title, blocks } = await readNewest(this.#place)
    this.#doubtful = undefined
    if (revision === this.#saved.revision) return
    const nodes = sent.plan.nodes.map((node) => ({ node, key: '' }))
    const written = asAnswer(nodes, blocks)
    const found = new Set(written.flatMap((one) => ('entry' in one ? one.entry : [])))
    if (found.size < nodes.length) return
    this.#take({ ...sent, title }, revision, written)
    this.#titleIs(title, sent.title)
  }

  #fail(error: Error): void {
    this.#keepUnsaved()
    const state = this.#schedule.failed(error)
    this.#isPaused = state.is === 'conflict'
    this.#tell(state)
  }

  /** Settles a conflict: with what others have written, and the choice where both have changed the same. */
  async settle(choice: ConflictChoice): Promise<void> {
    try {
      const { revision, title, blocks } = await readNewest(this.#place)
      const theirs = savedPage(revision, title, blocks)
      const { doc, tr } = this.#view.state
      const nodes = settle(this.#saved.blocks, theirs.blocks, doc.children, choice)
      const isRenamed = this.#renamed() !== undefined
      this.#saved = theirs
      if (choice === 'theirs' || !isRenamed) this.#title = title
      this.#isPaused = false
      const settled = nodes.length > 0 ? nodes : docOf([]).children
      this.#view.dispatch(replaceIn(tr, differencesOf(doc.children, settled, 0), doc, new Mapping()))
      await this.save()
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  /** Saves for the last time; the view is closed after it. */
  close(): void {
    if (this.#last) return
    this.#last = this.#view.state
    this.#keepUnsaved()
    this.#schedule.close()
    const at = placeName(this.#place)
    const last = this.finish().finally(() => {
      closing.delete(at)
      this.#kept.leave()
    })
    closing.set(at, last)
  }
}
