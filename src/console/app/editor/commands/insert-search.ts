/** Finds what one can insert by what was typed. */
import type { EditorState } from 'prosemirror-state'
import { type Insert, INSERT_GROUPS, type InsertGroup } from './insert-list.ts'
import { insertAny } from './inserts.ts'
import type { PlainId } from '../../words/message-ids.ts'

/** Whether something can be inserted at the caret. */
function canInsert({ run }: Insert, state: EditorState): boolean {
  if (run === 'image') return true
  // A template has headings and tables, which few blocks can hold.
  if (run === 'template') return state.selection.$from.depth === 1
  return typeof run === 'function' ? run(state) : insertAny(run)(state)
}

/**
 * The groups of what fits what was typed, those with the best match first.
 * @param say a text in English and in the language of the interface
 */
export function insertsFor(query: string, say: (id: PlainId) => string[], state: EditorState): InsertGroup[] {
  const wanted = query.trim().toLowerCase()
  const rankOf = (insert: Insert) => rank(insert, wanted, say)
  const byRank = (a: Insert, b: Insert) => rankOf(a) - rankOf(b)
  return INSERT_GROUPS.map(({ name, inserts }) => ({
    name,
    inserts: inserts.filter((one) => rankOf(one) < NO_MATCH && canInsert(one, state)).toSorted(byRank),
  }))
    .filter(({ inserts }) => inserts.length > 0)
    .toSorted((a, b) => byRank(a.inserts[0]!, b.inserts[0]!))
}

const NO_MATCH = 4

/** How well a kind fits: its name begins so, its name has it, another word for it begins so, or its explanation has it. */
function rank({ title, about, words }: Insert, wanted: string, say: (id: PlainId) => string[]): number {
  const titles = say(title).map((one) => one.toLowerCase())
  if (titles.some((one) => one.startsWith(wanted))) return 0
  if (titles.some((one) => one.includes(wanted))) return 1
  if (hasWord(words, wanted)) return 2
  return say(about).some((one) => hasWord(one, wanted)) ? 3 : NO_MATCH
}

/** Whether a word of a text begins so. Chinese has no spaces between words, so a word may begin anywhere. */
function hasWord(text: string, wanted: string): boolean {
  const boundary = /^\p{Script=Han}/u.test(wanted) ? '' : ' '
  return `${boundary}${text.toLowerCase()}`.includes(boundary + wanted)
}
