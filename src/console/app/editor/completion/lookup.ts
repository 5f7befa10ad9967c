/** Looks up the entries of the completion: at once what is known, and soon what the server finds. */
import { type Completion, type CompletionPlace, datesFor, fitsQuery, inGroups } from './completions.ts'
import { COMPLETION_SOURCES, type CompletionSource } from './sources.ts'
import type { CompletionKind } from './trigger.ts'

/** A request is sent once nobody has typed for so long. */
const PAUSE_MS = 120
/** Before an opened list has anything to show, it waits for less. */
const FIRST_PAUSE_MS = 30

/** The entries of one text in one place, until it is closed. */
export class CompletionLookup {
  readonly #place: CompletionPlace
  readonly #onFound: () => void
  /** The entries of a source by what was typed; those of a whole list by the empty text. */
  #known = new Map<CompletionSource, Map<string, readonly Completion[]>>()
  /** The kind and the text that were looked up last. */
  #asked = ''
  #timer: ReturnType<typeof setTimeout> | undefined
  #leaving: AbortController | undefined

  /** @param onFound called when there are other entries than before */
  constructor(place: CompletionPlace, onFound: () => void) {
    this.#place = place
    this.#onFound = onFound
  }

  /** Returns the entries that are known to fit what was typed, and asks for the others. */
  find(kind: CompletionKind, query: string): Completion[] {
    const text = query.trim().toLowerCase()
    const sources = COMPLETION_SOURCES[kind]
    const missing = sources.filter((source) => !this.#isKnown(source, text))
    // The list is drawn again while requests are under way.
    if (missing.length > 0 && this.#asked !== `${kind} ${text}`) this.#ask(missing, text)
    this.#asked = `${kind} ${text}`
    const found = sources.flatMap((source) => this.#entriesOf(source, text))
    const dates = kind === 'mention' ? datesFor(text, new Date()) : []
    // While a page with this title may still be found, Enter must not make another one.
    const made =
      kind === 'page' && this.#place.writtenIn !== undefined && missing.length === 0
        ? newPage(query, found)
        : []
    return inGroups(kind, [...found, ...dates, ...made])
  }

  /** Forgets what was found: when the list is opened again, others may have changed it. */
  close(): void {
    clearTimeout(this.#timer)
    this.#leaving?.abort()
    this.#known = new Map()
    this.#asked = ''
  }

  #entriesOf(source: CompletionSource, text: string): readonly Completion[] {
    const known = this.#known.get(source)
    if ('list' in source) return (known?.get('') ?? []).filter((one) => fitsQuery(one, text))
    // Until the server has found what fits the whole text, what it found for the beginning does.
    for (let length = text.length; length >= 0; length--) {
      const found = known?.get(text.slice(0, length))
      if (found) return length === text.length ? found : found.filter((one) => fitsQuery(one, text))
    }
    return []
  }

  #isKnown(source: CompletionSource, text: string): boolean {
    const known = this.#known.get(source)
    return known?.has('list' in source ? '' : text) === true
  }

  #ask(missing: readonly CompletionSource[], text: string): void {
    clearTimeout(this.#timer)
    this.#leaving?.abort()
    const { signal } = (this.#leaving = new AbortController())
    const read = async (source: CompletionSource) => {
      const isList = 'list' in source
      const entries = isList ? source.list(this.#place, signal) : source.search(this.#place, text, signal)
      // A source that fails, such as the members for a guest, has no entries.
      const found = await entries.catch((): Completion[] => [])
      if (signal.aborted) return
      const known = this.#known.get(source) ?? new Map<string, readonly Completion[]>()
      this.#known.set(source, known.set(isList ? '' : text, found))
      this.#onFound()
    }
    const pause = this.#known.size === 0 ? FIRST_PAUSE_MS : PAUSE_MS
    this.#timer = setTimeout(() => void Promise.all(missing.map(read)), pause)
  }
}

/** The entry that makes a page, unless there is one with this title. */
function newPage(title: string, found: readonly Completion[]): Completion[] {
  const isKnown = found.some(
    (one) => one.group === 'common.pages' && one.title.toLowerCase() === title.toLowerCase(),
  )
  if (title === '' || isKnown) return []
  return [
    {
      key: 'new',
      group: 'editing.new-page',
      title,
      look: { icon: 'file-circle-plus' },
      completed: { is: 'new-page', title },
    },
  ]
}
