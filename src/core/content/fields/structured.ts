/** The rules for page fields that are more than a text or a flag: tags, variables, layout, cover and target. */
import { isRecord } from '../../data/is-record.ts'
import { addressFault, conditionFault } from '../../document/markdown/hiding-tags.ts'
import { readers, ShapeFault } from '../../document/shape/shape.ts'
import type { ContentRef, PageLayout, PageMeta } from '../../document/model.ts'
import { isAbsoluteAddress, isWebAddress } from '../../text/file-paths.ts'
import { given } from './given.ts'
import { isVariable, isVariableName } from './variable.ts'
import { because } from '../../languages/reasons.ts'
import { faultParameters, reasonFields, type Reasoned } from '../../languages/reasoned.ts'

/** The value to store, null for none; or the reason why it is invalid. */
export type GivenValue = { readonly value: unknown } | { readonly fault: Reasoned }

/** The most of each that a page or a space may have, and the most characters of a tag and of an address. */
export const STRUCTURED_LIMITS = { tags: 100, tag: 256, variables: 1000, address: 2048 } as const

/** The settings of a layout. A batch changes only those that it sends. */
const LAYOUT = [
  'width',
  'cover',
  'coverSize',
  'coverMask',
  'title',
  'description',
  'tableOfContents',
  'outline',
  'pagination',
  'metadata',
  'tags',
  'actions',
  'anchors',
] as const satisfies (keyof PageLayout)[]

type Cover = NonNullable<PageMeta['cover']>

/** Reads the tags of a page. Each is a text, or a reference to it as pages have it in responses. */
export function readGivenTags(value: unknown): GivenValue {
  const sent = Array.isArray(value) ? value.map(withTagText) : value
  const isTag = (one: unknown) =>
    isRecord(one) &&
    typeof one.tag === 'string' &&
    one.tag.trim() !== '' &&
    one.tag.length <= STRUCTURED_LIMITS.tag &&
    (one.primary === undefined || typeof one.primary === 'boolean') &&
    Object.keys(one).every((key) => key === 'tag' || key === 'primary')
  if (!Array.isArray(sent) || sent.length > STRUCTURED_LIMITS.tags || !sent.every(isTag))
    return {
      fault: because('not-tags', { limit: STRUCTURED_LIMITS.tags, shape: '{"tag": "…", "primary": true}' }),
    }

  for (const { tag } of sent as { tag: string }[]) {
    const fault = conditionFault(tag)
    if (fault !== undefined) return { fault }
  }
  const read = (sent as { tag: string; primary?: boolean }[]).map(({ tag, primary }) => ({
    tag: tag.trim(),
    ...(primary && { primary }),
  }))
  return { value: read.length === 0 ? null : read }
}

/** A given tag whose reference is replaced by the tag that it names. */
function withTagText(one: unknown): unknown {
  if (!isRecord(one) || !isRecord(one.tag) || one.tag.kind !== 'tag') return one
  return { ...one, tag: one.tag.tag }
}

/** Why a value cannot be that of a variable, as the end of a sentence; undefined if it can. */
export function variableFault(value: unknown): Reasoned | undefined {
  if (!isVariable(value)) return because('variable-value-invalid')
  return typeof value === 'string' ? conditionFault(value) : undefined
}

/** Reads variables by their names. */
export function readGivenVariables(sent: unknown): GivenValue {
  if (!isRecord(sent)) return { fault: because('not-variables') }
  const entries = Object.entries(sent)
  if (entries.length > STRUCTURED_LIMITS.variables)
    return { fault: because('too-many-variables', { limit: STRUCTURED_LIMITS.variables }) }
  for (const [name, value] of entries) {
    if (!isVariableName(name)) return { fault: because('variable-name-not-allowed', { name }) }
    const fault = variableFault(value)
    if (fault !== undefined) return { fault: partFault(name, fault) }
  }
  return { value: entries.length === 0 ? null : sent }
}

const partFault = (name: string, fault: Reasoned) =>
  because('part-refused', { name, ...faultParameters(fault) })

/** Reads the settings of a layout, without fields that are none. */
export function readGivenLayout(sent: PageLayout): GivenValue {
  const value = given(sent, LAYOUT)
  const [unknown] = Object.keys(sent)
  // Newer clients may send settings that this server does not know beside those that it knows.
  if (unknown === undefined || Object.keys(value).length > 0) return { value }
  return { fault: because('layout-setting-unknown', { name: unknown, names: LAYOUT.join(', ') }) }
}

/** Reads a cover, whose images are files of the space or URLs. */
export function readGivenCover({ ref, refDark, yPos = 0, height }: Partial<Cover>): GivenValue {
  if (ref === undefined && refDark === undefined) return { fault: because('cover-without-picture') }
  const cover: Cover = { yPos, ...(height === undefined ? {} : { height }) }
  for (const [name, one] of Object.entries(given({ ref, refDark }, ['ref', 'refDark']))) {
    const read = readImage(one)
    if ('fault' in read) return { fault: partFault(name, read.fault) }
    Object.assign(cover, { [name]: read.value })
  }
  return { value: cover }
}

function readImage(sent: ContentRef): GivenReference {
  const read = readReference(sent)
  if ('fault' in read) return read
  const { value: ref } = read
  if (ref.kind !== 'url') return ref.kind === 'file' ? read : { fault: because('not-file-or-url') }
  const isForeign = isAbsoluteAddress(ref.url) && !isWebAddress(ref.url)
  if (isForeign) return { fault: because('not-picture-url') }
  const fault = addressFault(ref.url)
  return fault === undefined ? read : { fault }
}

/** The schemes that the target of a link page can have. */
const LINKED = /^(?:https?:\/\/|mailto:|tel:)/i

/** Reads the target of a link page. */
export function readGivenTarget(sent: ContentRef): GivenValue {
  const read = readReference(sent)
  if ('fault' in read || read.value.kind !== 'url') return read
  const { url } = read.value
  if (url.trim() === '') return { fault: because('target-without-url') }
  if (isAbsoluteAddress(url) && !LINKED.test(url)) return { fault: because('not-link-target') }
  const fault = addressFault(url)
  return fault === undefined ? read : { fault }
}

type GivenReference = { readonly value: ContentRef } | { readonly fault: Reasoned }

/** The reference with the fields of its kind. */
function readReference(sent: ContentRef): GivenReference {
  try {
    const ref = readers.ref(sent, '') as ContentRef
    const isLong = Object.values(ref).some((text) => text.length > STRUCTURED_LIMITS.address)
    return isLong
      ? { fault: because('reference-too-long', { limit: STRUCTURED_LIMITS.address }) }
      : { value: ref }
  } catch (error) {
    if (!(error instanceof ShapeFault)) throw error
    const name = error.path.slice(1)
    const why = reasonFields(error)
    return { fault: name === '' ? why : because('value-refused', { name, ...faultParameters(why) }) }
  }
}
