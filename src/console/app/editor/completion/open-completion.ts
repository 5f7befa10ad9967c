/** The list of a completion while somebody types: what is in it, which entry Enter takes, and when it closes. */
import type { Completion } from './completions.ts'
import type { CompletionLookup } from './lookup.ts'
import type { Trigger } from './trigger.ts'

/** A sign before the caret, and its place in the text. */
interface Placed {
  trigger: Trigger
  from: number
}

/** What is shown. */
export interface CompletionMenu {
  entries: readonly Completion[]
  /** The index of the entry that Enter takes. */
  at: number
  /** The place of the sign in the text. */
  from: number
}

/** Keys that the list takes while it is open, if no other key is held. */
type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** The list in one text. */
export class OpenCompletion {
  readonly #lookup: CompletionLookup
  #placed: Placed | undefined
  #fits: (one: Completion) => boolean = () => true
  /** The place of a sign that stays as it is; -1 for none. */
  #dismissed = -1
  /** The key of the entry that Enter takes; without it, that is the first. Entries that arrive later move the others. */
  #chosen: string | undefined
  #menu: CompletionMenu | undefined
  #listener: () => void = () => undefined

  constructor(lookupOf: (onFound: () => void) => CompletionLookup) {
    this.#lookup = lookupOf(() => this.#draw())
  }

  /** Calls a function whenever something else is shown. @returns a function that ends it */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listener = listener
    return () => {
      this.#listener = () => undefined
    }
  }

  /** Returns what is shown; undefined while the list is closed. */
  readonly menu = (): CompletionMenu | undefined => this.#menu

  /** Follows the text and its caret. The list opens only when somebody types. */
  follow(
    placed: Placed | undefined,
    { isTyped, fits }: { isTyped: boolean; fits: (one: Completion) => boolean },
  ): void {
    const isSame =
      placed !== undefined &&
      placed.from === this.#placed?.from &&
      placed.trigger.kind === this.#placed.trigger.kind
    if (placed?.from !== this.#dismissed) this.#dismissed = -1
    else if (placed) return this.#end()
    if (!placed || !(isSame || isTyped)) return this.#end()
    const isOther = !isSame || placed.trigger.query !== this.#placed?.trigger.query
    // Another text finds others, of which the first fits best.
    if (isOther) this.#chosen = undefined
    this.#placed = placed
    this.#fits = fits
    if (isOther || !this.#menu) this.#draw()
  }

  /** Leaves the sign at a place as it is, for as long as it stays before the caret. */
  dismiss(from: number): void {
    this.#dismissed = from
    this.#end()
  }

  close(): void {
    this.#end()
  }

  /** Takes a key that is for the list. @returns false if it is for the text */
  takeKey({ key, ctrlKey, metaKey, altKey, shiftKey }: Key, choose: (chosen: Completion) => void): boolean {
    const menu = this.#menu
    if (!menu || ctrlKey || metaKey || altKey || shiftKey) return false
    const { entries, at, from } = menu
    if (key === 'Escape') this.dismiss(from)
    else if (key === 'ArrowDown') this.#move(entries[(at + 1) % entries.length]!)
    else if (key === 'ArrowUp') this.#move(entries.at(at - 1)!)
    else if (key === 'Enter' || key === 'Tab') choose(entries[at]!)
    else return false
    return true
  }

  #move({ key }: Completion): void {
    this.#chosen = key
    this.#draw()
  }

  #end(): void {
    if (!this.#placed) return
    this.#placed = undefined
    this.#lookup.close()
    this.#draw()
  }

  #draw(): void {
    const { trigger, from } = this.#placed ?? {}
    const before = this.#menu
    const entries = trigger ? this.#lookup.find(trigger.kind, trigger.query).filter(this.#fits) : []
    this.#menu =
      from === undefined || entries.length === 0
        ? undefined
        : {
            entries,
            at: Math.max(
              0,
              entries.findIndex(({ key }) => key === this.#chosen),
            ),
            from,
          }
    if (before !== this.#menu) this.#listener()
  }
}
