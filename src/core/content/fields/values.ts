/** The values that a caller can give for a field of a conflict. Batches use the same rules. */
import { FIELD_LENGTHS, type MetaChange, readPageFields } from './page.ts'
import {
  type GivenValue,
  readGivenTags,
  readGivenVariables,
  STRUCTURED_LIMITS,
  variableFault,
} from './structured.ts'
import { conditionFault } from '../../document/markdown/hiding-tags.ts'
import { takenSlugs } from '../tree/rules.ts'
import type { PageTree } from '../tree/tree.ts'
import { isAbsoluteAddress, isWebAddress } from '../../text/file-paths.ts'
import { hasPath } from '../revision.ts'
import type { Reasoned } from '../../languages/reasoned.ts'
import { because } from '../../languages/reasons.ts'

/** The field that a value is given for. */
export interface FieldPlace {
  readonly object: 'page' | 'file' | 'reusable-content' | 'space'
  readonly id: string
  readonly field?: string
}

/** Reads the given content for a field of a conflict. A conflict in any other field is resolved by choosing a side. */
export function readFieldValue(place: FieldPlace, pages: PageTree, given: unknown): GivenValue {
  const { object, field = '' } = place
  const read = READERS[object]?.[field]
  if (!read) return fault(BY_SIDE)
  if (given === null) {
    const isNeeded = field === 'title' || field === 'slug' || field === 'name'
    return isNeeded ? fault('cannot be null') : { value: null }
  }
  return read(given, place, pages)
}

type Read = (given: unknown, place: FieldPlace, pages: PageTree) => GivenValue

const fault = (what: Reasoned | string): GivenValue => ({ fault: what })

const text =
  (longest: number): Read =>
  (given) => {
    if (typeof given !== 'string' || given.trim() === '' || /[\r\n]/.test(given))
      return fault('must be one line of text that is not empty')
    if (given.length > longest)
      return fault(`can have at most ${longest} characters, but has ${given.length}`)
    const condition = conditionFault(given)
    return condition === undefined ? { value: given.replace(/\s+/g, ' ').trim() } : fault(condition)
  }

/** The page fields that a batch can set too. */
const meta =
  (name: 'emoji' | 'icon' | 'description' | 'condition'): Read =>
  (given) => {
    if (typeof given !== 'string') return fault('must be a string')
    if (given.length > FIELD_LENGTHS[name])
      return fault(`can have at most ${FIELD_LENGTHS[name]} characters, but has ${given.length}`)
    return asInBatch(name, given)
  }

const flag: Read = (given) => {
  if (typeof given !== 'boolean') return fault(because('not-flag'))
  return { value: given || null }
}

const slug: Read = (given, { id }, pages) => {
  if (typeof given !== 'string' || given === '') return fault('must be a string')
  if (given.length > FIELD_LENGTHS.slug)
    return fault(`can have at most ${FIELD_LENGTHS.slug} characters, but has ${given.length}`)
  const page = pages.get(id)
  if (page && hasPath(page) && takenSlugs(pages, pages.parent(id), id).has(given.toLowerCase()))
    return fault(because('slug-taken', { slug: given }))
  return asInBatch('slug', given)
}

function asInBatch(name: keyof MetaChange, given: string): GivenValue {
  const read = readPageFields({ [name]: given })
  return 'fault' in read ? fault(read.fault) : { value: read.fields[name] || null }
}

const variable: Read = (given) => {
  const problem = variableFault(given)
  return problem === undefined ? { value: given } : fault(problem)
}

const redirect: Read = (given) => {
  if (typeof given !== 'string' || given.trim() === '' || given.length > STRUCTURED_LIMITS.address)
    return fault(`must be an address of at most ${STRUCTURED_LIMITS.address} characters`)
  const target = given.trim()
  if (isAbsoluteAddress(target) && !isWebAddress(target))
    return fault(`must be a path of a page or a URL with http or https, but was ${JSON.stringify(target)}`)
  return { value: target }
}

const READERS: Partial<Record<FieldPlace['object'], Record<string, Read>>> = {
  page: {
    title: text(FIELD_LENGTHS.title),
    linkTitle: text(FIELD_LENGTHS.linkTitle),
    slug,
    emoji: meta('emoji'),
    icon: meta('icon'),
    description: meta('description'),
    condition: meta('condition'),
    hidden: flag,
    noIndex: flag,
    noRobotsIndex: flag,
    tags: readGivenTags,
    variables: readGivenVariables,
  },
  'reusable-content': { title: text(FIELD_LENGTHS.title) },
  file: { name: text(FIELD_LENGTHS.fileName) },
  space: { variables: variable, redirects: redirect },
}

const FIELDS = new Set(Object.values(READERS).flatMap((one) => Object.keys(one)))

/** The message for a conflict that does not accept content. */
export const BY_SIDE = `this conflict does not accept content; send a side. Content is accepted for blocks of a body and for the fields ${[...FIELDS].join(', ')}`
