/** Which values can be given for a field, by the rules of the batch that sets such fields elsewhere. */
import { LONGEST, type MetaChange, readMeta } from '../batch-read.ts'
import { takenSlugs } from '../batch-place.ts'
import { BatchRefused } from '../batch-refused.ts'
import { isVariable, isVariableName } from '../repository/configuration.ts'
import { hasPath } from '../revision.ts'
import type { Conflict, Snapshot } from './model.ts'

/** The value as it is stored, null for none; or what is wrong with it. */
export type GivenValue = { readonly value: unknown } | { readonly fault: string }

/** Reads the content that is given for a field of a conflict. Fields not named here are settled by choosing a side. */
export function readFieldValue(conflict: Conflict, own: Snapshot, given: unknown): GivenValue {
  const { object, field = '' } = conflict
  const read = READERS[object]?.[field]
  if (!read) return fault(BY_SIDE)
  if (given === null) {
    const isNeeded = field === 'title' || field === 'slug' || field === 'name'
    return isNeeded ? fault('cannot be null') : { value: null }
  }
  return read(given, conflict, own)
}

type Read = (given: unknown, conflict: Conflict, own: Snapshot) => GivenValue

const fault = (what: string): GivenValue => ({ fault: what })

const text =
  (longest: number): Read =>
  (given) => {
    if (typeof given !== 'string' || given.trim() === '' || /[\r\n]/.test(given))
      return fault('must be a text of one line')
    if (given.length > longest) return fault(`may have ${longest} characters`)
    return { value: given.replace(/\s+/g, ' ').trim() }
  }

/** What a batch can say of a page too. */
const meta =
  (name: 'emoji' | 'icon' | 'description' | 'condition'): Read =>
  (given) => {
    if (typeof given !== 'string') return fault('must be a text')
    if (given.length > LONGEST[name]) return fault(`may have ${LONGEST[name]} characters`)
    return asInBatch(name, given)
  }

const flag: Read = (given) => {
  if (typeof given !== 'boolean') return fault('must be true or false')
  return { value: given || null }
}

const slug: Read = (given, { id }, { pages }) => {
  if (typeof given !== 'string' || given === '') return fault('must be a text')
  if (given.length > LONGEST.slug) return fault(`may have ${LONGEST.slug} characters`)
  const page = pages.get(id)
  if (page && hasPath(page) && takenSlugs(pages, pages.parent(id), id).has(given.toLowerCase()))
    return fault(`"${given}" is taken by another page there, or by what a site makes itself`)
  return asInBatch('slug', given)
}

function asInBatch(name: keyof MetaChange, given: string): GivenValue {
  try {
    return { value: readMeta({ [name]: given }, 0)[name] || null }
  } catch (error) {
    if (!(error instanceof BatchRefused)) throw error
    return fault(error.message)
  }
}

const tags: Read = (given) => {
  const isTag = (one: unknown) =>
    isObject(one) &&
    typeof one.tag === 'string' &&
    one.tag.trim() !== '' &&
    one.tag.length <= LONGEST_TAG &&
    (one.primary === undefined || one.primary === true) &&
    Object.keys(one).every((key) => key === 'tag' || key === 'primary')
  if (!Array.isArray(given) || given.length > MOST_TAGS || !given.every(isTag))
    return fault(`must be at most ${MOST_TAGS} of {"tag": "…", "primary": true}, "primary" being optional`)
  const read = (given as { tag: string }[]).map((one) => ({ ...one, tag: one.tag.trim() }))
  return { value: read.length === 0 ? null : read }
}

const LONGEST_TAG = 256
const MOST_TAGS = 100
const MOST_VARIABLES = 1000

const variables: Read = (given) => {
  const entries = isObject(given) ? Object.entries(given) : []
  const areRight = entries.every(([name, value]) => isVariableName(name) && isVariable(value))
  if (!isObject(given) || !areRight || entries.length > MOST_VARIABLES)
    return fault('must be variables by their names: texts of at most 256 characters, numbers or booleans')
  return { value: entries.length === 0 ? null : given }
}

const variable: Read = (given) =>
  isVariable(given)
    ? { value: given }
    : fault('must be a text of at most 256 characters, a number or a boolean')

const redirect: Read = (given) => {
  if (typeof given !== 'string' || given.trim() === '' || given.length > LONGEST_ADDRESS)
    return fault(`must be an address of at most ${LONGEST_ADDRESS} characters`)
  return { value: given.trim() }
}

const LONGEST_ADDRESS = 2048

const READERS: Partial<Record<Conflict['object'], Record<string, Read>>> = {
  page: {
    title: text(LONGEST.title),
    linkTitle: text(LONGEST.title),
    slug,
    emoji: meta('emoji'),
    icon: meta('icon'),
    description: meta('description'),
    condition: meta('condition'),
    hidden: flag,
    noIndex: flag,
    noRobotsIndex: flag,
    tags,
    variables,
  },
  'reusable-content': { title: text(LONGEST.title) },
  file: { name: text(LONGEST.fileName) },
  space: { variables: variable, redirects: redirect },
}

const FIELDS = new Set(Object.values(READERS).flatMap((one) => Object.keys(one)))

/** Says which conflicts take content. */
export const BY_SIDE = `this conflict is settled by choosing a side; content is taken for a block of a body and for the fields ${[...FIELDS].join(', ')}`

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
