/** Finds the conditions among the fields of front matter. A sentence that only names a variable of conditions is none. */
import { FIELD, hasMeantLine, TOP_FIELD } from './front-matter-condition.ts'
import { namesCondition, readsVariable, VARIABLE } from '../markdown/tag-words.ts'
import { isConditionName, isTextName } from '../markdown/tags.ts'

/** A string without the other sign of a string in it. */
const STRING = /"[^"\r\n]*"|'[^'\r\n]*'/g
/** The rest of a variable, such as `claims.plan` of `visitor.claims.plan`. */
const PATH = /^[^\s,;!?)]*/
const MARK = /`|\*\*|<[a-z/]/i
/** A word that is no name of a field, a property or a method. */
const WORD = /(?<![\p{L}\p{N}_.])\p{L}[\p{L}'’-]*(?![\p{L}\p{N}_.([]|\s*[:=])/gu
const LONE_WORD = /^\p{L}[\p{L}'’-]*[.,;!?]?$/u
/** Words that conditions have, also those of other languages. */
const OPERATORS = new Set(
  'and or not is in if unless when only typeof instanceof equals contains true false null undefined'.split(
    ' ',
  ),
)

/**
 * Whether lines with keys have a field that can only have been meant as a condition: by its name, or because its value reads a
 * variable and is no sentence.
 */
export function hasConditionField(text: string): boolean {
  if (hasMeantLine(text, namesCondition)) return true
  let named = ''
  for (const line of text.split(/\r\n?|\n/)) {
    named = TOP_FIELD.exec(line)?.[1] ?? named
    const [start = '', inner = named] = FIELD.exec(line) ?? []
    const value = line.slice(start.length)
    const isMeant = [named, inner].some(isConditionName)
    if (isMeant ? namesCondition(value) : !isTextName(named) && readsVariable(value) && !isSentence(value))
      return true
  }
  return false
}

/** Whether a value that names a variable has other words before it, or two of them one after another behind it. */
function isSentence(value: string): boolean {
  const at = value.search(VARIABLE)
  const before = value.slice(0, at).replace(STRING, '""')
  if (MARK.test(before) || (before.match(WORD) ?? []).some((word) => !isOperator(word))) return true
  const after = value.slice(at).replace(PATH, '').replace(STRING, '""')
  const words = after.split(/\s+/).map((one) => LONE_WORD.test(one) && !isOperator(one))
  return words.some((isWord, i) => isWord && words[i + 1] === true)
}

const isOperator = (word: string) => OPERATORS.has(word.toLowerCase())
