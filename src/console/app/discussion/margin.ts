/** The margin of a page, with a card for each thread of comments beside what it is about. */
import { placeCards } from './card-places.ts'

/** Places the cards of a page. A narrow screen shows them below the page instead. */
export class Margin {
  readonly #cards = new Map<string, HTMLElement>()
  readonly #sizes = new ResizeObserver(() => this.#place())
  readonly #listeners = new Set<() => void>()
  #frame: Element | undefined
  #places: ReadonlyMap<string, number> = new Map()
  #active: string | undefined
  #isDue = false

  /** The comment whose card is exactly at its place. */
  readonly active = (): string | undefined => this.#active

  /** Calls a function whenever another card is active. @returns a function that ends this */
  readonly listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Adds the card of a comment. @returns a function that removes it */
  add(id: string, card: HTMLElement): () => void {
    this.#cards.set(id, card)
    // The observer also reports the first size.
    this.#sizes.observe(card)
    return () => {
      this.#cards.delete(id)
      this.#sizes.unobserve(card)
      this.#placeSoon()
    }
  }

  /** Takes the places of comments. @param places in pixels below the top of the frame */
  measured(places: ReadonlyMap<string, number>, frame: Element): void {
    this.#places = places
    this.#frame = frame
    this.#placeSoon()
  }

  /** Brings the card of a comment to its place, and both into sight. Without one, no card is active. */
  activate(id: string | undefined): void {
    if (id === this.#active) return
    this.#active = id
    this.#place()
    for (const listener of this.#listeners) listener()
    const card = id === undefined ? undefined : this.#cards.get(id)
    if (card && isBeside(card)) card.scrollIntoView({ block: 'nearest' })
  }

  /** Shows a comment, and moves the focus to it. */
  show(id: string): void {
    this.activate(id)
    const card = this.#cards.get(id)
    card?.scrollIntoView({ block: isBeside(card) ? 'nearest' : 'center' })
    card?.querySelector<HTMLElement>('.thread')?.focus({ preventScroll: true })
  }

  #placeSoon(): void {
    if (this.#isDue) return
    this.#isDue = true
    queueMicrotask(() => {
      this.#isDue = false
      this.#place()
    })
  }

  #place(): void {
    const [first] = this.#cards.values()
    if (!first?.offsetParent || !this.#frame) return
    const start = this.#frame.getBoundingClientRect().top - first.offsetParent.getBoundingClientRect().top
    const cards = [...this.#cards].flatMap(([id, card]) => {
      const top = this.#places.get(id)
      return top === undefined ? [] : [{ id, top: start + top, height: card.offsetHeight }]
    })
    const tops = placeCards(cards, this.#active)
    for (const [id, card] of this.#cards) {
      const top = tops.get(id)
      card.toggleAttribute('data-placed', top !== undefined)
      card.toggleAttribute('data-active', id === this.#active)
      card.style.top = top === undefined ? '' : `${top}px`
    }
  }
}

/** The style sheet decides which screens are wide enough. */
const isBeside = (card: HTMLElement): boolean => getComputedStyle(card).position === 'absolute'
