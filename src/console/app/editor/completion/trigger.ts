/** What begins a completion: a sign before the caret, and the text after it. */

/** The kinds of completion, each with its sign: `@`, `[[`, `:`, `#` and `{{`. */
export type CompletionKind = 'mention' | 'page' | 'emoji' | 'proposal' | 'variable'

/** A sign with the text that was typed after it. */
export interface Trigger {
  kind: CompletionKind
  /** The number of characters from the sign to the caret. */
  length: number
  /** The text after the sign, without white space around it. */
  query: string
}

/** In characters. No sign is looked for further away from the caret. */
const LONGEST_TRIGGER = 80

/** A sign within a word, such as that of an e-mail address, begins nothing. */
const START = String.raw`(?:^|[\s\uFFFC([{"'“‘«¿¡—–/])`
/** Chinese and Japanese have no spaces between words. */
const CJK_START = String.raw`(?:^|[\s\uFFFC([{"'“‘«¿¡—–/\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{P}])`

/** Keyboards for Chinese and Japanese type the full-width forms of the signs. */
const SIGNS: readonly (readonly [CompletionKind, RegExp])[] = [
  ['page', /(?:\[\[|［［|【【)([^[\]［］【】\n\uFFFC]*)$/u],
  ['variable', /(?:\{\{|｛｛)\s?([\p{L}\p{N}._]*)$/u],
  ['mention', new RegExp(String.raw`${CJK_START}[@＠]((?:[\p{L}\p{N}][\p{L}\p{M}\p{N} .'’_-]*)?)$`, 'u')],
  // One types a colon or a number sign for many reasons, so letters have to follow.
  ['emoji', new RegExp(String.raw`${START}[:：]([\p{L}\p{N}+-][\p{L}\p{M}\p{N}_+-]+)$`, 'u')],
  ['proposal', new RegExp(String.raw`${START}[#＃]([\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]*)$`, 'u')],
]

/**
 * Finds the sign that a text ends with. There is none after a backtick that begins code.
 * @param text of a line up to the caret; U+FFFC stands for what is no text
 */
export function triggerAtEnd(text: string): Trigger | undefined {
  if (text.split('`').length % 2 === 0) return undefined
  const end = text.slice(-LONGEST_TRIGGER)
  const found = SIGNS.flatMap(([kind, pattern]): Trigger[] => {
    const [all, typed = ''] = pattern.exec(end) ?? []
    if (all === undefined) return []
    // The space that may follow braces belongs to what is replaced. Before another sign, a match has one character more.
    const length = kind === 'variable' ? all.length : typed.length + (kind === 'page' ? 2 : 1)
    return [{ kind, length, query: typed.trim() }]
  })
  // A page that nobody has chosen, such as `[[a :smile`, does not hide the sign that was typed last.
  return found.toSorted((a, b) => a.length - b.length)[0]
}
