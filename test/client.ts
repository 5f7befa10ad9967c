/** Existing clients, unmodified, with their endpoint set to the server. Their descriptions validate every response. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { GitBookAPI } from '@gitbook/api'
import { GitBookAPI as NewestGitBookAPI } from 'gitbook-api-newest'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { Person, World } from './world.ts'

// The types of the clients do not resolve with this module resolution. The tests validate their responses instead.
// oxlint-disable-next-line typescript/no-explicit-any
type Client = any
type Schema = { [key: string]: unknown }
interface Operation {
  id: string
  method: string
  path: string
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}
interface Node {
  object: string
  type: string
  nodes?: Node[]
  fragments?: Node[]
}

/** A request in the parts that a function of a client takes. */
interface ClientRequest {
  /** The ids of the path, in its order. */
  ids: readonly string[]
  query: object
  body: unknown
  headers: Record<string, string>
}

/** A version of the client with the description that it was generated from. */
export type StockClient = ReturnType<typeof stockClient>

const require = createRequire(import.meta.url)

function stockClient(version: string, packaged: string, Made: new (options: object) => Client) {
  const specification = JSON.parse(
    readFileSync(require.resolve(`${packaged}/spec/openapi.json`), 'utf8'),
  ) as {
    paths: Record<
      string,
      Record<string, Omit<Operation, 'id' | 'method' | 'path'> & { operationId?: string }>
    >
    components: { schemas: Record<string, Schema> }
  }
  const { schemas } = specification.components
  correct(schemas)

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
  // Each schema has its own id, so that it is compiled once, and not for each schema that refers to it.
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(withIds(translated(schema)), name)
  const compiled = new Map<string, ValidateFunction>()
  const shapes = new Map<string, ValidateFunction | undefined>()

  const operations = Object.entries(specification.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId: id, responses }]): Operation[] =>
      id ? [{ id, method: method.toUpperCase(), path, responses }] : [],
    ),
  )
  // By id in lower case, because the client writes "Sso" where the description has "SSO".
  const byId = new Map(operations.map((one) => [one.id.toLowerCase(), one]))

  /** The client, signed in as a user. */
  const signedIn = (world: World, person: Person = world.ada): Client =>
    new Made({ endpoint: world.url, authToken: person.token })

  /** Validates a response against the description. */
  function conforms(method: string, path: string, status: number, body: unknown): void {
    const fault = faultOf(method, path, status, body)
    if (fault !== undefined) assert.fail(fault)
  }

  function faultOf(method: string, path: string, status: number, body: unknown): string | undefined {
    const key = `${method} ${path} ${status}`
    const declared =
      specification.paths[path]?.[method.toLowerCase()]?.responses[status]?.content?.['application/json']
        ?.schema
    if (!declared) return `${key} is not in the description of ${version}`
    const validate = compiled.get(key) ?? ajv.compile(withIds(translated(declared)))
    compiled.set(key, validate)
    if (validate(body)) return undefined
    return `${version}, ${key}: ${ajv.errorsText(validate.errors?.slice(0, 5))}`
  }

  /** Calls operations of one group of the client, and validates each response. @returns the data of the response */
  function judged(client: Client, group: string) {
    return async (operation: string, ...args: unknown[]): Promise<Client> => {
      const declared = byId.get(operation.toLowerCase())
      assert(declared, `${operation} is not in the description of ${version}`)
      const { status, data } = await client[group][operation](...args)
      const { method, path, responses } = declared
      assert(
        responses[status],
        `${operation} answered ${status}, which is not in the description of ${version}`,
      )
      if (responses[status].content) conforms(method, path, status, data)
      return data
    }
  }

  /** Sends a request by the function that the client has for an operation. @throws for any answer but 2xx */
  async function send(client: Client, { id }: Operation, request: ClientRequest): Promise<Client> {
    const [run] = Object.values(client).flatMap((group) =>
      Object.entries((group ?? {}) as Record<string, (...given: unknown[]) => unknown>).flatMap(
        ([name, one]) => (name.toLowerCase() === id.toLowerCase() ? [one] : []),
      ),
    )
    assert(run, `the client ${version} has no function for ${id}`)
    // The ids of the path come first. Some functions take a body, a query or both after them.
    const names = /^(?:async )?\(([^)]*)/.exec(run.toString())?.[1]?.match(/\w+(?=\s*[,=]|\s*$)/g) ?? []
    const ids = [...request.ids]
    const given = names.map((name) => {
      if (name === 'params') return { headers: request.headers }
      if (name === 'data') return request.body ?? {}
      return name === 'query' ? request.query : encodeURIComponent(ids.shift() ?? '')
    })
    return run(...given)
  }

  /** The faults of every block and inline of a document against the description. */
  function faultsIn(document: Node): string[] {
    return [...nodesIn(document)].flatMap((node) => {
      const check = shapeOf(node.type)
      const right: boolean = check?.(node) ?? true
      return right ? [] : [`${node.type}: ${ajv.errorsText(check?.errors?.slice(0, 4))}`]
    })
  }

  /** The schema of a block or inline without its content; undefined for types that the description does not have. */
  function shapeOf(type: string): ValidateFunction | undefined {
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
      ajv.compile(withIds({ ...shape, properties: { ...shape.properties, nodes: {}, fragments: {} } }))
    shapes.set(type, validate)
    return validate
  }

  return { version, operations, signedIn, conforms, faultOf, send, judged, faultsIn, shapeOf }
}

/**
 * The descriptions contradict the responses of their service in four places, or name places instead of schemas:
 * a page without its body; `nullable` beside a reference; and which block may contain which, which real pages
 * do not follow. Blocks are therefore validated one by one, each against its own schema.
 */
function correct(schemas: Record<string, Schema>): void {
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
}

/** A description in the dialect of the validator. */
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

function withIds(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"')) as object
}

/** Every block and inline of a document. */
function* nodesIn(node: Node): Generator<Node> {
  if (node.object === 'block' || node.object === 'inline') yield node
  for (const child of [...(node.nodes ?? []), ...(node.fragments ?? [])]) yield* nodesIn(child)
}

const usual = stockClient('0.143.2', '@gitbook/api', GitBookAPI)

/** The client that most people have, and the newest. */
export const STOCK_CLIENTS = [usual, stockClient('0.202.0', 'gitbook-api-newest', NewestGitBookAPI)]

export const { signedIn: clientOf, conforms, judged, faultsIn, shapeOf } = usual
