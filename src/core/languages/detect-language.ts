/** The language of a text, by its letters and by groups of three of them. */
import { nearestLanguageIn } from './nearest-language.ts'

/** The codes of ISO 639-3 that are detected, each with the code that content has for it. */
const CODES: Readonly<Record<string, string>> = {
  arb: 'ar',
  bul: 'bg',
  ces: 'cs',
  cmn: 'zh',
  dan: 'da',
  deu: 'de',
  ekk: 'et',
  ell: 'el',
  eng: 'en',
  fin: 'fi',
  fra: 'fr',
  heb: 'he',
  hin: 'hi',
  hrv: 'hr',
  hun: 'hu',
  ind: 'id',
  ita: 'it',
  jpn: 'ja',
  kor: 'ko',
  lit: 'lt',
  lvs: 'lv',
  nld: 'nl',
  nno: 'no',
  nob: 'no',
  pol: 'pl',
  por: 'pt',
  ron: 'ro',
  rus: 'ru',
  slk: 'sk',
  slv: 'sl',
  spa: 'es',
  swe: 'sv',
  tha: 'th',
  tur: 'tr',
  ukr: 'uk',
  vie: 'vi',
  zlm: 'ms',
}
const nearestLanguage = nearestLanguageIn(Object.keys(CODES))

/** The characters of a text that are looked at. */
export const LANGUAGE_SAMPLE = 1000
/** The fewest that tell a language. */
const LEAST = 20
/** The most texts that are looked at. After half of them, only every fourth text is. */
const [TEXTS, SPARSE] = [64, 4]
/** While nearly all of so many texts have one language, only every eighth text is looked at. */
const [CLEAR_AFTER, CLEAR_SHARE, EVERY] = [12, 0.95, 8]
/** The fewest characters of one language that decide. A few words of another one often are names. */
const ENOUGH = 60
/** In the scripts of East Asia, a character says as much as three or four letters. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu
const DENSE_WEIGHT = 4

/** The text of code and addresses, whose words are English in every language. */
const FOREIGN = /`[^`]*`|[!-~]*[_/\\=<>{}@#][!-~]*|\b\w+\.\w+\b/g

/** The beginning of a text, without what is English in every language. */
const sampleOf = (text: string) =>
  text.slice(0, LANGUAGE_SAMPLE).replace(FOREIGN, ' ').replace(/\s+/g, ' ').trim()

const languageOfSample = (sample: string): string | undefined => CODES[nearestLanguage(sample) ?? '']

/** Words of English that no other language has as often. */
const ENGLISH_WORDS = /\b(?:the|and|of|to|with|for)\b/gi
/** The characters of English text for each of them, at most: to compare groups of letters takes much longer. */
const CHARACTERS_PER_WORD = 80

/** The code of the language of one text by its beginning; undefined if it is too short. */
export function detectLanguage(text: string): string | undefined {
  const beginning = text.slice(0, LANGUAGE_SAMPLE)
  const english = beginning.match(ENGLISH_WORDS)?.length ?? 0
  if (english > 0 && english * CHARACTERS_PER_WORD >= beginning.length) return 'en'
  const sample = sampleOf(beginning)
  return sample.length < LEAST ? undefined : languageOfSample(sample)
}

/** Collects texts of one content, and tells the language that most of them have. */
export class LanguageVotes {
  #left = TEXTS
  #given = 0
  readonly #votes = new Map<string, number>()

  /** Reads a text. It takes a bounded time, and nothing at all after the first 64 texts that were looked at. */
  add(text: string): void {
    this.#given += 1
    if (this.#left <= 0 || this.#given % this.#every() !== 0) return
    const sample = sampleOf(text)
    const weight = sample.length + (DENSE_WEIGHT - 1) * (sample.match(DENSE)?.length ?? 0)
    if (weight < LEAST) return
    this.#left -= 1
    const code = languageOfSample(sample)
    if (code !== undefined) this.#votes.set(code, (this.#votes.get(code) ?? 0) + weight)
  }

  #every(): number {
    if (this.#isClear()) return EVERY
    return this.#left > TEXTS / 2 ? 1 : SPARSE
  }

  #isClear(): boolean {
    if (TEXTS - this.#left < CLEAR_AFTER) return false
    let [most, total] = [0, 0]
    for (const votes of this.#votes.values()) {
      most = Math.max(most, votes)
      total += votes
    }
    return most > CLEAR_SHARE * total
  }

  /** The code of the language of most of the text, by far; undefined if there is none, or too little text. */
  winner(): string | undefined {
    const total = [...this.#votes.values()].reduce((sum, one) => sum + one, 0)
    const [code, votes] = [...this.#votes].toSorted((a, b) => b[1] - a[1])[0] ?? ['', 0]
    return votes >= ENOUGH && votes > 0.6 * total ? code : undefined
  }
}
