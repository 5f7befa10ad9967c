/** An existing client, unmodified, with its endpoint set to the server; and its own description as the judge of every answer. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { GitBookAPI } from '@gitbook/api'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { Person, World } from './world.ts'

/** The client, as a person who uses it. */
// Its own declarations do not resolve with this module resolution; its answers are checked all the same.
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
// Three places where that description allows nothing that its own service answers, or names places in place of shapes:
// a page without its body; `nullable` beside a reference; and which block may stand in which, which real pages
// do not keep to. Blocks are checked one by one below, each against its own shape.
schemas.Document = {
  anyOf: [schemas.MarkdownDocument, { type: 'object', properties: { document: { type: 'object' } } }],
}
schemas.JSONDocument = { type: 'object', required: ['object', 'data', 'nodes'] }

// The three shapes of attributes each allow what the others have, so that a title alone is of all three, not of one.
const editedPage = schemas.RevisionSemanticChangePageEdited?.properties as Schema
editedPage.attributes = { anyOf: (editedPage.attributes as Schema).oneOf }

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

const ajv = new Ajv({ strict: false, allErrors: true, logger: false })
addFormats.default(ajv)
ajv.addSchema({ $id: 'api', components: translated(specification.components) })
const compiled = new Map<string, ValidateFunction>()

/** Checks an answer against what the client was generated from. */
export function conforms(method: string, path: string, status: number, body: unknown): void {
  const key = `${method} ${path} ${status}`
  const declared =
    specification.paths[path]?.[method.toLowerCase()]?.responses[status]?.content?.['application/json']
      ?.schema
  assert(declared, `${key} is not in the client's description`)
  const schema = JSON.parse(
    JSON.stringify(declared).replaceAll('"#/components', '"api#/components'),
  ) as Schema
  const validate = compiled.get(key) ?? ajv.compile(schema)
  compiled.set(key, validate)
  assert(validate(body), `${key}: ${ajv.errorsText(validate.errors?.slice(0, 5))}`)
}

/** The operations of the description by their ids, in lower case: the client writes "Sso" where the id has "SSO". */
const operations = new Map(
  Object.entries(specification.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, responses }]) =>
      operationId ? [[operationId.toLowerCase(), { method: method.toUpperCase(), path, responses }]] : [],
    ),
  ),
)

/** Calls operations of one group of the client, and checks each answer against the description. @returns the answer's data */
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

/** What is not as the description has it, of every block and inline of a document. */
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

/** What a block or inline of this type has to be, whatever stands in it; undefined for types that are not in that description. */
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
    shape &&
    ajv.compile(
      JSON.parse(
        JSON.stringify({
          ...shape,
          properties: { ...shape.properties, nodes: {}, fragments: {} },
        }).replaceAll('"#/components', '"api#/components'),
      ) as object,
    )
  shapes.set(type, validate)
  return validate
}
