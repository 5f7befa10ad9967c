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
  if (!read) return fault(contentRefused())
  if (given === null) {
    const isNeeded = field === 'title' || field === 'slug' || field === 'name'
    return isNeeded ? fault(because('field-needed')) : { value: null }
  }
  return read(given, place, pages)
}

type Read = (given: unknown, place: FieldPlace, pages: PageTree) => GivenValue

const fault = (why: Reasoned): GivenValue => ({ fault: why })

const text =
  (longest: number): Read =>
  (given) => {
    if (typeof given !== 'string' || given.trim() === '' || /[\r\n]/.test(given))
      return fault(because('not-one-line'))
    if (given.length > longest)
      return fault(because('field-too-long', { limit: longest, size: given.length }))
    const condition = conditionFault(given)
    return condition === undefined ? { value: given.replace(/\s+/g, ' ').trim() } : fault(condition)
  }

/** The page fields that a batch can set too. */
const meta =
  (name: 'emoji' | 'icon' | 'description' | 'condition'): Read =>
  (given) => {
    if (typeof given !== 'string') return fault(because('field-not-text'))
    if (given.length > FIELD_LENGTHS[name])
      return fault(because('field-too-long', { limit: FIELD_LENGTHS[name], size: given.length }))
    return asInBatch(name, given)
  }

const flag: Read = (given) => {
  if (typeof given !== 'boolean') return fault(because('not-flag'))
  return { value: given || null }
}

const slug: Read = (given, { id }, pages) => {
  if (typeof given !== 'string' || given === '') return fault(because('field-not-text'))
  if (given.length > FIELD_LENGTHS.slug)
    return fault(because('field-too-long', { limit: FIELD_LENGTHS.slug, size: given.length }))
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
    return fault(because('not-address', { limit: STRUCTURED_LIMITS.address }))
  const target = given.trim()
  if (isAbsoluteAddress(target) && !isWebAddress(target))
    return fault(because('not-redirect-target', { value: JSON.stringify(target) }))
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

/** Why a conflict that does not accept content is not resolved with it. */
export const contentRefused = () => because('conflict-without-content', { names: [...FIELDS].join(', ') })
