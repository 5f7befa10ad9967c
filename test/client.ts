/** An existing client, unmodified, with its endpoint set to the server. Its description validates every response. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { GitBookAPI } from '@gitbook/api'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { Person, World } from './world.ts'

/** The client, signed in as a user. */
// The types of the client do not resolve with this module resolution. The tests validate its responses instead.
// oxlint-disable-next-line typescript/no-explicit-any
export function clientOf(world: World, person: Person = world.ada): any {
  return new GitBookAPI({ endpoint: world.url, authToken: person.token })
}

type Schema = { [key: string]: unknown }
const specification = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('@gitbook/api/spec/openapi.json'), 'utf8'),
) as {
  paths: Record<
    string,
    Record<
      string,
      { operationId?: string; responses: Record<string, { content?: Record<string, { schema: Schema }> }> }
    >
  >
  components: Schema
}

const { schemas } = specification.components as { schemas: Record<string, Schema> }
// The description contradicts the responses of its service in four places, or names places instead of schemas:
// a page without its body; `nullable` beside a reference; and which block may contain which, which real pages
// do not follow. Blocks are therefore validated one by one below, each against its own schema.
schemas.Document = {
  anyOf: [schemas.MarkdownDocument, { type: 'object', properties: { document: { type: 'object' } } }],
}
schemas.JSONDocument = { type: 'object', required: ['object', 'data', 'nodes'] }

// Each of the three attribute schemas allows the fields of the others, so a title alone matches all three, not one.
const editedPage = schemas.RevisionSemanticChangePageEdited?.properties as Schema
editedPage.attributes = { anyOf: (editedPage.attributes as Schema).oneOf }

// A page with a computed body also matches the alternative for pages without one.
const [, stored] = (schemas.RevisionPageDocument!.allOf as { oneOf: Schema[] }[])[3]!.oneOf
stored!.not = { required: ['computed'] }

/** The description in the dialect of the validator. */
function translated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(translated)
  if (typeof value !== 'object' || value === null) return value
  const {
    nullable,
    discriminator: _,
    ...rest
  } = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, translated(item)]))
  return nullable === true ? { anyOf: [rest, { type: 'null' }] } : rest
}

// To optimize a validator takes longer than tests use it.
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  inlineRefs: false,
  validateSchema: false,
  logger: false,
  code: { optimize: false },
})
addFormats.default(ajv)
// Each schema has an id of its own, so that it is compiled once, and not for each schema that refers to it.
for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(withIds(translated(schema)), name)
const compiled = new Map<string, ValidateFunction>()

function withIds(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"')) as object
}

/** Validates a response against the description that the client was generated from. */
export function conforms(method: string, path: string, status: number, body: unknown): void {
  const key = `${method} ${path} ${status}`
  const declared =
    specification.paths[path]?.[method.toLowerCase()]?.responses[status]?.content?.['application/json']
      ?.schema
  assert(declared, `${key} is not in the client's description`)
  const validate = compiled.get(key) ?? ajv.compile(withIds(declared))
  compiled.set(key, validate)
  assert(validate(body), `${key}: ${ajv.errorsText(validate.errors?.slice(0, 5))}`)
}

/** The operations by id in lower case, because the client writes "Sso" where the description has "SSO". */
const operations = new Map(
  Object.entries(specification.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, responses }]) =>
      operationId ? [[operationId.toLowerCase(), { method: method.toUpperCase(), path, responses }]] : [],
    ),
  ),
)

/** Calls operations of one group of the client, and validates each response. @returns the data of the response */
export function judged(client: ReturnType<typeof clientOf>, group: string) {
  // oxlint-disable-next-line typescript/no-explicit-any
  return async (operation: string, ...args: unknown[]): Promise<any> => {
    const declared = operations.get(operation.toLowerCase())
    assert(declared, `${operation} is not in the client's description`)
    const { status, data } = await client[group][operation](...args)
    const { method, path, responses } = declared
    assert(responses[status], `${operation} answered ${status}, which is not in the client's description`)
    if (responses[status].content) conforms(method, path, status, data)
    return data
  }
}

interface Node {
  object: string
  type: string
  nodes?: Node[]
  fragments?: Node[]
}

/** The faults of every block and inline of a document against the description. */
export function faultsIn(document: Node): string[] {
  return [...nodesIn(document)].flatMap((node) => {
    const check = shapeOf(node.type)
    const right: boolean = check?.(node) ?? true
    return right ? [] : [`${node.type}: ${ajv.errorsText(check?.errors?.slice(0, 4))}`]
  })
}

/** Every block and inline of a document. */
function* nodesIn(node: Node): Generator<Node> {
  if (node.object === 'block' || node.object === 'inline') yield node
  for (const child of [...(node.nodes ?? []), ...(node.fragments ?? [])]) yield* nodesIn(child)
}

const shapes = new Map<string, ValidateFunction | undefined>()

/** The schema of a block or inline without its content; undefined for types that the description does not have. */
export function shapeOf(type: string): ValidateFunction | undefined {
  if (shapes.has(type)) return shapes.get(type)
  const found = Object.entries(schemas).find(([name, schema]) => {
    const properties = schema.properties as
      | { type?: { enum?: string[] }; object?: { enum?: string[] } }
      | undefined
    return /^Document(Block|Inline)/.test(name) && properties?.type?.enum?.includes(type)
  })
  const shape = found && (translated(found[1]) as { properties: Record<string, unknown> })
  const validate =
    shape && ajv.compile(withIds({ ...shape, properties: { ...shape.properties, nodes: {}, fragments: {} } }))
  shapes.set(type, validate)
  return validate
}
