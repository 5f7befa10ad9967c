import { isRecord } from '../data/is-record.ts'
import { OPERATION_METHODS } from './methods.ts'
import { SpecFault } from './problem.ts'

/** A piece of a specification that pages load by itself. */
export interface SpecPart {
  /** The JSON pointer of its place; empty for what describes the whole specification. */
  pointer: string
  kind: 'info' | 'operation' | 'webhook' | 'component'
  /** The first tag of an operation. */
  tag: string | null
  /** The summary of an operation. */
  title: string | null
  json: string
}

/** The most parts of a specification. That of GitHub has about 2,600. */
const MOST_PARTS = 10_000

type Fields = Record<string, unknown>

/**
 * Divides a bundled specification into parts, in its order: each operation with the parameters of its path, each webhook,
 * and each component. A page loads the parts that it shows instead of the whole specification.
 * @throws SpecFault if there are too many
 */
export function specPartsOf(document: Fields): SpecPart[] {
  const parts: SpecPart[] = [infoOf(document)]
  const add = (part: SpecPart) => {
    if (parts.length === MOST_PARTS)
      throw new SpecFault(
        'TOO_LARGE',
        `The specification has more than ${MOST_PARTS} operations and components`,
      )
    parts.push(part)
  }
  for (const [group, kind] of [
    ['paths', 'operation'],
    ['webhooks', 'webhook'],
  ] as const)
    for (const [name, item] of recordEntries(document[group]))
      for (const part of operationsOf(group, kind, name, item)) add(part)
  for (const [group, named] of recordEntries(document['components']))
    for (const [name, value] of recordEntries(named)) add(component(['components', group, name], value))
  for (const [number, file] of recordEntries(document['x-external'])) {
    add(component(['x-external', number], file))
    for (const [name, value] of recordEntries(file)) add(component(['x-external', number, name], value))
  }
  return parts
}

/** The pointer of the part that holds the target of a reference such as `#/components/schemas/Pet/properties/id`. */
export function partPointer(reference: string): string {
  let pointer = reference.replace(/^#/, '')
  try {
    pointer = decodeURIComponent(pointer)
  } catch {
    // A "%" that encodes nothing is a part of a name.
  }
  return pointer.split('/').slice(0, 4).join('/')
}

/** The JSON pointer of keys. */
export function pointerTo(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The keys of a JSON pointer. */
export function keysOfPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function infoOf({ openapi, info, servers, security, tags, components }: Fields): SpecPart {
  const securitySchemes = isRecord(components) ? components['securitySchemes'] : undefined
  const json = JSON.stringify({ openapi, info, servers, security, tags, securitySchemes })
  return { pointer: '', kind: 'info', tag: null, title: null, json }
}

function* operationsOf(
  group: string,
  kind: 'operation' | 'webhook',
  name: string,
  item: unknown,
): Generator<SpecPart> {
  if (!isRecord(item)) return
  const shared = Array.isArray(item['parameters']) ? (item['parameters'] as unknown[]) : []
  for (const method of OPERATION_METHODS) {
    const operation = item[method]
    if (!isRecord(operation)) continue
    const own = Array.isArray(operation['parameters']) ? (operation['parameters'] as unknown[]) : []
    const names = new Set(own.map(identityOf))
    const parameters = [...shared.filter((one) => !names.has(identityOf(one))), ...own]
    const servers = operation['servers'] ?? item['servers']
    const { tags, summary, operationId } = operation
    const [tag] = Array.isArray(tags) ? (tags as unknown[]) : []
    yield {
      pointer: pointerTo([group, name, method]),
      kind,
      tag: textValue(tag),
      title: textValue(summary) ?? textValue(operationId),
      json: JSON.stringify({ ...operation, parameters, servers }),
    }
  }
}

/** Returns the identity of a parameter: parameters with equal identities are the same parameter. */
function identityOf(parameter: unknown): string {
  if (!isRecord(parameter)) return ''
  return JSON.stringify([parameter['$ref'], parameter['in'], parameter['name']])
}

function component(keys: string[], value: unknown): SpecPart {
  const pointer = pointerTo(keys)
  return { pointer, kind: 'component', tag: null, title: null, json: JSON.stringify(value) ?? 'null' }
}

const textValue = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : null)

const recordEntries = (value: unknown) => (isRecord(value) ? Object.entries(value) : [])
