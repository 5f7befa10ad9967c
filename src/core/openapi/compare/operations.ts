/** Compares two specifications: what clients of the first one can still do with the second. */
import { isRecord } from '../../data/is-record.ts'
import { OPERATION_METHODS } from '../methods.ts'
import { lookUpReference } from '../references.ts'
import { type ApiChange, ChangeList, type Report } from './change.ts'
import { type Documents, type Direction, schemaComparison } from './schemas.ts'

type Fields = Record<string, unknown>

/** Compares two schemas and everything in them. */
type CompareSchemas = ReturnType<typeof schemaComparison>

interface Comparison {
  documents: Documents
  changes: ChangeList
  schemas: CompareSchemas
}

/**
 * Compares two specifications of OpenAPI 3.1 or later, whose references lead to places in them. Takes linear time.
 * @returns the changes, in the order of the specifications
 */
export function compareSpecifications(before: Fields, after: Fields): ApiChange[] {
  const changes = new ChangeList()
  const documents = { before, after }
  const comparison = { documents, changes, schemas: schemaComparison(documents, changes) }
  compareServers(before, after, changes.at('API'))
  const [from, to] = [operationsOf(before), operationsOf(after)]
  for (const [key, old] of from) {
    const now = to.get(key)
    const report = changes.at(old.name)
    if (!now) {
      const wasDeprecated = old.operation['deprecated'] === true
      report('breaks', `was removed${wasDeprecated ? '; it was deprecated before' : ''}`)
    } else compareOperations(comparison, old, now)
  }
  for (const [key, { name }] of to) if (!from.has(key)) changes.add('safe', name, 'was added')
  return changes.all
}

/** An operation, with what it inherits. */
interface Operation {
  name: string
  operation: Fields
  parameters: Map<string, Fields>
  security: unknown
}

/** The operations by method and path. The names of the parameters in a path do not count, because no client sends them. */
function operationsOf(document: Fields): Map<string, Operation> {
  const operations = new Map<string, Operation>()
  for (const [path, value] of Object.entries(operationFields(document['paths']))) {
    if (!path.startsWith('/')) continue
    const item = resolve(document, value)
    for (const method of OPERATION_METHODS) {
      const operation = item[method]
      if (!isRecord(operation)) continue
      operations.set(`${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`, {
        name: `${method.toUpperCase()} ${path}`,
        operation,
        parameters: parametersOf(document, path, [item['parameters'], operation['parameters']]),
        security: operation['security'] ?? document['security'] ?? [],
      })
    }
  }
  return operations
}

/** The parameters by place and name; those in the path by their number. */
function parametersOf(document: Fields, path: string, lists: readonly unknown[]): Map<string, Fields> {
  const inPath = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name)
  const parameters = new Map<string, Fields>()
  for (const value of lists.flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))) {
    const parameter = resolve(document, value)
    const { name, in: place } = parameter
    const known =
      place === 'path' ? inPath.indexOf(String(name)) : place === 'header' ? String(name).toLowerCase() : name
    parameters.set(`${String(place)} ${String(known)}`, parameter)
  }
  return parameters
}

function compareOperations(comparison: Comparison, old: Operation, now: Operation): void {
  const report = comparison.changes.at(now.name)
  const [from, to] = [old.operation, now.operation]
  if (to['deprecated'] === true && from['deprecated'] !== true) report('safe', 'is deprecated')
  if (from['operationId'] !== to['operationId'] && from['operationId'] !== undefined)
    report(
      'may-break',
      `the operationId changed from ${JSON.stringify(from['operationId'])} to ${JSON.stringify(to['operationId'] ?? null)}, which names functions of generated clients`,
    )
  compareSecurity(old.security, now.security, report)
  compareParameters(comparison, old, now, report)
  compareBodies(comparison, from['requestBody'], to['requestBody'], now.name, report)
  compareResponses(comparison, from['responses'], to['responses'], now.name, report)
}

function compareParameters({ schemas }: Comparison, old: Operation, now: Operation, report: Report): void {
  for (const [key, from] of old.parameters) {
    const to = now.parameters.get(key)
    const label = labelOf(from)
    if (!to) {
      report('may-break', `the ${label} was removed`)
      continue
    }
    if (to['required'] === true && from['required'] !== true) report('breaks', `the ${label} is required now`)
    if (to['required'] !== true && from['required'] === true)
      report('safe', `the ${label} is no longer required`)
    if (to['deprecated'] === true && from['deprecated'] !== true) report('safe', `the ${label} is deprecated`)
    for (const field of ['style', 'explode'])
      if (from[field] !== to[field]) report('may-break', `the "${field}" of the ${label} changed`)
    schemas(schemaOf(from), schemaOf(to), 'requests', now.name, `.the ${label}`)
  }
  for (const [key, to] of now.parameters) {
    if (old.parameters.has(key)) continue
    const isRequired = to['required'] === true
    report(
      isRequired ? 'breaks' : 'safe',
      `the ${labelOf(to)} was added${isRequired ? ', and is required' : ''}`,
    )
  }
}

const labelOf = ({ name, in: place }: Fields) => `${String(place)} parameter "${String(name)}"`

/** A parameter has its schema, or the one of the only media type of its content. */
function schemaOf({ schema, content }: Fields): unknown {
  if (schema !== undefined) return schema
  const [media] = Object.values(operationFields(content))
  return operationFields(media)['schema'] ?? true
}

function compareBodies(
  comparison: Comparison,
  old: unknown,
  now: unknown,
  place: string,
  report: Report,
): void {
  const { before, after } = comparison.documents
  const [from, to] = [resolve(before, old), resolve(after, now)]
  const [had, has] = [old !== undefined, now !== undefined]
  if (!had && !has) return
  if (!had) {
    const isRequired = to['required'] === true
    return report(
      isRequired ? 'breaks' : 'safe',
      `a request body was added${isRequired ? ', and is required' : ''}`,
    )
  }
  if (!has) return report('may-break', 'the request body was removed')
  if (to['required'] === true && from['required'] !== true)
    report('breaks', 'the request body is required now')
  compareContent(comparison, from['content'], to['content'], 'requests', {
    place,
    label: 'the request body',
    report,
  })
}

function compareResponses(
  comparison: Comparison,
  old: unknown,
  now: unknown,
  place: string,
  report: Report,
): void {
  const { before, after } = comparison.documents
  const [from, to] = [operationFields(old), operationFields(now)]
  for (const [status, response] of Object.entries(from)) {
    if (to[status] === undefined) {
      // Clients handle errors that they do not know, but not a success.
      report(/^[23]/.test(status) ? 'breaks' : 'may-break', `the response ${status} was removed`)
      continue
    }
    const [earlier, later] = [resolve(before, response), resolve(after, to[status])]
    const label = `the response ${status}`
    compareContent(comparison, earlier['content'], later['content'], 'responses', { place, label, report })
    const headers = operationFields(later['headers'])
    for (const name of Object.keys(operationFields(earlier['headers'])))
      if (!(name in headers)) report('may-break', `the header "${name}" of ${label} was removed`)
  }
  for (const status of Object.keys(to))
    if (from[status] === undefined)
      report(/^[23]/.test(status) ? 'may-break' : 'safe', `the response ${status} was added`)
}

function compareContent(
  { schemas }: Comparison,
  old: unknown,
  now: unknown,
  direction: Direction,
  { place, label, report }: { place: string; label: string; report: Report },
): void {
  const [from, to] = [operationFields(old), operationFields(now)]
  for (const [type, media] of Object.entries(from)) {
    if (to[type] === undefined) report('breaks', `${label} can no longer be ${type}`)
    else
      schemas(
        operationFields(media)['schema'] ?? true,
        operationFields(to[type])['schema'] ?? true,
        direction,
        place,
        `.${label}`,
      )
  }
  for (const type of Object.keys(to))
    if (from[type] === undefined) report('safe', `${label} can be ${type} now`)
}

/** Each requirement is a way in: a way that is gone breaks those who use it, unless nothing is required any more. */
function compareSecurity(old: unknown, now: unknown, report: Report): void {
  const [from, to] = [waysIn(old), waysIn(now)]
  if (to.has('') || (from.size === to.size && from.isSubsetOf(to))) {
    if (to.has('') && !from.has('')) report('safe', 'needs no authentication any more')
    return
  }
  if (from.has('')) report('breaks', `needs authentication now: ${[...to].join(' or ')}`)
  else for (const way of from.difference(to)) report('breaks', `can no longer be used with ${way}`)
  for (const way of to.difference(from)) if (!from.has('')) report('safe', `can be used with ${way} now`)
}

function waysIn(security: unknown): Set<string> {
  const list = Array.isArray(security) ? security : []
  const ways = list.map((requirement) =>
    Object.entries(operationFields(requirement))
      .map(([scheme, scopes]) => {
        const named = Array.isArray(scopes) ? scopes.map(String) : []
        return named.length > 0 ? `${scheme} (${named.toSorted().join(', ')})` : scheme
      })
      .toSorted()
      .join(' and '),
  )
  return new Set(ways.length > 0 ? ways : [''])
}

function compareServers(before: Fields, after: Fields, report: Report): void {
  const [from, to] = [addressesOf(before), addressesOf(after)]
  for (const url of from.difference(to)) report('may-break', `the server ${url} was removed`)
  for (const url of to.difference(from)) report('safe', `the server ${url} was added`)
}

function addressesOf({ servers }: Fields): Set<string> {
  return new Set(
    (Array.isArray(servers) ? servers : []).map((server) => String(operationFields(server)['url'])),
  )
}

const operationFields = (value: unknown): Fields => (isRecord(value) ? value : {})

function resolve(document: Fields, value: unknown): Fields {
  const fields = operationFields(value)
  return typeof fields['$ref'] === 'string'
    ? operationFields(lookUpReference(document, fields['$ref']))
    : fields
}
