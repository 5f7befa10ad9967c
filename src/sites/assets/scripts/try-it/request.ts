import type { TryOperation, TryParameter } from '../../../../core/openapi/try-it.ts'
import { base64 } from './base64.ts'
import type { TrySentBody } from './body-fields.ts'
import type { TryInput, SecurityFields } from './fields.ts'
import { splitList } from './lists.ts'

/** The request that a reader has filled in. */
export interface FilledRequest {
  method: string
  url: string
  headers: [name: string, value: string][]
  body: TrySentBody['body'] | undefined
}

/** What a reader has filled in. */
interface Filled {
  server: string
  parameters: readonly (TryParameter & { field: TryInput })[]
  security: readonly SecurityFields[]
  body: TrySentBody | undefined
}

/** Writes a request as the specification of its operation demands. */
export function buildRequest({ method, path }: TryOperation, filled: Filled): FilledRequest {
  const query: string[] = []
  const headers: [string, string][] = []
  let place = path
  for (const parameter of filled.parameters) {
    const { name, in: at, kind } = parameter
    const entered = parameter.field.value()
    const value = typeof entered === 'string' ? entered : ''
    if (at === 'path') {
      const written = (kind === 'list' ? splitList(value) : [value]).map(encodeURIComponent).join(',')
      place = place.replaceAll(`{${name}}`, () => written)
    } else if (value === '') continue
    else if (at === 'header') headers.push([name, value])
    else query.push(...queryPairs(parameter, value))
  }
  for (const { kind, key = '', values } of filled.security) {
    const [first = '', second = ''] = values()
    if (first === '' && second === '') continue
    if (kind === 'bearer') headers.push(['Authorization', `Bearer ${first}`])
    else if (kind === 'basic') headers.push(['Authorization', `Basic ${base64Text(`${first}:${second}`)}`])
    else if (kind === 'header') headers.push([key, first])
    else query.push(pair(key, first))
  }
  const sent = ['GET', 'HEAD'].includes(method) ? undefined : filled.body
  if (sent?.type) headers.push(['Content-Type', sent.type])
  const [before = '', own] = place.split('?')
  const search = [...(own ? [own] : []), ...query].join('&')
  const url = filled.server + before + (search === '' ? '' : `?${search}`)
  return { method, url, headers, body: sent?.body }
}

const base64Text = (text: string) => base64(new TextEncoder().encode(text))
const pair = (name: string, value: string) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`

/** A parameter in the query, in the style that the specification names. */
function queryPairs({ name, kind, style, explode }: TryParameter, value: string): string[] {
  if (style === 'deepObject') return deepPairs(name, value)
  if (kind !== 'list') return [pair(name, value)]
  const values = splitList(value)
  if (explode !== false) return values.map((one) => pair(name, one))
  const between = style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '|' : ','
  return [`${encodeURIComponent(name)}=${values.map(encodeURIComponent).join(between)}`]
}

/** An object such as `{"a": 1}` as `name[a]=1`. */
function deepPairs(name: string, value: string): string[] {
  try {
    const fields = JSON.parse(value) as Record<string, unknown>
    return Object.entries(fields).map(([key, one]) =>
      pair(`${name}[${key}]`, typeof one === 'string' ? one : JSON.stringify(one)),
    )
  } catch {
    return [pair(name, value)]
  }
}
