/**
 * The stem of an English word, by the algorithm of Porter (M. F. Porter, An algorithm for suffix stripping, Program 14, 1980).
 */
import { need } from '../../data/lists.ts'

const CONSONANT = '(?:[^aeiouy]|(?<=[aeiou])y|^y)'
const VOWEL = '(?:[aeiou]|(?<=[^aeiou])y)'
/** The measure of a word: how often a vowel is followed by a consonant. */
const MEASURE = new RegExp(`${VOWEL}+${CONSONANT}+`, 'g')
const HAS_VOWEL = new RegExp(VOWEL)
const SHORT_END = new RegExp(`${CONSONANT}${VOWEL}[^aeiouwxy]$`)

const measure = (word: string) => word.match(MEASURE)?.length ?? 0

const STEP_2 = endings({
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  abli: 'able',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
})
const STEP_3 = endings({
  icate: 'ic',
  ative: '',
  alize: 'al',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
})
const STEP_4 = /(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|(?<=[st])ion|ou|ism|ate|iti|ous|ive|ize)$/

function endings(shorter: Record<string, string>) {
  const longest = Object.keys(shorter).toSorted((a, b) => b.length - a.length)
  return { pattern: new RegExp(`(?:${longest.join('|')})$`), table: new Map(Object.entries(shorter)) }
}

/** The stem of a word of letters from a to z. */
export function porter(word: string): string {
  let w = word.replace(/(?:ss|i)es$/, (end) => end.slice(0, -2)).replace(/([^s])s$/, '$1')
  w = pastAndPresent(w)
  if (w.endsWith('y') && HAS_VOWEL.test(w.slice(0, -1))) w = `${w.slice(0, -1)}i`
  for (const { pattern, table } of [STEP_2, STEP_3])
    w = w.replace(pattern, (end, at: number) => (measure(w.slice(0, at)) > 0 ? need(table, end) : end))
  w = w.replace(STEP_4, (end, at: number) => (measure(w.slice(0, at)) > 1 ? '' : end))
  if (w.endsWith('e')) {
    const rest = w.slice(0, -1)
    if (measure(rest) > 1 || (measure(rest) === 1 && !SHORT_END.test(rest))) w = rest
  }
  return w.endsWith('ll') && measure(w) > 1 ? w.slice(0, -1) : w
}

/** `-eed`, `-ed` and `-ing`. */
function pastAndPresent(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const end = /(?:ed|ing)$/.exec(word)
  if (!end || !HAS_VOWEL.test(word.slice(0, end.index))) return word
  const rest = word.slice(0, end.index)
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`
  if (/([^aeioulsz])\1$/.test(rest)) return rest.slice(0, -1)
  return measure(rest) === 1 && SHORT_END.test(rest) ? `${rest}e` : rest
}
