/**
 * Stems by endings and prefixes, for languages without an algorithm of Snowball. Each function takes a folded word, and
 * returns the texts that its other forms have in common with it: several where a letter can be a prefix or a part of the word.
 */

/** Removes the longest of some endings, if enough letters stay. */
function endings(list: string, least: number): (word: string) => string {
  const all = list.split(/\s+/).toSorted((a, b) => b.length - a.length)
  return (word) => {
    const ending = all.find((one) => word.length - one.length >= least && word.endsWith(one))
    return ending === undefined ? word : word.slice(0, -ending.length)
  }
}

// The endings of nouns and adjectives in each case and number, and the usual ones of verbs, as grammars list them; folded.
const polishVerbalNouns = endings('ania aniu aniem anie enia eniu eniem enie', 5)
const polishEndings = endings(
  `ami ach owie ow om em ie iami iach iom iem ego emu ymi imi ych ich ym im ej a e i o u y ia iu owi
  ac ec ic yc al ala ali ily il ila`,
  3,
)
const polish = (word: string): string => {
  const stem = polishVerbalNouns(word)
  return stem === word ? polishEndings(word) : stem
}
const czech = endings(
  `ech ich eho emi emu ete eti iho imi imu ach ata aty ych ama ami ove ovi ymi em es im um at am os us ym mi ou ovani
  ani eni ovat it et a e i o u y enich enim enimi anich anim animi
  enie enia eniu eniach eniami anie ania aniu aniach aniami`,
  3,
)
const southSlavic = endings(
  'ima ama ovima evima oga ega omu emu og eg om em ih im oj ju ja je iti ati anje enje anja enja nju a e i o u',
  3,
)
const latvian = endings('iem ajiem ajam ajai ajas ais as am os is us ei ai ie es em im um a e i o u s', 3)
const estonian = endings(
  'dega desse dest dele delt des tega tesse test tele telt tes ks ga ta le st lt sse d t a e i u',
  4,
)

const bulgarian = endings('ият ът ят та то те ове овете и ите а я е ия иха ат ете у ии ост остта', 3)

/** Stems of languages that this module knows, by the code of the language. */
export const ENDINGS: ReadonlyMap<string, (word: string) => string> = new Map([
  ['bg', bulgarian],
  ['pl', polish],
  ['cs', czech],
  ['sk', czech],
  ['hr', southSlavic],
  ['sl', southSlavic],
  ['lv', latvian],
  ['et', estonian],
])

/** The article and the prepositions before it, as in L. S. Larkey, L. Ballesteros, M. E. Connell, Light stemming for Arabic, 2007 (light10). */
const ARABIC_PREFIX = /^و?(?:ال|بال|كال|فال|لل)(?=.{2})/
const ARABIC_AND = /^و(?=.{3})/
const arabicEndings = endings('ها ان ات ون ين يه هم نا هاي هايي', 3)
const ARABIC_LAST = /(?<=.{3})[هي]$/

/** Arabic, and Persian with its plural in ها. A word without the article may begin with "and" or with that letter. */
export function arabicStems(word: string): string[] {
  const base = word.replace(ARABIC_PREFIX, '')
  const stripped = base === word && ARABIC_AND.test(word) ? [word, word.slice(1)] : [base]
  return stripped.map((one) => arabicEndings(one).replace(ARABIC_LAST, ''))
}

/** And; that, when; the, in, as, to, from. A word can begin with most of these letters itself. */
const HEBREW_AND = /^[וש](?=.{3})|^כש(?=.{3})/
const HEBREW_PREFIX = /^[הבכלמ](?=.{3})/
const hebrewEndings = endings('ימ ות ה', 3)

/** Hebrew, with up to two prefixes; their letters may be parts of the word, so each possible stem is one. */
export function hebrewStems(word: string): string[] {
  const without = word.replace(HEBREW_AND, '')
  const all = [word, without, word.replace(HEBREW_PREFIX, ''), without.replace(HEBREW_PREFIX, '')]
  return [...new Set(all.map((one) => hebrewEndings(one).replace(/יי$/, 'י')))]
}

const KOREAN_PARTICLE =
  /(?<=.{2})(?:에서는|에서도|으로는|으로써|으로서|에게서|이라는|까지는|부터는|에서|에게|으로|부터|까지|처럼|보다|마다|이나|라는|하는|하기|하고|한다|합니다|입니다|은|는|이|가|을|를|의|에|로|와|과|도|만)$/

/** A Korean word without the particle at its end, if two syllables or more stay. */
export function withoutParticle(word: string): string {
  return word.replace(KOREAN_PARTICLE, '')
}
