/** Finds the entry of a conflict in the front matter of a source, and replaces it. */
import { yaml } from '../../runtime/libraries.ts'

import { FRONT_MATTER_LIMITS, frontMatterEnd } from '../../document/front-matter/front-matter.ts'
import { yamlProblem } from '../../yaml/problem.ts'
import { parseYaml } from '../../yaml/read.ts'
import { entriesOf } from './entries.ts'
import { isBlankUnit, withoutBreak } from '../body-units.ts'
import type { Reasoned } from '../../languages/reasoned.ts'
import { because } from '../../languages/reasons.ts'

/**
 * Returns the source with `wanted` in place of the entry `own`; null means no entry. Returns undefined if the entry has
 * changed.
 */
export function replaceEntry(
  source: string,
  key: string,
  own: string | null,
  wanted: string,
  newline: string,
): string | undefined {
  const start = source.startsWith('\ufeff') ? 1 : 0
  const end = frontMatterEnd(source)
  const { opening, entries, closing } = entriesOf(source.slice(start, end))
  const present = entries.get(key) ?? ''
  if ((isBlankUnit(present) ? null : withoutBreak(present)) !== own) return undefined
  if (isBlankUnit(present) && wanted === '') return source

  const next = new Map(entries)
  if (wanted === '') next.delete(key)
  else next.set(key, wanted + newline)
  // Comments after the last key stay last. Elsewhere they would become comments of another key.
  const last = next.get('') ?? ''
  next.delete('')
  const text = [...next.values(), last].join('')
  if (text === '') return source.slice(0, start) + source.slice(end).replace(/^(?:[ \t]*\r?\n)+/, '')
  const rest = source.slice(end)
  if (opening === '') return `${source.slice(0, start)}---${newline}${text}---${newline}${newline}${rest}`
  return source.slice(0, start) + opening + text + closing + rest
}

/** Why the given text cannot be the entry of a key, if it cannot. The key '' holds the comments after the last key. */
export function faultOfEntry(text: string, key: string): Reasoned | undefined {
  if (text.length > LONGEST) return because('content-too-long', { limit: LONGEST })
  const [name = ''] = [...entriesOf(`---\n${text}\n---\n`).entries.keys()].filter((one) => one !== '')
  const wanted =
    name !== '' && key.startsWith(`${name} `) ? `${name}${key.slice(key.lastIndexOf(' '))}` : name
  const isOne = key === '' ? isComment(text) : wanted === key && holdsOnly(text, name)
  if (isOne && !FENCE.test(text)) return undefined
  return key === '' ? because('content-not-comments') : because('content-not-key', { key })
}

const LONGEST = 10_000
const FENCE = /^(?:---|\.\.\.)/m

function isComment(text: string): boolean {
  return text.split(/\r?\n/).every((line) => line.trim() === '' || line.startsWith('#'))
}

function holdsOnly(text: string, name: string): boolean {
  if (yamlProblem(text, FRONT_MATTER_LIMITS) !== undefined) return false
  const { contents, errors } = parseYaml(text)
  if (errors.length > 0 || !yaml().isMap(contents)) return false
  const [item, ...others] = contents.items
  return others.length === 0 && yaml().isScalar(item?.key) && String(item.key.value) === name
}
