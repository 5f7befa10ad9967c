/** Bodies that are forms or files. */
import { isRecord } from '../../data/is-record.ts'
import { exampleOf, type ExampleContext, isSent } from './example.ts'
import { givenExamples } from './example-text.ts'
import type { FormField } from '../samples/request.ts'
import { itemsOf, propertiesOf, resolveSchema } from './schema.ts'
import type { SpecSourceParts } from '../described.ts'
import { isFile } from './type-name.ts'

type Fields = Record<string, unknown>

const MOST_FIELDS = 100

/** The coding of a form: `form` is that of addresses; undefined for other media types. */
export function formOf(type: string): 'form' | 'multipart' | undefined {
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return 'form'
  return /^multipart\/form-data\b/i.test(type) ? 'multipart' : undefined
}

/** Whether a body of this media type is the bytes of a file. */
export function isFileBody(parts: SpecSourceParts, { schema }: Fields, type: string): boolean {
  if (formOf(type) !== undefined) return false
  return (
    isFile(resolveSchema(parts, schema).schema) ||
    /^(?:application\/octet-stream|image\/|audio\/|video\/)/i.test(type)
  )
}

/** The schema of a body, in which the files of a form have the media types that its encoding allows. */
export function schemaOfMedia(parts: SpecSourceParts, media: Fields, type: string): unknown {
  const { schema: given, encoding } = media
  if (formOf(type) === undefined || !isRecord(encoding)) return given
  const { schema } = resolveSchema(parts, given)
  const files: Fields = {}
  for (const { name, schema: field } of propertiesOf(parts, schema)) {
    const own = Object.hasOwn(encoding, name) ? encoding[name] : undefined
    if (!isRecord(own) || typeof own['contentType'] !== 'string') continue
    const { schema: resolved } = resolveSchema(parts, field)
    const items = itemsOf(resolved)
    const typed = (one: Fields) => ({ ...one, contentMediaType: own['contentType'] })
    if (isFile(resolved)) files[name] = typed(resolved)
    else if (items !== undefined) {
      const { schema: item } = resolveSchema(parts, items)
      if (isFile(item)) files[name] = { ...resolved, items: typed(item) }
    }
  }
  if (Object.keys(files).length === 0) return given
  return {
    ...schema,
    properties: { ...(isRecord(schema['properties']) ? schema['properties'] : {}), ...files },
  }
}

/** The fields of a form, with the values of its example or with made up ones. */
export function formFields(media: Fields, type: string, context: ExampleContext): FormField[] {
  const { parts } = context
  const [first] = givenExamples(parts, media)
  const given = isRecord(first?.value) ? first.value : {}
  const { schema } = resolveSchema(parts, schemaOfMedia(parts, media, type))
  const fields = propertiesOf(parts, schema)
    .slice(0, MOST_FIELDS)
    .flatMap(({ name, schema: own }): FormField[] => {
      const { schema: resolved } = resolveSchema(parts, own)
      if (!isSent(resolved, context.direction)) return []
      const items = itemsOf(resolved)
      const file = [resolved, items === undefined ? {} : resolveSchema(parts, items).schema].find(isFile)
      if (file) return [{ name, type: onlyType(file) }]
      const value = Object.hasOwn(given, name) ? given[name] : exampleOf(context, own)
      return sentTexts(value).map((text) => ({ name, text }))
    })
  if (fields.length > 0) return fields
  return Object.entries(given).flatMap(([name, value]) => sentTexts(value).map((text) => ({ name, text })))
}

/** A list is sent as several fields of one name. */
function sentTexts(value: unknown): string[] {
  if (value === null || value === undefined) return []
  const values = Array.isArray(value) ? (value as unknown[]) : [value]
  return values.map((one) => (typeof one === 'string' ? one : (JSON.stringify(one) ?? '')))
}

/** The media type of a file, if it is only one. */
function onlyType({ contentMediaType: type }: Fields): string | undefined {
  const isOne = typeof type === 'string' && /^[\w.+-]+\/[\w.+-]+$/.test(type)
  return isOne && type !== 'application/octet-stream' ? type : undefined
}
