/** The claims of a site's visitors as rows of a form, and the JSON schema that stands for them. */
import type { Schemas } from '../../../api/operations/schemas.ts'

/** What a claim can be. A `choice` is one of its values; `texts` are several, of its values if it has some. */
export type ClaimKind = 'text' | 'choice' | 'boolean' | 'number' | 'texts'

/** A claim in the form. */
export interface ClaimRow {
  /** Is never sent: rows keep it while they are edited. */
  key: number
  name: string
  kind: ClaimKind
  /** One in each line; only of `choice` and `texts`. */
  values: string
  description: string
  /** Whether visitors can set it themselves. */
  isUnsigned: boolean
}

type Schema = Schemas['SiteAdaptiveSchema']['jsonSchema']
type Claim = Record<string, unknown>

const UNSIGNED = 'unsigned'

/** Whether an object has these fields and no others. */
const hasOnly = (value: Claim, ...fields: string[]) =>
  Object.keys(value).every((name) => fields.includes(name))
const isObject = (value: unknown): value is Claim =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const joinedValues = (values: unknown) => (Array.isArray(values) ? values.join('\n') : '')

/** The rows of a schema; undefined if it has claims that the form cannot show, such as nested ones. */
export function claimRows(schema: object): ClaimRow[] | undefined {
  if (!isObject(schema) || !isObject(schema.properties)) return undefined
  const { [UNSIGNED]: unsigned, ...signed } = schema.properties
  const groups: [claims: Claim, isUnsigned: boolean][] = [[signed, false]]
  if (unsigned !== undefined) {
    if (!isObject(unsigned) || !isObject(unsigned.properties)) return undefined
    groups.push([unsigned.properties, true])
  }
  const rows: ClaimRow[] = []
  for (const [claims, isUnsigned] of groups)
    for (const [name, claim] of Object.entries(claims)) {
      const shown = isObject(claim) ? shownAs(claim) : undefined
      if (!shown || name.trim() !== name) return undefined
      rows.push({ key: rows.length, name, isUnsigned, ...shown })
    }
  return rows
}

function shownAs(claim: Claim): Pick<ClaimRow, 'kind' | 'values' | 'description'> | undefined {
  const { type, description, items } = claim
  if (typeof description !== 'string') return undefined
  if (type === 'string' && hasOnly(claim, 'type', 'description', 'enum')) {
    const values = joinedValues(claim.enum)
    return isInLines(claim.enum) ? { kind: claim.enum ? 'choice' : 'text', values, description } : undefined
  }
  if ((type === 'boolean' || type === 'number') && hasOnly(claim, 'type', 'description'))
    return { kind: type, values: '', description }
  // The form has one description, so it cannot show another one for the items.
  const isList = type === 'array' && hasOnly(claim, 'type', 'description', 'items') && isObject(items)
  if (!isList || items.type !== 'string' || items.description !== description) return undefined
  if (!hasOnly(items, 'type', 'description', 'enum') || !isInLines(items.enum)) return undefined
  return { kind: 'texts', values: joinedValues(items.enum), description }
}

/** Whether values come back from lines as they are. */
const isInLines = (values: unknown) =>
  values === undefined ||
  (Array.isArray(values) &&
    values.every((one) => typeof one === 'string' && one.trim() === one && one !== '' && !/[\r\n]/.test(one)))

/** The values that a person has written, one in each line, without empty lines and without repetitions. */
export function valueLines(values: string): string[] {
  return [...new Set(values.split(/\r?\n/).map((line) => line.trim()))].filter((line) => line !== '')
}

/** The schema of rows. @param before of which it keeps everything that is not a claim */
export function claimsSchema(before: object, rows: readonly ClaimRow[]): Schema {
  const propertiesOf = (isUnsigned: boolean) =>
    Object.fromEntries(
      rows
        .filter((row) => row.isUnsigned === isUnsigned)
        .map((row): [string, Claim] => [row.name.trim(), claimSchema(row)]),
    )
  const hasUnsigned = rows.some((row) => row.isUnsigned)
  const unsigned = { type: 'object', properties: propertiesOf(true), additionalProperties: false }
  return {
    ...before,
    type: 'object',
    properties: { ...propertiesOf(false), ...(hasUnsigned ? { [UNSIGNED]: unsigned } : {}) },
    additionalProperties: false,
  }
}

function claimSchema({ kind, values, description }: ClaimRow): Claim {
  if (kind === 'boolean' || kind === 'number') return { type: kind, description }
  const listed = kind === 'text' ? [] : valueLines(values)
  const text = { type: 'string', ...(listed.length > 0 ? { enum: listed } : {}), description }
  return kind === 'texts' ? { type: 'array', description, items: text } : text
}

/** Why a row cannot be saved; undefined if it can be. */
export function claimFault(
  row: ClaimRow,
  rows: readonly ClaimRow[],
): 'claim-twice' | 'claim-without-values' | 'claim-reserved' | undefined {
  const name = row.name.trim()
  const isTwice = rows.some(
    (other) =>
      other.key !== row.key &&
      other.name.trim() === name &&
      other.isUnsigned === row.isUnsigned &&
      name !== '',
  )
  if (isTwice) return 'claim-twice'
  if (name === UNSIGNED && !row.isUnsigned) return 'claim-reserved'
  return row.kind === 'choice' && valueLines(row.values).length === 0 ? 'claim-without-values' : undefined
}
