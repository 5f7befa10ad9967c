/**
 * Folding: the form in which letters are compared, without differences of case, width, accents and spelling that readers do
 * not type. A word folds to the same text alone and within a page, so that a folded page can be searched for folded words.
 */

const LAST_ASCII = 0x7f
// oxlint-disable-next-line no-control-regex
const ASCII = /^[\x00-\x7f]*$/

/** Whether a text has no letters but those from A to Z. */
export function isAscii(text: string): boolean {
  return ASCII.test(text)
}

/** Chinese characters have none of the differences that folding removes. */
const HAN = /^[\u4e00-\u9fff]+$/

/**
 * Accents, the points and cantillation marks of Hebrew, the vowel marks and tatweel of Arabic, the nukta of Devanagari, the
 * marks in Hebrew abbreviations, and characters without width.
 */
const MARKS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u05f3\u05f4\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u093c\u00ad\u200b-\u200d\u2060]/g

/**
 * Letters that Unicode does not decompose. Turkish and Azerbaijani: dotless i and schwa. Arabic: alef maksura and ta marbuta;
 * the Persian and Urdu forms of kaf, yeh and heh. Hebrew and Greek: the forms at the end of a word. Hindi: candrabindu.
 */
const LETTERS: ReadonlyMap<string, string> = new Map(
  `ı:i ə:e ł:l đ:d ð:d ø:o ħ:h ŧ:t æ:ae œ:oe ß:ss þ:th
  ى:ي ة:ه ک:ك ی:ي ہ:ه ھ:ه ە:ه ך:כ ם:מ ן:נ ף:פ ץ:צ ς:σ \u0901:\u0902`
    .split(/\s+/)
    .map((pair): [string, string] => [pair.charAt(0), pair.slice(2)]),
)

/** What folding changes in single letters: in Arabic and Cyrillic only some of them, because each one costs a call. */
const CHANGED = new RegExp(
  [
    // Letters that are written as several characters, such as Kana with marks and Hangul.
    '[\\u3046-\\u30fe][\\u3099\\u309a\\uff9e\\uff9f]|[\\uff65-\\uff9f\\u3099\\u309a]{1,64}|[\\u1100-\\u115f][\\u1160-\\u11a7][\\u11a8-\\u11ff]?',
    '[[[\\p{L}\\p{M}\\p{N}\\p{Cf}\\p{So}]&&\\p{CWKCF}][\\p{Nd}--[0-9]]\\u00df-\\u0233\\u0259\\u0300-\\u036f\\u0390\\u03ac-\\u03b0\\u03ca-\\u03ce\\u0439\\u0450-\\u045e\\u0477-\\u04f9\\u0591-\\u05c7\\u05da\\u05dd\\u05df\\u05e3\\u05e5\\u05f3\\u05f4\\u0610-\\u061a\\u0622-\\u0626\\u0629\\u0640\\u0649\\u064b-\\u065f\\u0670\\u06a9\\u06be\\u06c0-\\u06dc\\u06df-\\u06e8\\u06ea-\\u06ed\\u0901\\u0929\\u0931\\u0934\\u093c\\u13a0-\\u13f5\\u1e00-\\u1fff]',
  ].join('|'),
  'gv',
)

/** What folding changes because of the letters beside it, in their order: the letters are folded before. */
const SPELLINGS: readonly { sign: RegExp; pattern: RegExp; form: (piece: string) => string }[] = [
  // Marks of Kana that something without width parted from their letter.
  {
    sign: /[\u3099\u309a]/,
    pattern: /[\u3046-\u30fe][\u3099\u309a]/gv,
    form: (piece) => piece.normalize('NFC'),
  },
  // The dot between words of Katakana.
  { sign: /\u30fb/, pattern: /(?<=\p{L})\u30fb(?=\p{L})/gv, form: () => '' },
  // The prolonged sound at the end of a word of Katakana, which technical texts leave out.
  {
    sign: /\u30fc/,
    pattern: /(?<=[\u30a1-\u30fa\u30fc][\u30a1-\u30fa])\u30fc+(?![\u3099\u309a\u30a1-\u30fa\u30fb\u30fc])/gv,
    form: () => '',
  },
  // A nasal of Devanagari before another consonant, which is also written as anusvara.
  {
    sign: /\u094d/,
    pattern: /[\u0919\u091e\u0923\u0928\u092e]\u094d(?=[\u0915-\u0939])/gv,
    form: () => '\u0902',
  },
]

/** A text as it is compared. Takes linear time. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  if (HAN.test(text)) return text
  let folded = text.replace(CHANGED, foldPiece)
  for (const { sign, pattern, form } of SPELLINGS)
    if (sign.test(folded)) folded = folded.replace(pattern, form)
  return folded
}

/** Where the offsets of a folded text and of the text as it was written differ. */
export interface OffsetShifts {
  /** Offsets in the folded text, ascending, in UTF-16 units. */
  places: number[]
  /** For each, what to add to get the offset in the written text, from there to the next place. */
  shifts: number[]
}

/** Folds a text that stands at an offset of a longer one, and notes where its length changes. Takes linear time. */
export function foldAt(text: string, start: number, { places, shifts }: OffsetShifts): string {
  if (isAscii(text)) return text.toLowerCase()
  let all: OffsetShifts = { places: [], shifts: [] }
  let folded = replaceAt(text, CHANGED, foldPiece, all)
  for (const { sign, pattern, form } of SPELLINGS) {
    if (!sign.test(folded)) continue
    const later: OffsetShifts = { places: [], shifts: [] }
    folded = replaceAt(folded, pattern, form, later)
    all = addShifts(all, later)
  }
  for (const place of all.places) places.push(start + place)
  for (const shift of all.shifts) shifts.push(shift)
  return folded
}

function replaceAt(text: string, pattern: RegExp, form: (piece: string) => string, to: OffsetShifts): string {
  let shift = 0
  return text.replace(pattern, (piece: string, at: number) => {
    const folded = form(piece)
    if (folded.length !== piece.length) {
      // Later differences count from the shift before this one.
      to.places.push(at - shift + folded.length)
      shift += piece.length - folded.length
      to.shifts.push(shift)
    }
    return folded
  })
}

/** The shifts of a text that was changed twice, by the offsets after the second change. */
function addShifts(first: OffsetShifts, second: OffsetShifts): OffsetShifts {
  const sum: OffsetShifts = { places: [], shifts: [] }
  let [i, j, before, after] = [0, 0, 0, 0]
  while (i < first.places.length || j < second.places.length) {
    const own = second.places[j] ?? Infinity
    // A difference within what the second change left out is at the place where it was.
    const earlier = Math.max((first.places[i] ?? Infinity) - after, sum.places.at(-1) ?? 0)
    const place = Math.min(own, earlier)
    if (earlier <= own) before = first.shifts[i++] ?? before
    else after = second.shifts[j++] ?? after
    sum.places.push(place)
    sum.shifts.push(before + after)
  }
  return sum
}

/** What single characters fold to: one of them costs several times as much as all else. */
const known = new Map<string, string>()

function foldPiece(piece: string): string {
  const before = known.get(piece)
  if (before !== undefined) return before
  const folded = foldSlowly(piece)
  if (piece.length === 1) known.set(piece, folded)
  return folded
}

const HALF_WIDTH = /^[\uff65-\uff9f\u3099\u309a]+$/

function foldSlowly(piece: string): string {
  if (HALF_WIDTH.test(piece)) return piece.normalize('NFKC')
  return Array.from(
    piece.normalize('NFKC').toLowerCase().normalize('NFD').replace(MARKS, '').normalize('NFC'),
    (letter) => LETTERS.get(letter) ?? digitOf(letter),
  ).join('')
}

const DIGIT = /^\p{Nd}$/u

/** A digit of any script as one from 0 to 9; other characters as they are. Unicode has the digits of a script in a row. */
function digitOf(letter: string): string {
  const code = letter.codePointAt(0) ?? 0
  if (code <= LAST_ASCII || !DIGIT.test(letter)) return letter
  for (let value = 0; value < 9; value++)
    if (!DIGIT.test(String.fromCodePoint(code - value - 1))) return String(value)
  return '9'
}
