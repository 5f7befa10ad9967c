/** Brackets that can stand for the braces of a tag, in pairs: those of ASCII, and of Asian and mathematical texts. */
const PAIRS =
  '() [] <> \uff08\uff09 \uff3b\uff3d \uff1c\uff1e \u3008\u3009 \u300a\u300b \u300c\u300d \u300e\u300f \u3010\u3011 \u3014\u3015 \u3016\u3017 \u3018\u3019 \u301a\u301b \uff62\uff63 \u2039\u203a \u00ab\u00bb \u201c\u201d \u2018\u2019 \u27e6\u27e7 \u27e8\u27e9 \u27ea\u27eb \u27ec\u27ed \u2768\u2769 \u276a\u276b \u276c\u276d \u276e\u276f \u2770\u2771 \u2772\u2773 \u2774\u2775 \u2983\u2984 \u2985\u2986 \ufe59\ufe5a \ufe5b\ufe5c \ufe5d\ufe5e'.split(
    ' ',
  )
/** The opening brackets. */
export const OPENING_BRACKETS = PAIRS.map((pair) => pair[0] ?? '')
/** The same and the closing brackets, as a part of a class of characters of a pattern. */
export const [LEFT, RIGHT] = [OPENING_BRACKETS, PAIRS.map((pair) => pair[1] ?? '')].map((all) =>
  all.join('').replace(/[[\]]/g, '\\$&'),
) as [string, string]

/** The characters with which anything begins that is a tag or looks like one. */
const BEGINNINGS = new RegExp(`[{\uff5b]|[${LEFT}](?=[^\\S\\r\\n]{0,3}[%\uff05])|[%\uff05]`, 'gu')

/** The offsets of everything at or after an offset that can begin a tag, in order. */
export function* beginningsOfTags(source: string, from = 0): Generator<number> {
  BEGINNINGS.lastIndex = from
  for (const { index } of source.matchAll(BEGINNINGS)) yield index
}

/** The text with what `write` makes of each character that can begin a tag. */
export function replaceBeginnings(text: string, write: (sign: string, at: number) => string): string {
  return text.replace(BEGINNINGS, write)
}
