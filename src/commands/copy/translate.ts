/** Translates the ids in addresses and references from the source to the target. */
import { isRecord } from '../../core/data/is-record.ts'
import type { Journal } from './journal.ts'
import { someText } from './json.ts'

/** The key of a page, file or reusable content in the state file. Copies of spaces may share ids. */
export const contentKey = (space: string, id: string): string => `${space}/${id}`

const ID = '([0-9a-zA-Z_-]{1,64})(?![0-9a-zA-Z_-])'
const ADDRESS = new RegExp(
  `(?:/spaces/${ID})?/(pages|files|reusable-contents)/${ID}|/(spaces|collections|users)/${ID}`,
  'g',
)
const KINDS: Record<string, string> = {
  pages: 'page',
  files: 'file',
  'reusable-contents': 'reusable',
  spaces: 'space',
  collections: 'collection',
  users: 'user',
}

/** Translates what is in one space of the source. */
export interface Translation {
  journal: Journal
  /** The id of the space in the source. */
  space: string
}

/** A text with the addresses of the target: `/pages/<id>` and the like. Unknown ids stay. */
export function translateText(text: string, { journal, space }: Translation): string {
  return text.replace(
    ADDRESS,
    (address, within?: string, kind?: string, id?: string, placeKind?: string, place?: string) => {
      if (placeKind !== undefined && place !== undefined) {
        const found = journal.target(KINDS[placeKind] ?? '', place)
        return found === undefined ? address : `/${placeKind}/${found}`
      }
      const found = journal.target(KINDS[kind ?? ''] ?? '', contentKey(within ?? space, id ?? ''))
      if (found === undefined) return address
      const before = within === undefined ? '' : `/spaces/${journal.target('space', within) ?? within}`
      return `${before}/${kind}/${found}`
    },
  )
}

/** Whether a text has addresses of ids that `translateText` may change although its own space is known. */
export function hasAddresses(text: string): boolean {
  return text.search(ADDRESS) !== -1
}

const REFERRED: Record<string, string> = { page: 'page', file: 'file', reusableContent: 'reusable' }
const PLACES: Record<string, string> = { space: 'space', user: 'user', collection: 'collection' }

/** A document, a reference or a setting with the ids of the target. */
export function translateJson(value: unknown, translation: Translation): unknown {
  if (Array.isArray(value)) return (value as unknown[]).map((item) => translateJson(item, translation))
  if (!isRecord(value)) return value
  if (typeof value.kind === 'string') return translateReference(value, translation)
  if (isRecord(value.definition) && isRecord(value.records)) return translateTable(value, translation)
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name === 'url' && typeof item === 'string'
        ? translateText(item, translation)
        : translateJson(item, translation),
    ]),
  )
}

function translateReference(ref: Record<string, unknown>, { journal, space }: Translation): unknown {
  const within = someText(ref.space) ?? space
  const translated = Object.entries(ref).map(([name, id]) => {
    if (typeof id !== 'string') return [name, id]
    const kind = REFERRED[name]
    if (kind !== undefined) return [name, journal.target(kind, contentKey(within, id)) ?? id]
    const placeKind = PLACES[name]
    if (placeKind !== undefined) return [name, journal.target(placeKind, id) ?? id]
    return [name, name === 'url' ? translateText(id, { journal, space }) : id]
  })
  return Object.fromEntries(translated)
}

/** The data of a table: cells of files and users are lists of ids, which only the column shows. */
function translateTable(data: Record<string, unknown>, translation: Translation): unknown {
  const { definition, records, ...others } = data as { definition: object; records: object }
  const types = new Map(
    Object.entries(definition).map(([column, shape]) => [column, isRecord(shape) ? shape.type : undefined]),
  )
  const { journal, space } = translation
  const cell = (column: string, value: unknown) => {
    const type = types.get(column)
    if (!Array.isArray(value) || (type !== 'files' && type !== 'users'))
      return translateJson(value, translation)
    return (value as unknown[]).map((id) => {
      if (typeof id !== 'string') return id
      const found =
        type === 'users' ? journal.target('user', id) : journal.target('file', contentKey(space, id))
      return found ?? id
    })
  }
  const rows = Object.entries(records).map(([id, record]) => {
    if (!isRecord(record) || !isRecord(record.values)) return [id, record]
    const values = Object.entries(record.values).map(([column, value]) => [column, cell(column, value)])
    return [id, { ...record, values: Object.fromEntries(values) }]
  })
  return {
    ...(translateJson(others, translation) as object),
    definition,
    records: Object.fromEntries(rows),
  }
}
