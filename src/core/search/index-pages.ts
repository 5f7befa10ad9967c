/** The data that the index stores about a page. */
import type { Document } from '../document/model.ts'
import { parseIncluded } from '../document/included.ts'
import { parsePage } from '../document/parse.ts'
import { referenceKey } from '../document/links/references.ts'
import { type Included, type PageSection, readSection, sectionsOf, type UnreadSection } from './sections.ts'
import { fold } from './forms/fold.ts'
import { DEFAULT_LANGUAGE, stemsOf } from './forms/stem.ts'
import { languageOfPage } from './forms/page-language.ts'
import { eachRun, identifierOf, loweredIdentifier } from './words.ts'

/** A page to index. */
export interface IndexedPage {
  title: string
  description?: string | undefined
  /** The Markdown of its body; not read if its sections are known. */
  source: string
  /** A JSON array of `UnreadSection`, the sections of its body, if they are known. It includes nothing then. */
  sections?: string | undefined
  /** The reusable contents that it includes, directly and within each other, if there are any. */
  includes?: PageIncludes
}

/** The reusable contents that a page includes. */
export interface PageIncludes {
  /** The id of the reusable content that a reference of the page names, by `referenceKey`. */
  named: Map<string, string>
  /** Each reusable content by its id, with what the references in it name. */
  contents: Map<string, { source: string; named: Map<string, string> }>
}

/** The entry of a page, or of a part of it that stands under a condition. */
export interface EntryTokens {
  /** The expressions that must all be true for a visitor who may see this part; empty for the page itself. */
  when: string[]
  /** A letter for the place and form of each word, followed by the word; with a space between them. */
  tokens: string
}

/** The data that the index stores about a page, in a few long strings: a thread takes long to send many short ones. */
export interface PageTokens {
  entries: EntryTokens[]
  /** The code of the language whose stems the entries have. */
  language: string
  /**
   * The words of the page that no page before it in the task has: for the correction of typing errors, and to know how many
   * begin with some letters.
   */
  words: string[]
  /** A JSON array of `PageSection`. */
  sections: string
}

/** Where a word stands, from the weightiest place to the least: a title, a heading, many times in the text, the text. */
export const PLACES = ['title', 'heading', 'often', 'text'] as const
export type TextPlace = (typeof PLACES)[number]

/** The letters of words as they are written, and of their stems. */
export const WORD_LETTERS: Record<TextPlace, string> = { title: 't', heading: 'h', often: 'm', text: 'x' }
export const STEM_LETTERS: Record<TextPlace, string> = { title: 'u', heading: 'i', often: 'n', text: 'y' }

/** So often in a text, a word counts more. */
const OFTEN = 4
/** The most forms of one entry, and their length together: PostgreSQL stores at most 1 MB for each. */
const MOST_TOKENS = 30_000
const MOST_TOKEN_BYTES = 600_000
/** No word is longer, and shorter ones have few others that begin so. */
const WORD_LENGTHS = { least: 3, most: 64 }

/** Returns the data that the index stores about some pages; a task for a thread. Takes linear time. */
export function indexPages(pages: readonly IndexedPage[]): PageTokens[] {
  task++
  return pages.map(indexPage)
}

/** The number of the task that runs. */
let task = 0

/** The token of every page that includes something. No word has it: a word has letters after that for its place. */
export const INCLUDING = 'r'

function indexPage({ title, description = '', source, includes, sections: known }: IndexedPage): PageTokens {
  const sections =
    known === undefined
      ? sectionsOf(readDocument(source), includes && included(includes))
      : (JSON.parse(known) as UnreadSection[]).flatMap(readSection)
  if (description !== '') sections.unshift({ title: '', text: description })

  const words: string[] = []
  const language = languageOfPage(title, sections) ?? DEFAULT_LANGUAGE
  const byCondition = Map.groupBy(sections, ({ when }) => JSON.stringify(when ?? []))
  const own = byCondition.get('[]') ?? []
  byCondition.delete('[]')
  const tokens = pageTokens(title, own, { words, language })
  if (includes) tokens.push(INCLUDING)
  const entries: EntryTokens[] = [{ when: [], tokens: tokens.join(' ') }]
  for (const [when, some] of byCondition)
    entries.push({
      when: JSON.parse(when) as string[],
      tokens: pageTokens('', some, { words, language }).join(' '),
    })
  return { entries, language, words, sections: JSON.stringify(sections) }
}

const readDocument = (source: string) => parsePage(source, { keys: 'none' }).document

/** Finds reusable contents, each of which is read once. */
function included({ named, contents }: PageIncludes): Included {
  const documents = new Map<string, Document>()
  const finding =
    (names: ReadonlyMap<string, string>): Included =>
    (ref) => {
      const id = names.get(referenceKey(ref)) ?? ''
      const content = contents.get(id)
      if (!content) return undefined
      const document = documents.get(id) ?? parseIncluded(content.source, { keys: 'none' })
      documents.set(id, document)
      return { document, included: finding(content.named) }
    }
  return finding(named)
}

function pageTokens(
  title: string,
  sections: readonly PageSection[],
  { words, language }: Pick<PageTokens, 'words' | 'language'>,
): string[] {
  forgetForms(sections)
  const forms = formCounter(words, language)
  forms.add([title], 'title')
  forms.add(
    sections.map((section) => section.title),
    'heading',
  )
  forms.add(
    sections.map((section) => section.text),
    'text',
  )
  return forms.tokens()
}

/** A form of a word: the word itself or its stem. It is kept for the next pages, because most words are in many of them. */
interface Form {
  text: string
  bytes: number
  letters: Record<TextPlace, string>
  /** Whether it is a word of the vocabulary, and the number of the task that listed it last. */
  isListed: boolean
  listedBy: number
  /** The number of the entry that was counted last, and how often the form stands there. */
  entry: number
  count: number
  /** The weightiest place where it stands there. */
  place: TextPlace
}

let entryNumber = 0

/**
 * Counts the forms of words of one entry. The weightiest place comes first.
 * @param vocabulary gets the words that are new in this task
 * @param language that of the page
 */
function formCounter(vocabulary: string[], language: string) {
  const known = knownRunsIn(language)
  const entry = ++entryNumber
  const counted: Form[] = []
  let bytes = 0

  function count(form: Form, place: TextPlace, times = 1): void {
    if (form.entry === entry) {
      form.count += times
      return
    }
    bytes += form.bytes
    if (counted.length >= MOST_TOKENS || bytes > MOST_TOKEN_BYTES) return
    form.entry = entry
    form.count = times
    form.place = place
    counted.push(form)
    if (!form.isListed || form.listedBy === task) return
    form.listedBy = task
    vocabulary.push(form.text)
  }

  function countDense(run: string, place: TextPlace): void {
    const folded = fold(run)
    let before: Character | undefined
    for (let at = 0; at < folded.length;) {
      const code = folded.codePointAt(at) ?? 0
      const character = characterOf(code)
      count(character.form, place)
      if (before) count(pairOf(before, code), place)
      before = character
      at += code > 0xff_ff ? 2 : 1
    }
  }

  return {
    add(texts: readonly string[], place: TextPlace): void {
      // Most words are in a page several times, and each of them is counted before its forms are.
      const counting = ++countings
      const runs: KnownRun[] = []
      const spaced = (run: string) => {
        const one = knownRun(run, language, known)
        if (one.counting !== counting) {
          one.counting = counting
          one.count = 0
          runs.push(one)
        }
        one.count++
      }
      const dense = (run: string) => countDense(run, place)
      for (const text of texts) eachRun(text, { dense, spaced })
      for (const { forms, count: times } of runs) for (const form of forms) count(form, place, times)
    },
    tokens: () =>
      counted.map(
        ({ text, letters, place, count: times }) =>
          letters[place === 'text' && times >= OFTEN ? 'often' : place] + text,
      ),
  }
}

/** Forms of one kind that are kept. */
interface KnownForms {
  letters: Record<TextPlace, string>
  known: Map<string, Form>
}

const WORDS: KnownForms = { letters: WORD_LETTERS, known: new Map() }
const STEMS: KnownForms = { letters: STEM_LETTERS, known: new Map() }

/** A word or identifier as it is written, with its forms, and how often it was counted in one place. */
interface KnownRun {
  forms: readonly Form[]
  counting: number
  count: number
}

let countings = 0
/** Those that are kept, by the language of their pages. Longer ones are not: they could be as long as a page. */
const knownRuns = new Map<string, Map<string, KnownRun>>()
const KNOWN_LENGTH = 32
const KNOWN_MOST = 100_000
/** The text from which forms are kept, in UTF-16 units: a form keeps all of the text in memory that it is a part of. */
const KNOWN_TEXT = 10_000_000
let knownText = 0

/** Forgets the forms before an entry is counted, if there are many of them. */
function forgetForms(sections: readonly PageSection[]): void {
  for (const { text } of sections) knownText += text.length
  let size = WORDS.known.size + STEMS.known.size
  for (const runs of knownRuns.values()) size += runs.size
  if (size < KNOWN_MOST && knownText < KNOWN_TEXT) return
  for (const known of [WORDS.known, STEMS.known, knownRuns, characters]) known.clear()
  knownText = 0
}

function formOf({ letters, known }: KnownForms, text: string, isListed = false): Form {
  const before = known.get(text)
  if (before) return before
  const bytes = Buffer.byteLength(text) + 8
  const form: Form = { text, bytes, letters, isListed, listedBy: 0, entry: 0, count: 0, place: 'text' }
  known.set(text, form)
  return form
}

/** A character of dense text, with its pairs with others by their codes: to look for a pair as a text takes far longer. */
interface Character {
  form: Form
  pairs: Map<number, Form>
}

const characters = new Map<number, Character>()

function characterOf(code: number): Character {
  let one = characters.get(code)
  if (!one) {
    one = { form: formOf(WORDS, String.fromCodePoint(code)), pairs: new Map() }
    characters.set(code, one)
  }
  return one
}

function pairOf({ form: { text }, pairs }: Character, next: number): Form {
  let pair = pairs.get(next)
  if (!pair) {
    pair = formOf(WORDS, text + String.fromCodePoint(next))
    pairs.set(next, pair)
  }
  return pair
}

function knownRunsIn(language: string): Map<string, KnownRun> {
  let runs = knownRuns.get(language)
  if (!runs) knownRuns.set(language, (runs = new Map()))
  return runs
}

function knownRun(run: string, language: string, known: Map<string, KnownRun>): KnownRun {
  const before = known.get(run)
  if (before) return before
  const one: KnownRun = { forms: formsOfRun(run, language), counting: 0, count: 0 }
  if (run.length <= KNOWN_LENGTH) known.set(run, one)
  return one
}

function formsOfRun(run: string, language: string): readonly Form[] {
  const { whole, parts } = identifierOf(run)
  const lowered = loweredIdentifier(run, language)
  const forms: Form[] = []
  for (const [i, word] of [whole, ...parts].entries()) {
    if (word === '') continue
    const isListed = word.length >= WORD_LENGTHS.least && word.length <= WORD_LENGTHS.most
    forms.push(formOf(WORDS, word, isListed))
    const written = i === 0 ? lowered.whole : (lowered.parts[i - 1] ?? word)
    for (const short of stemsOf(written, language))
      if (short !== word && short !== '') forms.push(formOf(STEMS, short))
  }
  return forms
}
