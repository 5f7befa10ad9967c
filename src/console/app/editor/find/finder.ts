/** Finding and replacing in the text of an editor. The current place is the one that is selected. */
import { closeHistory } from 'prosemirror-history'
import type { Node } from 'prosemirror-model'
import { type EditorState, Plugin, TextSelection } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { type FindQuery, type Match, matchesIn } from './matches.ts'

/** So many places are marked in the text. */
const MOST_MARKED = 2000

const NOTHING: FindQuery = { text: '', isCaseSensitive: false }

/** Finds a text in one editor. */
export class Finder {
  readonly #view: EditorView
  #query = NOTHING
  #known: { doc: Node; query: FindQuery; matches: readonly Match[] } | undefined
  /** Marks the places. It holds no state, so it can be added to an editor that is open. */
  readonly plugin = new Plugin({ props: { decorations: (state) => this.#marks(state) } })

  constructor(view: EditorView) {
    this.#view = view
  }

  /** The places of what is looked for. */
  matches({ doc }: EditorState = this.#view.state): readonly Match[] {
    const known = this.#known
    if (known?.doc === doc && known.query === this.#query) return known.matches
    const matches = matchesIn(doc, this.#query)
    this.#known = { doc, query: this.#query, matches }
    return matches
  }

  /** The index of the place that is selected; -1 if none is. */
  current(state: EditorState = this.#view.state): number {
    const { from, to } = state.selection
    return this.matches(state).findIndex((match) => match.from === from && match.to === to)
  }

  /** Looks for a text, and shows its first place from where the caret is. */
  look(query: FindQuery): void {
    this.#query = query
    this.#view.updateState(this.#view.state)
    const { from } = this.#view.state.selection
    const matches = this.matches()
    this.#select(matches.find((match) => match.from >= from) ?? matches[0])
  }

  /** Shows the next place, or the one before. After the last one comes the first. */
  step(by: 1 | -1): void {
    const { from, to } = this.#view.state.selection
    const matches = this.matches()
    this.#select(
      by === 1
        ? (matches.find((match) => match.from >= to && match.to > from) ?? matches[0])
        : (matches.findLast((match) => match.to <= from) ?? matches.at(-1)),
    )
  }

  /** Replaces the place that is selected, and shows the next one. */
  replace(text: string): void {
    const match = this.matches()[this.current()]
    if (!match) return this.step(1)
    const { tr } = this.#view.state
    this.#view.dispatch(
      closeHistory(text === '' ? tr.delete(match.from, match.to) : tr.insertText(text, match.from, match.to)),
    )
    const { doc, tr: caret } = this.#view.state
    const end = Math.min(match.from + text.length, doc.content.size)
    this.#view.dispatch(caret.setSelection(TextSelection.near(doc.resolve(end), -1)))
    return this.step(1)
  }

  /** Replaces all places, which one undo takes back. @returns how many there were */
  replaceAll(text: string): number {
    const matches = this.matches()
    const { tr } = this.#view.state
    for (const { from, to } of matches.toReversed())
      if (text === '') tr.delete(from, to)
      else tr.insertText(text, from, to)
    if (tr.docChanged) this.#view.dispatch(closeHistory(tr))
    return matches.length
  }

  /** Ends looking. */
  end(): void {
    this.#query = NOTHING
    this.#view.updateState(this.#view.state)
  }

  /** Selects a place, which opens what hides it, and brings it into the middle of the window if it is outside. */
  #select(match: Match | undefined): void {
    if (!match) return
    const { doc, tr } = this.#view.state
    this.#view.dispatch(tr.setSelection(TextSelection.create(doc, match.from, match.to)))
    const { top, bottom } = this.#view.coordsAtPos(match.from)
    const edge = document.querySelector('.find-bar')?.getBoundingClientRect().bottom ?? 0
    if (top < edge || bottom > innerHeight)
      scrollBy({ top: (top + bottom - innerHeight) / 2, behavior: 'instant' })
  }

  #marks(state: EditorState): DecorationSet {
    const current = this.current(state)
    const first = Math.max(0, current - MOST_MARKED / 2)
    const marks = this.matches(state)
      .slice(first, first + MOST_MARKED)
      .map(({ from, to }, index) =>
        Decoration.inline(from, to, { class: first + index === current ? 'match current' : 'match' }),
      )
    return DecorationSet.create(state.doc, marks)
  }
}

const finders = new WeakMap<EditorView, Finder>()

/** The finder of an editor. */
export function finderOf(view: EditorView): Finder {
  const known = finders.get(view) ?? new Finder(view)
  finders.set(view, known)
  return known
}
