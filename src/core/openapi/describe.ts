/** Describes operations, webhooks and schemas with the blocks of documents, so that every form of a page has them. */
import { block, type InlineRun, line, paragraph } from '../document/build.ts'
import type { Block, Document } from '../document/model.ts'
import { callbacksOf } from './callbacks.ts'
import { bold, code, codeBlock, folded, plain, said } from './blocks.ts'
import { mapBlocks } from '../document/map-blocks.ts'
import { parseDescription } from '../document/description.ts'
import { withoutHidden } from '../document/markdown/hiding-tags.ts'
import { blockText } from '../document/text.ts'
import { isRecord } from '../data/is-record.ts'
import { append } from '../data/lists.ts'
import { exampleText } from './example-text.ts'
import type { SpecSourceParts } from './described.ts'
import { wantedPointers } from './described.ts'
import { type SampleRequest, samplesOf } from './samples.ts'
import { authenticationOf, queryOf, serverOf } from './request.ts'
import {
  allowedValues,
  exampleOf,
  itemsOf,
  itemsIn,
  propertiesOf,
  resolvePart,
  resolveSchema,
  constraintsOf,
  type SchemaBudget,
  typeName,
  variantsOf,
  writtenValue,
} from './schema.ts'
import { API_WORDS, type ApiWords } from './api-words.ts'
import { isWrittenOut, writtenOutBlocks } from './written-out.ts'
import { startOfDescription } from './response-title.ts'

type Fields = Record<string, unknown>

/** Schemas that one page shows, and those that its examples have. */
const MOST_SHOWN = 1_500
const MOST_IN_EXAMPLES = 2_000
/** Schemas inside one another. */
const DEEPEST = 8
/** Characters of all descriptions of one page. */
const MOST_DESCRIBED = 300_000

interface Describing {
  parts: SpecSourceParts
  /** The title of the page and its headings, which a summary does not repeat. */
  titles: ReadonlySet<string | undefined>
  words: ApiWords
  shown: SchemaBudget
  examples: SchemaBudget
  described: { left: number }
}

/** The page on which documents are shown. */
export interface ApiSurroundings {
  language?: string | undefined
  /** Whether its documents may have operations that are written out. */
  hasWrittenOut?: boolean
  title?: string | undefined
}

/**
 * Returns a function that puts the descriptions of operations, webhooks and schemas after the blocks of a document that
 * name them. It bounds what it adds to all documents of a page together.
 * @param specs the parts of specifications, by slug
 */
export function apiDescriber(
  specs: ReadonlyMap<string, SpecSourceParts>,
  { language = 'en', hasWrittenOut = false, title }: ApiSurroundings = {},
): (document: Document) => Document {
  if (specs.size === 0 && !hasWrittenOut) return (document) => document
  const words = API_WORDS[language] ?? API_WORDS['en']!
  const room = {
    shown: { schemas: MOST_SHOWN },
    examples: { schemas: MOST_IN_EXAMPLES },
    described: { left: MOST_DESCRIBED },
  }
  return (document) => {
    const headings = document.nodes.filter(({ type }) => type.startsWith('heading-')).map(blockText)
    const common = { ...room, words, titles: new Set([title, ...headings].map((one) => one?.trim())) }
    return {
      ...document,
      nodes: mapBlocks(document.nodes, (node) => [node, ...blocksAbout(node, specs, common)]),
    }
  }
}

/** The blocks that describe what a block names; none for other blocks. */
function blocksAbout(
  node: Block,
  specs: ReadonlyMap<string, SpecSourceParts>,
  common: Omit<Describing, 'parts'>,
): Block[] {
  if (isWrittenOut(node)) return writtenOutBlocks(node, common.words)
  const spec = 'ref' in node.data && node.data.ref?.kind === 'openapi' ? node.data.ref.spec : undefined
  const parts = spec === undefined ? undefined : specs.get(spec)
  if (spec === undefined || !parts) return []
  const describing = { ...common, parts }
  if (node.type === 'openapi-schemas') return schemaBlocks(node.data.schemas, describing)
  if (node.type !== 'openapi-operation' && node.type !== 'openapi-webhook') return []
  const { data } = node
  const wanted =
    'path' in data
      ? { kind: 'operation' as const, spec, path: data.path, method: data.method }
      : { kind: 'webhook' as const, spec, name: data.name, method: data.method }
  const operation = parts[wantedPointers(wanted)[0] ?? '']
  if (!isRecord(operation)) return []
  const path = wanted.kind === 'operation' ? wanted.path : undefined
  return operationBlocks(operation, { path, method: data.method }, describing)
}

function schemaBlocks(names: readonly string[], describing: Describing): Block[] {
  return names.slice(0, 100).flatMap((name) => {
    const reference = `#/components/schemas/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const { schema } = resolveSchema(describing.parts, { $ref: reference })
    if (Object.keys(schema).length === 0) return []
    return [folded(name, schemaBody({ $ref: reference }, describing, []), names.length === 1)]
  })
}

function operationBlocks(
  operation: Fields,
  { path, method }: { path: string | undefined; method: string },
  describing: Describing,
): Block[] {
  const { words, parts } = describing
  const blocks: Block[] = []
  const { summary, description, deprecated } = operation
  const brief = typeof summary === 'string' ? withoutHidden(summary).trim() : ''
  if (brief !== '' && !describing.titles.has(brief)) blocks.push(said([bold(brief)]))
  if (deprecated === true) blocks.push(block('hint', { style: 'warning' }, [paragraph(words.deprecated)]))
  append(blocks, described(description, describing))

  const info = isRecord(parts['']) ? parts[''] : {}
  const server = serverOf(operation, info)
  if (path !== undefined && server !== undefined)
    blocks.push(said([plain(`${words.server}: `), code(server)]))
  const authentication = authenticationOf(operation, info)
  if (authentication.length > 0)
    blocks.push(
      said([
        plain(`${words.authentication}: `),
        ...authentication.flatMap(({ name, detail }, i): InlineRun[] => [
          ...(i > 0 ? [plain(', ')] : []),
          code(name),
          plain(detail === '' ? '' : ` (${detail})`),
        ]),
      ]),
    )

  const parameters = itemsIn(operation['parameters'])
    .map((one) => resolvePart(parts, one).value)
    .filter(isRecord)
  for (const place of ['path', 'query', 'header', 'cookie'] as const) {
    const named = parameters.filter((one) => one['in'] === place)
    if (named.length === 0) continue
    const fields = named.map((one) => ({
      name: writtenValue(one['name']),
      schema: schemaOfParameter(one),
      required: one['required'] === true,
      more: one,
    }))
    blocks.push(folded(words.parameters[place], fieldList(fields, describing, []), true))
  }

  const body = resolvePart(parts, operation['requestBody']).value
  if (isRecord(body)) {
    const content = [...described(body['description'], describing), ...contentBlocks(body, describing)]
    const title = body['required'] === true ? `${words.body} (${words.required})` : words.body
    blocks.push(folded(title, content, true))
  }
  append(blocks, responseBlocks(operation['responses'], describing))
  if (path !== undefined)
    append(blocks, sampleBlocks({ operation, info, server, path, method, parameters, body }, describing))
  const callbacks = callbacksOf(parts, operation['callbacks'])
  if (callbacks.length > 0) blocks.push(said([bold(words.callbacks)]))
  for (const { title, operation: callback, method: own } of callbacks)
    blocks.push(folded(title, operationBlocks(callback, { path: undefined, method: own }, describing), false))
  return blocks
}

function schemaOfParameter({ schema, content }: Fields): unknown {
  if (schema !== undefined) return schema
  const [media] = isRecord(content) ? Object.values(content) : []
  return isRecord(media) ? media['schema'] : {}
}

function responseBlocks(responses: unknown, describing: Describing): Block[] {
  if (!isRecord(responses)) return []
  const blocks: Block[] = [said([bold(describing.words.responses)])]
  for (const [status, value] of Object.entries(responses).slice(0, 50)) {
    if (status.startsWith('x-')) continue
    const response = resolvePart(describing.parts, value).value
    if (!isRecord(response)) continue
    const { description, headers } = response
    const { start, isAll } = startOfDescription(description)
    const content: Block[] = isAll ? [] : described(description, describing)
    if (isRecord(headers)) {
      const fields = Object.entries(headers).flatMap(([name, one]) => {
        const header = resolvePart(describing.parts, one).value
        if (!isRecord(header)) return []
        const required = header['required'] === true
        return [{ name, schema: schemaOfParameter(header), required, more: header }]
      })
      content.push(said([bold(describing.words.parameters.header)]))
      append(content, fieldList(fields, describing, []))
    }
    append(content, contentBlocks(response, describing))
    const title = start === '' ? status : `${status} – ${start}`
    blocks.push(
      content.length === 0 ? onlyNamed(status, start) : folded(title, content, status.startsWith('2')),
    )
  }
  return blocks
}

const onlyNamed = (status: string, description: string) =>
  said([code(status), plain(description === '' ? '' : ` – ${description}`)])

/** The media types of a body, each with its schema and an example. */
function contentBlocks({ content }: Fields, describing: Describing): Block[] {
  if (!isRecord(content)) return []
  return Object.entries(content)
    .slice(0, 5)
    .flatMap(([type, media]) => {
      if (!isRecord(media)) return [said([code(type)])]
      const { schema } = media
      const blocks: Block[] = [said([code(type), plain(` ${typeName(describing.parts, schema)}`)])]
      if (schema !== undefined) append(blocks, schemaBody(schema, describing, []))
      const example = exampleText(media, type, describing)
      if (example !== undefined) blocks.push(codeBlock(example, syntaxOf(type), describing.words.example))
      return blocks
    })
}

const syntaxOf = (type: string) => (/json/i.test(type) ? 'json' : /xml/i.test(type) ? 'xml' : 'text')

interface Field {
  name: string
  schema: unknown
  required: boolean
  /** The parameter or header, whose description comes before that of its schema. */
  more?: Fields
}

/** The fields of an object: simple ones in a list, and those with fields of their own as sections to unfold. */
function fieldList(fields: readonly Field[], describing: Describing, above: readonly string[]): Block[] {
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

const aboutOf = ({ more }: Field, schema: Fields) => more?.['description'] ?? schema['description']

function fieldLine(field: Field, schema: Fields, isRecursive: boolean, { parts, words }: Describing): Block {
  const runs: InlineRun[] = [code(field.name), plain(` ${typeName(parts, field.schema)}`)]
  const add = (word: string) => void runs.push(plain(`, ${word}`))
  if (field.required) runs.push(plain(', '), bold(words.required))
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
function schemaBody(value: unknown, describing: Describing, above: readonly string[]): Block[] {
  const { schema, reference } = resolveSchema(describing.parts, value)
  return [
    ...described(schema['description'], describing),
    ...insideOf(schema, describing, below(above, reference)),
  ]
}

/** The fields, variants or items of a schema; nothing for a simple one. */
function insideOf(schema: Fields, describing: Describing, above: readonly string[]): Block[] {
  if (above.length > DEEPEST || describing.shown.schemas <= 0) return []
  const { parts, words } = describing
  const blocks = fieldList(propertiesOf(parts, schema), describing, above)
  const more = schema['additionalProperties']
  if (isRecord(more) && Object.keys(more).length > 0)
    append(blocks, fieldList([{ name: words.otherFields, schema: more, required: false }], describing, above))

  const found = variantsOf(schema)
  if (found) {
    const { keyword, variants } = found
    const [only] = variants
    if (variants.length === 1) append(blocks, variantBody(only, describing, above))
    else {
      const named = variants.map((one, i) => {
        const { schema: variant, name } = resolveSchema(parts, one)
        const title = typeof variant['title'] === 'string' ? withoutHidden(variant['title']) : ''
        return folded(
          title || (name ?? `${i + 1}: ${typeName(parts, one)}`),
          variantBody(one, describing, above),
          false,
        )
      })
      blocks.push(said([plain(words[keyword])]))
      append(blocks, named)
    }
  }
  const items = itemsOf(schema)
  if (items !== undefined) append(blocks, variantBody(items, describing, above))
  return blocks
}

function variantBody(value: unknown, describing: Describing, above: readonly string[]): Block[] {
  const { reference } = resolveSchema(describing.parts, value)
  if (reference !== undefined && above.includes(reference)) return [paragraph(describing.words.recursive)]
  describing.shown.schemas -= 1
  return schemaBody(value, describing, above)
}

function sampleBlocks(
  {
    operation,
    info,
    server,
    path,
    method,
    parameters,
    body,
  }: {
    operation: Fields
    info: Fields
    server: string | undefined
    path: string
    method: string
    parameters: Fields[]
    body: unknown
  },
  describing: Describing,
): Block[] {
  const [type, media] =
    isRecord(body) && isRecord(body['content']) ? (Object.entries(body['content'])[0] ?? []) : []
  const sent = type !== undefined && isRecord(media) ? exampleText(media, type, describing) : undefined
  const [authorization] = authenticationOf(operation, info).flatMap(({ header }) => (header ? [header] : []))
  // One of the ways to authenticate is enough.
  const headers: SampleRequest['headers'] = authorization ? [authorization] : []
  if (sent !== undefined && type !== undefined) headers.push(['Content-Type', type])
  const request: SampleRequest = {
    method: method.toUpperCase(),
    url: `${server ?? 'https://api.example.com'}${path}${queryOf(parameters, (one) => exampleOf(describing.parts, schemaOfParameter(one), describing.examples))}`,
    headers,
    ...(sent === undefined ? {} : { body: sent }),
  }
  const items = samplesOf(request).map(({ title, syntax, code: written }) =>
    block('tabs-item', { title }, [codeBlock(written, syntax)]),
  )
  return [said([bold(describing.words.samples)]), block('tabs', {}, items as never)]
}

/** A description in Markdown. */
function described(description: unknown, { described: room }: Describing): Block[] {
  if (typeof description !== 'string' || description.trim() === '' || room.left <= 0) return []
  const written = description.slice(0, room.left)
  room.left -= written.length
  return parseDescription(written)
}
