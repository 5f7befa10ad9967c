/** Finds the text of a book that no font can show: in scripts whose fonts Lectern does not bring along. */
import { fontNameOf } from './fonts.ts'
import type { WithReason } from '../core/languages/reasoned.ts'
import { because } from '../core/languages/reasons.ts'

/** Scripts with fonts that come with Lectern, and signs of no particular script. */
const KNOWN =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Common}\p{Script=Inherited}]/u
const OTHER_LETTER = /[\p{L}\p{N}]/u
/** So many letters of a script are tried: a font has all letters of its script, but for rare ones. */
const TRIED_LETTERS = 20

/** Scripts as Unicode names them (UAX #24), for whose names there is no shorter source. */
const SCRIPTS =
  `Adlam Ahom Anatolian_Hieroglyphs Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki Bopomofo
Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Chorasmian Coptic
Cuneiform Cypriot Cypro_Minoan Deseret Devanagari Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs Elbasan Elymaic
Ethiopic Georgian Glagolitic Gothic Grantha Gujarati Gunjala_Gondi Gurmukhi Hanifi_Rohingya Hanunoo Hatran
Imperial_Aramaic Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Kawi Kayah_Li Kharoshthi
Khitan_Small_Script Khmer Khojki Khudawadi Lao Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Makasar
Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cursive
Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean Nag_Mundari Nandinagari New_Tai_Lue Newa Nko Nushu
Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian
Old_South_Arabian Old_Turkic Old_Uyghur Oriya Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician
Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham SignWriting Sinhala Sogdian Sora_Sompeng Soyombo
Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangsa Tangut Telugu Thaana Thai
Tibetan Tifinagh Tirhuta Toto Ugaritic Vai Vithkuqi Wancho Warang_Citi Yezidi Yi Zanabazar_Square`
    .split(/\s+/)
    .map((name) => ({ name: name.replaceAll('_', ' '), letter: new RegExp(`\\p{Script=${name}}`, 'u') }))

/** The letters of a text to try, by the name of their script. Takes time in proportion to the text. */
export function lettersByScript(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const letter of new Set(text)) {
    if (KNOWN.test(letter) || !OTHER_LETTER.test(letter)) continue
    const script = SCRIPTS.find((one) => one.letter.test(letter))
    if (!script) continue
    const letters = found.get(script.name) ?? []
    if (letters.length === 0) found.set(script.name, letters)
    if (letters.length < TRIED_LETTERS) letters.push(letter)
  }
  return found
}

/** A noncharacter (Unicode, section 23.7), which no font has. */
const ABSENT = '\u{10ffff}'

/**
 * The scripts of which no font of the typesetter has every letter. The typesetter decides, because it also has
 * built-in fonts and those of the machine: a letter that it draws as it draws `ABSENT` is not in any font.
 * @param draw sets each text as a paragraph, and returns SVG
 */
export function missingScripts(
  letters: ReadonlyMap<string, readonly string[]>,
  draw: (texts: readonly string[]) => string,
): string[] {
  if (letters.size === 0) return []
  const texts = [ABSENT, ...[...letters.values()].flat()]
  const [absent, ...drawn] = draw(texts).split('class="typst-text"').slice(1).map(glyphsIn)
  const [box] = absent ?? []
  if (box === undefined || drawn.length !== texts.length - 1)
    throw new Error(`The typesetter drew ${drawn.length + 1} of ${texts.length} letters`)
  let next = 0
  return [...letters].flatMap(([script, { length }]) => {
    const own = drawn.slice(next, (next += length))
    return own.some((glyphs) => glyphs.includes(box)) ? [script] : []
  })
}

function glyphsIn(svg: string): string[] {
  return [...svg.matchAll(/<use [^>]*href="([^"]+)"/g)].map(([, glyph = '']) => glyph)
}

/** What an operator does about missing scripts. */
export function adviceFor(scripts: readonly string[]): WithReason {
  const font = fontNameOf(scripts[0] ?? '')
  return because('page-without-font', { scripts: scripts.join(', '), font })
}
