/** A page that is written in a view, and what the server has of it. */
import type { Node } from 'prosemirror-model'
import type { EditorState, Transaction } from 'prosemirror-state'
import { Mapping } from 'prosemirror-transform'
import type { EditorView } from 'prosemirror-view'
import type { Block } from '../../../../core/document/model.ts'
import type { PagePlace } from '../../api/page-place.ts'
import { docOf } from '../../content/schema/convert.ts'
import type { BatchDone } from '../../content/tree/changes.ts'
import type { KeptText } from './kept-text.ts'
import type { Comparison, SaveState } from './session-machine.ts'
import { type NewestPage, readNewest, send, writtenIn } from './page-requests.ts'
import { differencesOf, replaceIn } from './replacing.ts'
import type { SessionWork } from './session-runner.ts'
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
  type WrittenEntry,
} from './saving.ts'

/** A page as it is opened: as the server has it, and with what an earlier session could not save. */
export interface OpenedPage {
  saved: SavedPage
  title: string
  blocks: Block[]
  kept: KeptText
}

/** A document that was sent, and the changes since then. */
interface Sent {
  doc: Node
  plan: SavePlan
  title: string
  since: Mapping
}

/** Does with the document what a session of its page wants. */
export class PageWork implements SessionWork<NewestPage, BatchDone> {
  readonly place: PagePlace
  readonly #view: EditorView
  readonly #show: (state: SaveState, title: string) => void
  readonly kept: KeptText
  #saved: SavedPage
  title: string
  /** What was sent last, until it is known whether the server has it. */
  #sent: Sent | undefined
  /** The last state of a view that is closed. */
  #last: EditorState | undefined

  constructor(
    place: PagePlace,
    view: EditorView,
    { saved, title, kept }: OpenedPage,
    show: (state: SaveState, title: string) => void,
  ) {
    this.place = place
    this.#view = view
    this.#show = show
    this.#saved = saved
    this.title = title
    this.kept = kept
  }

  get #state(): EditorState {
    return this.#last ?? this.#view.state
  }

  #dispatch(tr: Transaction): void {
    if (this.#last) this.#last = this.#last.apply(tr)
    else this.#view.dispatch(tr)
  }

  leaveView(): void {
    this.#last = this.#view.state
  }

  /** Takes note of a change of the document. */
  map(mapping: Mapping): void {
    this.#sent?.since.appendMapping(mapping)
  }

  keys(): (string | undefined)[] {
    const { blocks } = this.#saved
    return originsOf(this.#state.doc.children, blocks).map((origin) => blocks[origin]?.key)
  }

  /** A title that the writer has changed. */
  #renamed(title = this.title): string | undefined {
    return title === this.#saved.title ? undefined : title
  }

  /** The title to send: a page keeps its title while the field is empty. */
  get #sendableTitle(): string {
    return this.title.trim() === '' ? this.#saved.title : this.title
  }

  compare(): Pick<Comparison, 'unsaved' | 'revision'> {
    const { revision } = this.#saved
    const isSendable =
      planSave(this.#state.doc, this.#saved).isChanged || this.#renamed(this.#sendableTitle) !== undefined
    const unsaved = isSendable ? 'some' : this.#renamed() === undefined ? 'nothing' : 'unsendable'
    return { unsaved, revision }
  }

  readNewest(): Promise<NewestPage> {
    return readNewest(this.place)
  }

  send(): Promise<BatchDone> {
    const { doc } = this.#state
    const plan = planSave(doc, this.#saved)
    const title = this.#sendableTitle
    this.#sent = { doc, plan, title, since: new Mapping() }
    const { revision } = this.#saved
    return send(this.place, { revision, title: this.#renamed(title), entries: plan.entries })
  }

  take(stored: BatchDone): void {
    const sent = this.#sent
    if (!sent) return
    const { title = sent.title, blocks } = writtenIn(stored, this.place)
    this.#titleIs(title, sent.title)
    if (blocks) this.#takeBlocks({ ...sent, title }, stored.revision, blocks)
    else this.#saved = { ...this.#saved, revision: stored.revision, title }
    this.forget()
  }

  forget(): void {
    this.#sent = undefined
  }

  /** Takes the title that the page has, unless the writer has changed it again since it was sent. */
  #titleIs(now: string, sent: string): void {
    if (this.title === sent) this.title = now
  }

  /** Takes the blocks that the page has in a new revision. */
  #takeBlocks({ doc, plan, title, since }: Sent, revision: string, written: readonly WrittenEntry[]): void {
    const { replacements, blocks } = readAnswer(doc, plan, written)
    this.#saved = { revision, title, blocks }
    if (replacements.length > 0) this.#dispatch(replaceIn(this.#state.tr, replacements, doc, since))
  }

  endDoubt({ revision, title, blocks }: NewestPage): void {
    const sent = this.#sent
    this.forget()
    if (!sent || revision === this.#saved.revision) return
    const nodes = sent.plan.nodes.map((node) => ({ node, key: '' }))
    const written = asAnswer(nodes, blocks)
    const found = new Set(written.flatMap((one) => ('entry' in one ? one.entry : [])))
    if (found.size < nodes.length) return
    this.#takeBlocks({ ...sent, title }, revision, written)
    this.#titleIs(title, sent.title)
  }

  follow({ revision, title, blocks }: NewestPage): void {
    const { doc } = this.#state
    const { blocks: before } = this.#saved
    const sent = { doc, plan: planSave(doc, this.#saved), title, since: new Mapping() }
    this.title = title
    this.#takeBlocks(sent, revision, asAnswer(before, blocks))
  }

  settle({ revision, title, blocks }: NewestPage, choice: ConflictChoice): void {
    const theirs = savedPage(revision, title, blocks)
    const { doc, tr } = this.#state
    const nodes = settle(this.#saved.blocks, theirs.blocks, doc.children, choice)
    const isRenamed = this.#renamed() !== undefined
    this.#saved = theirs
    this.forget()
    if (choice === 'theirs' || !isRenamed) this.title = title
    const settled = nodes.length > 0 ? nodes : docOf([]).children
    this.#dispatch(replaceIn(tr, differencesOf(doc.children, settled, 0), doc, new Mapping()))
  }

  keep(): void {
    const { entries, isChanged } = planSave(this.#state.doc, this.#saved)
    const title = this.#renamed()
    const { revision } = this.#saved
    const { isReusable } = this.place
    const isUnsaved = isChanged || title !== undefined
    this.kept.write(isUnsaved ? { revision, title, entries, isReusable } : undefined)
  }

  show(state: SaveState): void {
    this.#show(state, this.title)
  }
}
