/** Describes schemas: their fields, variants and items, with their rules. */
import { block, type InlineRun, line, paragraph } from '../../document/build.ts'
import { withoutHidden } from '../../document/markdown/hiding-tags.ts'
import type { Block } from '../../document/model.ts'
import { append } from '../../data/lists.ts'
import { isRecord } from '../../data/is-record.ts'
import { bold, code, folded, plain, said } from './blocks.ts'
import { described, type Describing } from './describing.ts'
import { isSent } from '../schemas/example.ts'
import { allowedValues, constraintsOf, shownPattern, writtenValue } from '../schemas/rules.ts'
import { firstItemsOf, itemsIn, itemsOf, propertiesOf, resolveSchema, variantsOf } from '../schemas/schema.ts'
import { typeName } from '../schemas/type-name.ts'

type Fields = Record<string, unknown>

/** Schemas inside one another. */
const DEEPEST = 8

/** A field of an object, a parameter or a header. */
export interface SchemaField {
  name: string
  schema: unknown
  required: boolean
  /** The parameter or header, whose description comes before that of its schema. */
  more?: Fields
  /** The fields with which it is required. */
  requiredWith?: string[]
}

/** The fields of an object: simple ones in a list, and those with fields of their own as sections to unfold. */
export function fieldList(
  fields: readonly SchemaField[],
  describing: Describing,
  above: readonly string[] = [],
): Block[] {
  const blocks: Block[] = []
  let items: Block[] = []
  const endList = () => {
    if (items.length > 0) blocks.push(block('list-unordered', {}, items as never))
    items = []
  }
  for (const field of fields) {
    if (describing.shown.schemas <= 0) break
    describing.shown.schemas -= 1
    const { schema, reference } = resolveSchema(describing.parts, field.schema)
    if (!isSent(schema, describing.direction)) continue
    const isRecursive = reference !== undefined && above.includes(reference)
    const inside = isRecursive ? [] : insideOf(schema, describing, below(above, reference))
    const about = [
      fieldLine(field, schema, isRecursive, describing),
      ...described(aboutOf(field, schema), describing),
    ]
    if (inside.length === 0) items.push(block('list-item', {}, about))
    else {
      endList()
      const title = `${field.name} ${typeName(describing.parts, field.schema)}`
      blocks.push(folded(title, [...about, ...inside], false))
    }
  }
  endList()
  return blocks
}

const below = (above: readonly string[], reference: string | undefined) =>
  reference === undefined ? [...above, ''] : [...above, reference]

const aboutOf = ({ more }: SchemaField, schema: Fields) => more?.['description'] ?? schema['description']

function fieldLine(
  field: SchemaField,
  schema: Fields,
  isRecursive: boolean,
  { parts, words }: Describing,
): Block {
  const runs: InlineRun[] = [code(field.name), plain(` ${typeName(parts, field.schema)}`)]
  const add = (word: string) => void runs.push(plain(`, ${word}`))
  if (field.required) runs.push(plain(', '), bold(words.required))
  for (const other of field.requiredWith ?? []) runs.push(plain(`, ${words.requiredWith} `), code(other))
  if (field.more?.['deprecated'] === true || schema['deprecated'] === true) add(words.deprecatedShort)
  if (schema['readOnly'] === true) add(words.readOnly)
  if (schema['writeOnly'] === true) add(words.writeOnly)
  if (isRecursive) add(words.recursive)
  for (const rule of constraintsOf(schema)) add(rule)
  if (schema['default'] !== undefined)
    runs.push(plain(`, ${words.default}: `), code(writtenValue(schema['default'])))
  const allowed = allowedValues(schema)
  if (allowed.length > 0) {
    runs.push(plain(`, ${words.allowed}: `))
    for (const [i, value] of allowed.entries()) runs.push(plain(i > 0 ? ', ' : ''), code(value))
  }
  return paragraph(line(runs))
}

/** Returns the blocks of a schema: its own description, then its fields, variants or items. */
export function schemaBody(value: unknown, describing: Describing, above: readonly string[] = []): Block[] {
  const { schema, reference } = resolveSchema(describing.parts, value)
  return [
    ...described(schema['description'], describing),
    ...insideOf(schema, describing, below(above, reference)),
  ]
}

/** The fields, variants or items of a schema; nothing for a simple one. */
function insideOf(schema: Fields, describing: Describing, above: readonly string[]): Block[] {
  if (above.length > DEEPEST || describing.shown.schemas <= 0) return []
  const { parts } = describing
  const fields = withDependencies(propertiesOf(parts, schema), schema)
  const blocks = fieldList([...fields, ...otherFields(schema, describing)], describing, above)
  append(blocks, conditionalBlocks(schema, describing, above))
  append(blocks, variantBlocks(schema, describing, above))
  append(blocks, placeBlocks(schema, describing, above))
  const items = itemsOf(schema)
  if (items !== undefined) append(blocks, variantBody(items, describing, above))
  return blocks
}

/** Adds to fields with which others they are required (`dependentRequired`). */
function withDependencies(fields: readonly SchemaField[], { dependentRequired }: Fields): SchemaField[] {
  if (!isRecord(dependentRequired)) return [...fields]
  const others = new Map<unknown, string[]>()
  for (const [name, list] of Object.entries(dependentRequired).slice(0, 100))
    for (const one of itemsIn(list)) others.set(one, [...(others.get(one) ?? []), name])
  return fields.map((field) => ({ ...field, requiredWith: others.get(field.name) ?? [] }))
}

/** The fields that are known by a pattern of their names, or not at all. */
function otherFields(schema: Fields, { words }: Describing): SchemaField[] {
  const { patternProperties, additionalProperties, unevaluatedProperties } = schema
  const fields: SchemaField[] = []
  if (isRecord(patternProperties))
    for (const [pattern, one] of Object.entries(patternProperties))
      fields.push({ name: `${words.otherFields} ${shownPattern(pattern)}`, schema: one, required: false })
  const rest = [additionalProperties, unevaluatedProperties].find(
    (one) => isRecord(one) && Object.keys(one).length > 0,
  )
  if (rest !== undefined) fields.push({ name: words.otherFields, schema: rest, required: false })
  return fields
}

/** The rules for values that match `if`, and those for other values. */
function conditionalBlocks(schema: Fields, describing: Describing, above: readonly string[]): Block[] {
  if (!isRecord(schema['if'])) return []
  const condition = conditionText(describing, schema['if'])
  const sides = [
    [schema['then'], condition ?? 'if … then'],
    [schema['else'], condition === undefined ? 'if … else' : `¬ (${condition})`],
  ] as const
  return sides.flatMap(([side, title]) =>
    isRecord(side) ? [folded(title, variantBody(side, describing, above), false)] : [],
  )
}

/** A condition that asks for values of fields, such as `kind = cat`; undefined for other ones. */
function conditionText({ parts }: Describing, condition: Fields): string | undefined {
  const fields = propertiesOf(parts, condition)
  const texts = fields.map(({ name, schema }) => {
    const values = allowedValues(resolveSchema(parts, schema).schema)
    return values.length === 0 ? undefined : `${name} = ${values.join(' | ')}`
  })
  return texts.length > 0 && texts.every((one) => one !== undefined) ? texts.join(', ') : undefined
}

function variantBlocks(schema: Fields, describing: Describing, above: readonly string[]): Block[] {
  const found = variantsOf(schema)
  if (!found) return []
  const { keyword, variants } = found
  const [only, ...more] = variants
  if (more.length === 0) return variantBody(only, describing, above)
  const named = variants.map((one, i) =>
    folded(variantTitle(one, i, schema, describing), variantBody(one, describing, above), false),
  )
  return [said([plain(describing.words[keyword])]), ...named]
}

/** The name of a variant, with the value by which a discriminator selects it. */
function variantTitle(variant: unknown, place: number, whole: Fields, { parts }: Describing): string {
  const { schema, name, reference } = resolveSchema(parts, variant)
  const written = typeof schema['title'] === 'string' ? withoutHidden(schema['title']) : ''
  const title = written || (name ?? `${place + 1}: ${typeName(parts, variant)}`)
  const { discriminator } = whole
  if (!isRecord(discriminator) || typeof discriminator['propertyName'] !== 'string') return title
  const mapping = isRecord(discriminator['mapping']) ? Object.entries(discriminator['mapping']) : []
  const values = mapping.flatMap(([value, target]) =>
    target === reference || target === name ? [value] : [],
  )
  // Without a mapping, the name of the schema is the value.
  if (values.length === 0 && name !== undefined) values.push(name)
  return values.length === 0 ? title : `${title} (${discriminator['propertyName']} = ${values.join(' | ')})`
}

/** The first items of an array by their places, if they say more than their types. */
function placeBlocks(schema: Fields, describing: Describing, above: readonly string[]): Block[] {
  const first = firstItemsOf(schema)
  const isPlain = (one: unknown) =>
    !isRecord(one) || Object.keys(one).every((key) => key === 'type' || key === 'format')
  if (first.every(isPlain)) return []
  return fieldList(
    first.map((one, i) => ({ name: `[${i}]`, schema: one, required: false })),
    describing,
    above,
  )
}

function variantBody(value: unknown, describing: Describing, above: readonly string[]): Block[] {
  const { reference } = resolveSchema(describing.parts, value)
  if (reference !== undefined && above.includes(reference)) return [paragraph(describing.words.recursive)]
  describing.shown.schemas -= 1
  return schemaBody(value, describing, above)
}
