/** Characters of Chinese, Japanese and Korean text in the Basic Multilingual Plane, punctuation included. */
const CJK =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\u3000-\u303f\u30a0\u30fb\u30fc\u3200-\u33ff\ufe10-\ufe1f\ufe30-\ufe6f\uff01-\uff65\uffe0-\uffe6]/u
const PUNCTUATION = /[\p{P}\p{S}]/u
const RUN = /\*+|~+/g

/** True for punctuation of Chinese, Japanese and Korean text, such as `：` and `。`. */
export function isCjkPunctuation(char: string): boolean {
  return CJK.test(char) && PUNCTUATION.test(char)
}

/** Substitutes a character that the parser treats as a letter or as punctuation. Returns undefined if none is left. */
export interface StandIns {
  letter(char: string): string | undefined
  sign(char: string): string | undefined
}

/**
 * Applies the CJK-friendly rule for emphasis (the specification of markdown-cjk-friendly) for a parser that knows only
 * the rule of CommonMark. That rule needs spaces between words, so `**强大：**我们` would show its asterisks. Beside a
 * run of `*` or `~`, CJK punctuation counts as a letter, and a CJK letter is a boundary like punctuation:
 *
 *     **强大：**我们      `：` is given to the parser as a letter
 *     **“强大”**我们      `我` is given to the parser as punctuation
 */
export function standInForCjk(text: string, standIns: StandIns): string {
  const parts: string[] = []
  let done = 0
  const put = (at: number, char: string | undefined) => {
    if (char === undefined || at < done) return
    parts.push(text.slice(done, at), char)
    done = at + 1
  }

  for (const { 0: run, index } of text.matchAll(RUN)) {
    const [at, next] = [index - 1, index + run.length]
    if (isBelowCjk(text, at) && isBelowCjk(text, next)) continue
    const [before, after] = [charBefore(text, index), charAt(text, next)]
    if (before === '' || after === '') continue
    put(at, standIn(before, after, standIns))
    put(next, standIn(after, before, standIns))
  }
  if (done === 0) return text
  parts.push(text.slice(done))
  return parts.join('')
}

/** A quick test that spares most runs the slower ones. */
function isBelowCjk(text: string, at: number): boolean {
  return !(text.charCodeAt(at) >= 0x1100)
}

function standIn(char: string, other: string, { letter, sign }: StandIns): string | undefined {
  if (char.length > 1 || !CJK.test(char) || /\s/u.test(char)) return undefined
  if (PUNCTUATION.test(char)) return /\s/u.test(other) || PUNCTUATION.test(other) ? undefined : letter(char)
  return PUNCTUATION.test(other) && !CJK.test(other) ? sign(char) : undefined
}

function charAt(text: string, at: number): string {
  const code = text.codePointAt(at)
  return code === undefined ? '' : String.fromCodePoint(code)
}

function charBefore(text: string, at: number): string {
  const pair = charAt(text, at - 2)
  return pair.length === 2 ? pair : (text[at - 1] ?? '')
}
