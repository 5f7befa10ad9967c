/** The data that a page needs to send requests to an operation from a form. */
import { needItem } from '../data/lists.ts'
import { isRecord } from '../data/is-record.ts'
import type { SpecSourceParts } from './described.ts'
import { exampleOf } from './schemas/example.ts'
import { exampleTexts, givenExamples } from './schemas/example-text.ts'
import { formOf } from './schemas/forms.ts'
import { valuesOf, writtenValues } from './schemas/rules.ts'
import { pointerTo } from './spec-parts.ts'
import { itemsIn, propertiesOf, resolvePart, resolveSchema, type SchemaBudget } from './schemas/schema.ts'
import { isFile, typeName } from './schemas/type-name.ts'

type Fields = Record<string, unknown>

/** The most servers of an operation, fields of one form, and characters of a value that a form has from the start. */
const MOST_SERVERS = 20
const MOST_FIELDS = 100
const LONGEST_VALUE = 1_000
const MOST_BODIES = 5
/** Schemas that all examples in the forms of one page have. */
export const MOST_TRIED_EXAMPLES = 2_000

/** A field of a form. */
export interface TryField {
  name: string
  /** The type as readers see it. */
  type: string
  required?: true
  kind?: 'boolean' | 'list' | 'json' | 'file'
  /** The values to choose from. */
  values?: string[]
  /** The value from the start. */
  value?: string
}

/** A parameter, and how it is written into a request (`style` and `explode` of OpenAPI). */
export interface TryParameter extends TryField {
  in: 'path' | 'query' | 'header'
  style?: string
  explode?: boolean
}

/** A body of one media type: a text, or the fields of a form. */
export interface TryBody {
  type: string
  text?: string
  fields?: TryField[]
}

/** A way to authenticate. `key` is the name of the header or the query parameter. */
export interface TrySecurity {
  name: string
  kind: 'bearer' | 'basic' | 'header' | 'query'
  key?: string
}

/** An operation to which readers can send requests. */
export interface TryOperation {
  /** In upper case. */
  method: string
  /** With the names of parameters in braces. */
  path: string
  /** Absolute URLs without a slash at the end. */
  servers: string[]
  parameters: TryParameter[]
  bodies: TryBody[]
  security: TrySecurity[]
}

/** Which operation of a specification a block shows. */
export interface OperationPlace {
  path: string
  method: string
}

/** An operation of a specification; undefined if there is none, or if no browser can send requests to it. */
export function operationToTry(
  parts: SpecSourceParts,
  { path, method }: OperationPlace,
  examples: SchemaBudget,
): TryOperation | undefined {
  const operation = parts[pointerTo(['paths', path, method.toLowerCase()])]
  if (!isRecord(operation)) return undefined
  const info = isRecord(parts['']) ? parts[''] : {}
  const servers = serversOf(operation, info)
  // Browsers refuse to send TRACE.
  if (servers.length === 0 || !path.startsWith('/') || method.toLowerCase() === 'trace') return undefined
  const body = resolvePart(parts, operation['requestBody']).value
  const parameters = itemsIn(operation['parameters'])
    .slice(0, MOST_FIELDS)
    .map((one) => resolvePart(parts, one).value)
    .filter(isRecord)
    .flatMap((one) => parameterOf(parts, one, examples))
  return {
    method: method.toUpperCase(),
    path,
    servers,
    parameters,
    bodies: isRecord(body) ? bodiesOf(parts, body, examples) : [],
    security: securityOf(operation, info),
  }
}

/** Whether a URL is that of an operation at one of its servers, whatever the values of its parameters are. */
export function isUrlOf(url: URL, { servers, path }: Pick<TryOperation, 'servers' | 'path'>): boolean {
  if (url.username !== '' || url.password !== '') return false
  const segments = url.pathname.split('/')
  return servers.some((server) => {
    const template = new URL(server + path.replace(/\{[^{}]*\}/g, PLACE))
    if (template.origin !== url.origin) return false
    const wanted = template.pathname.split('/')
    return (
      wanted.length === segments.length &&
      segments.every((segment, i) => matchesSegment(needItem(wanted, i), segment))
    )
  })
}

const PLACE = '0parameter0'

/** Compares only the ends, because to compare all of a segment with several parameters could take long. */
function matchesSegment(template: string, segment: string): boolean {
  const first = template.indexOf(PLACE)
  if (first < 0) return template === segment
  const end = template.slice(template.lastIndexOf(PLACE) + PLACE.length)
  const isLongEnough = segment.length >= first + end.length
  return isLongEnough && segment.startsWith(template.slice(0, first)) && segment.endsWith(end)
}

/** The base URLs of an operation, with each value that their variables allow. */
function serversOf(operation: Fields, info: Fields): string[] {
  const own = itemsIn(operation['servers'])
  const found = new Set<string>()
  for (const server of (own.length > 0 ? own : itemsIn(info['servers'])).filter(isRecord))
    for (const url of expanded(server)) {
      const clean = cleanServer(url)
      if (clean !== undefined && found.size < MOST_SERVERS) found.add(clean)
    }
  return [...found]
}

function expanded({ url, variables }: Fields): string[] {
  if (typeof url !== 'string' || url.length > LONGEST_VALUE) return []
  let urls = [url]
  for (const [name, variable] of isRecord(variables) ? Object.entries(variables).slice(0, 20) : []) {
    if (!isRecord(variable)) continue
    const all = [variable['default'], ...itemsIn(variable['enum'])]
    const values = [...new Set(all.filter((one) => typeof one === 'string'))].slice(0, MOST_SERVERS)
    if (values.length === 0) continue
    urls = urls.flatMap((one) => values.map((value) => one.replaceAll(`{${name}}`, value)))
    urls = [...new Set(urls)].slice(0, MOST_SERVERS)
  }
  return urls
}

/** Content security policies name these hosts, so they must not have a character with a meaning in a policy. */
const PLAIN_HOST = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/

/** A base URL without a slash at the end; undefined if it is not absolute, or names no plain host. */
export function cleanServer(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || text.includes('{') || !URL.canParse(text)) return undefined
  const { hostname, username, password, origin, pathname } = new URL(text)
  if (!PLAIN_HOST.test(hostname) || username !== '' || password !== '') return undefined
  return origin + pathname.replace(/\/$/, '')
}

function parameterOf(parts: SpecSourceParts, parameter: Fields, examples: SchemaBudget): TryParameter[] {
  const { name, in: place, required, content, style, explode } = parameter
  if (typeof name !== 'string' || (place !== 'path' && place !== 'query' && place !== 'header')) return []
  // OpenAPI ignores these names: other parts of the specification describe them.
  if (place === 'header' && /^(?:accept|content-type|authorization)$/i.test(name)) return []
  const [media] = isRecord(content) ? Object.values(content) : []
  const schema = parameter['schema'] ?? (isRecord(media) ? media['schema'] : undefined)
  const isRequired = required === true || place === 'path'
  const [named] = isRecord(parameter['examples']) ? Object.values(parameter['examples']) : []
  const shown = resolvePart(parts, named).value
  const example = parameter['example'] ?? (isRecord(shown) ? shown['value'] : undefined)
  const field = fieldOf(parts, { name, schema, required: isRequired, example }, examples)
  return [
    {
      ...field,
      ...(media === undefined ? {} : { kind: 'json' }),
      in: place,
      ...(typeof style === 'string' ? { style: style.slice(0, 40) } : {}),
      ...(typeof explode === 'boolean' ? { explode } : {}),
    },
  ]
}

function fieldOf(
  parts: SpecSourceParts,
  {
    name,
    schema,
    required,
    example,
  }: { name: string; schema: unknown; required: boolean; example?: unknown },
  examples: SchemaBudget,
): TryField {
  const resolved = resolveSchema(parts, schema).schema
  const type = typeName(parts, schema)
  const types = [resolved['type']].flat()
  const kind = types.includes('boolean')
    ? 'boolean'
    : types.includes('array')
      ? 'list'
      : types.includes('object')
        ? 'json'
        : isFile(resolved)
          ? 'file'
          : undefined
  // A form sends texts, so nobody can choose null.
  const values = writtenValues(valuesOf(resolved).filter((one) => one !== null))
  const isChoice = values.length > 0 && !values.includes('…') && kind !== 'list'
  const value = example ?? (required ? exampleIn(parts, resolved, examples) : undefined)
  const written = value === undefined || value === null ? '' : valueText(value)
  return {
    name,
    type: type.slice(0, 100),
    ...(required ? { required: true } : {}),
    ...(kind === undefined ? {} : { kind }),
    ...(isChoice ? { values } : {}),
    ...(written === '' || written.length > LONGEST_VALUE || kind === 'file' ? {} : { value: written }),
  }
}

/** The value that the specification gives as an example. One that is made up would lead to a request nobody wants. */
function exampleIn(parts: SpecSourceParts, schema: Fields, examples: SchemaBudget): unknown {
  const { example, examples: several, const: only, default: fallback } = schema
  const isGiven = [example, several, only, fallback].some((one) => one !== undefined)
  return isGiven ? exampleOf({ parts, examples, direction: 'request' }, schema) : undefined
}

const valueText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value) && value.every((one) => typeof one !== 'object')
      ? value.join(',')
      : (JSON.stringify(value) ?? '')

function bodiesOf(parts: SpecSourceParts, { content }: Fields, examples: SchemaBudget): TryBody[] {
  if (!isRecord(content)) return []
  return Object.entries(content)
    .slice(0, MOST_BODIES)
    .map(([type, media]) => {
      if (!isRecord(media)) return { type, text: '' }
      if (formOf(type) === undefined)
        return {
          type,
          text: exampleTexts(media, type, { parts, examples, direction: 'request' })[0]?.text ?? '',
        }
      const { schema } = resolveSchema(parts, media['schema'])
      const [first] = givenExamples(parts, media)
      const given = isRecord(first?.value) ? first.value : {}
      const fields = propertiesOf(parts, schema)
        .slice(0, MOST_FIELDS)
        .map((one) => {
          const example = Object.hasOwn(given, one.name) ? given[one.name] : undefined
          return fieldOf(
            parts,
            { name: one.name, schema: one.schema, required: one.required, example },
            examples,
          )
        })
      return { type, fields }
    })
}

function securityOf(operation: Fields, info: Fields): TrySecurity[] {
  const wanted = Array.isArray(operation['security']) ? operation['security'] : itemsIn(info['security'])
  const schemes = isRecord(info['securitySchemes']) ? info['securitySchemes'] : {}
  const names = new Set((wanted as unknown[]).filter(isRecord).flatMap((one) => Object.keys(one)))
  return [...names].slice(0, 20).flatMap((name): TrySecurity[] => {
    const scheme = Object.hasOwn(schemes, name) ? schemes[name] : undefined
    if (!isRecord(scheme)) return []
    const { type, scheme: way, in: place, name: key } = scheme
    const isHttp = type === 'http' && typeof way === 'string'
    if (isHttp && way.toLowerCase() === 'basic') return [{ name, kind: 'basic' }]
    if ((isHttp && way.toLowerCase() === 'bearer') || type === 'oauth2' || type === 'openIdConnect')
      return [{ name, kind: 'bearer' }]
    const isKey = type === 'apiKey' && typeof key === 'string' && (place === 'header' || place === 'query')
    return isKey ? [{ name, kind: place, key }] : []
  })
}
