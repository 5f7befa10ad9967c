/**
 * Finds what a page still shows although it can only have been meant as a condition: the last net below the readers of
 * tags, which know the spellings that hide something. It looks at the texts that are left, whatever their brackets are.
 */
import { checkExpression } from '../../expression/check.ts'
import { decodeEntities } from '../markdown/entities.ts'
import { namesCondition, readsVariable, VARIABLE } from '../markdown/tag-words.ts'
import { isCondition, isConditionName, isTextName } from '../markdown/tags.ts'

/** Searches from the beginning, whatever other readers of variables have read. */
const VARIABLES = new RegExp(VARIABLE.source, 'giu')
/** The words with which template languages begin or end a condition. */
const WORD =
  '(?:(?:show|hide|visible|display|only|not|end|else)[-_ ]?)?(?:if(?:n?def|not|eval|eq)?|elif|else?if|unless|endif|endunless|when|case|switch|only|show|hide|visible)(?![\\p{L}\\p{N}_]|-\\p{L})'
/** A sign that sentences do not have before a word. */
const SIGN =
  '(?:[^\\s\\p{L}\\p{N}\\p{Pd}\\p{Pe}\\p{Pf}.,;:!?\'"…\\ufffc]\\s{0,3}|[:!?/.]{2,}\\s{0,2}|(?<![^\\s])[:!?])'
const SIGNED_WORD = new RegExp(`${SIGN}[-~#@]{0,2}${WORD}[^\\n]{0,200}$`, 'iu')
/** A bracket that is not closed, and the text behind it. */
const OPEN_BRACKET = /[\p{Ps}\p{Pi}<][^\n]*$/u
const BALANCED = /\([^()\n]*\)|\[[^[\]\n]*\]|\{[^{}\n]*\}/g
const BRACES = /^[{\uff5b]/u
/** The value of a variable as template languages print it, which is no condition. */
const VALUE = [
  /^[{\uff5b]{1,3}[-~=&]?\s*$/u,
  /^[\w.?$]+(?:\[["']?[^"'[\]]{1,60}["']?\][\w.?$]*)*\s*(?:\|(?!\|)[^{}]*)?[-~]?[}\uff5d]/u,
] as const
const PARENTHESIS = /^[(\uff08]/u
const BEGINS_WITH_WORD = new RegExp(`^[^\\s\\p{L}]{1,3}\\s{0,3}[^\\s\\p{L}]{0,3}\\s{0,3}${WORD}`, 'iu')
/** A directive of other markup languages, such as `:::only` or `ifdef::`. */
const DIRECTIVE = /^\s*(?::{2,}|\.\.\s|\p{L}+::)/u
const NAMED = new RegExp(`(?:^|[\\s\\p{Ps}])${WORD}\\s{0,3}=\\s{0,3}["']?$`, 'iu')
/** The word before a condition, and what sentences do not have behind one. */
const [LAST_WORD, GOES_ON] = [
  /\b(?:if|unless|when)\s{0,3}[!(]{0,3}$/i,
  /^[^\n{}]{0,80}?(?:\bthen\b|\{|\)\s?:|[}\uff5d])/iu,
]
const PERCENT = /[%\uff05](?!=)/u
const OPERATOR = /^[\w.?$[\]"']*\s{0,3}(?:[=!]==?|&&|\|\||\?(?!\.)|[<>]=?|\bis\b|\bin\b)/u
/** A line of a text that is a condition alone. */
const WORD_FIRST = new RegExp(
  `^\\s*(?:[-*+>{]\\s+)?["'*]{0,3}(?<word>${WORD})["'*]{0,3}\\s*[:=\uff1a]{0,2}(?<rest>[^\\n]*)$`,
  'iu',
)
const THEN = /\s*(?:\{|:|\bthen)\s*$/iu
/** Tags of conditions in brackets that no sentence has, also without a variable. */
const TAG = new RegExp(
  [
    `[{\uff5b]{1,3}[^\\s\\p{L}\\p{N}"'{]{0,3}\\s{0,3}${WORD}(?=[\\s(!])[^{}\\n]{1,100}[}\uff5d]`,
    `[\\p{Ps}\\p{Pi}<]\\s{0,3}[%\uff05#@?][-~=]?\\s{0,3}${WORD}(?=[\\s(!])`,
    `(?<![\\p{L}\\p{N}_.])@(?:if|else|elseif|endif|unless|endunless)(?![\\p{L}\\p{N}_.-])`,
    `(?<![^\\n]):{2,}\\s{0,3}\\{?(?:if|unless|when)(?![\\p{L}\\p{N}_-])`,
    `\\[{1,2}(?:if|unless|else ?if|elif)\\s[^\\]\\n]{0,100}?(?:[=!]=|&&|\\|\\|)[^\\]\\n]{0,100}\\]`,
    '[\u3008\u300a\u300c\u300e\u3010\u3014\u3016]\\s{0,3}[/#]?(?:if|unless|else ?if|elif|endif)(?![\\p{L}\\p{N}_-])',
  ].join('|'),
  'giu',
)
/** The most characters around a variable that are looked at. */
const AROUND = 120
/** The most parts of one text that are found. */
const MOST = 20

/** A tag that its author has written as text, with a backslash or references: otherwise it would hide something. */
const ESCAPED_TAG = /[{\uff5b][%\uff05][^{}\n]{0,200}[%\uff05][}\uff5d]/gu

/** The parts of a text that readers see, without its code, that can only have been meant as conditions. */
export function meantConditions(written: string): string[] {
  const text = written.replace(ESCAPED_TAG, ' ')
  const found: string[] = []
  for (const { index, 0: variable } of text.matchAll(VARIABLES)) {
    if (found.length === MOST) return found
    const from = text.slice(Math.max(0, index - AROUND), index)
    const before = from.slice(from.lastIndexOf('\n') + 1)
    const to = text.slice(index, index + variable.length + AROUND)
    const [after = ''] = to.split('\n', 1)
    if (readsVariable(after) && isMeant(before, after)) found.push(shownPart(before, after))
  }
  for (const { 0: tag } of text.matchAll(TAG)) {
    if (found.length === MOST) return found
    if (!namesCondition(tag)) found.push(tag.trim())
  }
  return found
}

/** Whether a variable is used as in a condition by the text before it and behind it in its line. */
function isMeant(before: string, after: string): boolean {
  const plain = before.normalize('NFKC')
  const open = plain.replace(BALANCED, '').replace(BALANCED, '')
  if (SIGNED_WORD.test(open) || isConditionLine(plain + after)) return true
  if (DIRECTIVE.test(plain) || (LAST_WORD.test(plain) && GOES_ON.test(after))) return true
  const [inside] = OPEN_BRACKET.exec(open) ?? []
  if (inside === undefined) return false
  if (BRACES.test(inside)) return !(VALUE[0].test(inside) && VALUE[1].test(after))
  if ([BEGINS_WITH_WORD, PERCENT, NAMED].some((one) => one.test(inside))) return true
  return !PARENTHESIS.test(inside) && /^.{1,2}\s*[!(]*$/u.test(inside) && OPERATOR.test(after)
}

/** Whether a line is a condition and nothing else, such as `if visitor.claims.a` or `if (visitor.claims.a) {`. */
export function isConditionLine(line: string): boolean {
  const { word = '', rest = '' } = WORD_FIRST.exec(line)?.groups ?? {}
  if (word === '' || !readsVariable(rest)) return false
  const expression = rest
    .replace(/^[\s*]{1,5}/, '')
    .replace(/[\s,}]{1,9}$/, '')
    .replace(THEN, '')
  return checkExpression(expression.replaceAll(/[“”]/g, '"').trim()).ok
}

/** The text around a variable from the first sign that a sentence does not have, up to its bracket. */
function shownPart(before: string, after: string): string {
  const near = before.slice(-40)
  const begin = near.search(/[^\s\p{L}\p{N}.,;!?'"-][^.,;]*$/u)
  const [end = after.slice(0, 40)] = /^.{0,40}?[\p{Pe}\p{Pf}>]{1,2}/u.exec(after) ?? []
  return ((begin === -1 ? near : near.slice(begin)) + end).trim()
}

/** The tag of an element, or a comment or instruction of HTML. */
const ELEMENT =
  /<!--[^]{0,200}?-->|<[?!][^<>\n]{1,200}>|<[a-z][\w.:-]{0,40}(?:\s[^<>]{1,1000}|\s?=[^<>]{1,1000})>/giu
const ATTRIBUTE =
  /([^\s"'<>/={}]{1,40})\s{0,3}=\s{0,3}(?:"([^"]{0,400})"|'([^']{0,400})'|\{([^{}]{0,400})\}|([^\s"'<>{}]{1,400}))/gu
const COMMENT = new RegExp(`^<(?:!|\\?)[^\\p{L}]{0,8}(?:php\\s)?${WORD}`, 'iu')

/** The elements, comments and instructions in HTML that can only have been meant as conditions. */
export function meantElements(html: string): string[] {
  const found: string[] = []
  for (const { 0: element } of html.matchAll(ELEMENT)) {
    if (found.length === MOST) break
    if (isMeantElement(element)) found.push(element)
  }
  return found
}

function isMeantElement(element: string): boolean {
  if (/^<[!?]/.test(element)) return COMMENT.test(element) && readsVariable(element)
  let bare = element
  for (const [whole, name = '', ...values] of element.matchAll(ATTRIBUTE)) {
    const value = decodeEntities(values.find((one) => one !== undefined) ?? '')
    if (isCondition(name, value) && (readsVariable(value) || isConditionName(name))) return true
    if (isTextName(name)) bare = bare.replace(whole, '')
  }
  return readsVariable(bare)
}

/** A definition of a link that serves as a comment. */
const LINE_COMMENT = /^[ \t>]{0,40}\[[^[\]\r\n]{1,40}\]:[ \t]*(?:#|<>)[ \t]*["'(]?(?<words>[^\r\n]{0,200})/gmu
const BEGINS_WITH_CONDITION = new RegExp(`^[^\\p{L}]{0,4}${WORD}`, 'iu')

/** The comments in the form of definitions of links that can only have been meant as conditions. */
export function meantComments(source: string): string[] {
  return [...source.matchAll(LINE_COMMENT)].flatMap(({ 0: line, groups }) => {
    const words = groups?.words ?? ''
    return BEGINS_WITH_CONDITION.test(words) && readsVariable(words) ? [line.trim()] : []
  })
}
