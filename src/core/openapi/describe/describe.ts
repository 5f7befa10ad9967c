/** Describes operations, webhooks and schemas with the blocks of documents, so that every form of a page has them. */
import { block, type InlineRun, paragraph } from '../../document/build.ts'
import type { Block, Document } from '../../document/model.ts'
import { callbacksOf } from '../callbacks.ts'
import { bold, code, codeBlock, folded, plain, said } from './blocks.ts'
import { mapBlocks } from '../../document/map-blocks.ts'
import { withoutHidden } from '../../document/markdown/hiding-tags.ts'
import { blockText } from '../../document/text.ts'
import { isRecord } from '../../data/is-record.ts'
import { append } from '../../data/lists.ts'
import { described, type Describing } from './describing.ts'
import { exampleTexts, type WrittenExample } from '../schemas/example-text.ts'
import { schemaOfMedia } from '../schemas/forms.ts'
import type { SpecSourceParts } from '../described.ts'
import { wantedPointers } from '../described.ts'
import { authenticationOf, schemaOfParameter, serverOf } from '../request.ts'
import { itemsIn, resolvePart, resolveSchema } from '../schemas/schema.ts'
import { writtenValue } from '../schemas/rules.ts'
import { sampleBlocks } from './sample-blocks.ts'
import { fieldList, schemaBody } from './schema-blocks.ts'
import { typeName } from '../schemas/type-name.ts'
import { API_WORDS } from './api-words.ts'
import { pointerTo } from '../spec-parts.ts'
import { isWrittenOut, writtenOutBlocks } from '../written-out.ts'
import { startOfDescription } from './response-title.ts'

type Fields = Record<string, unknown>

/** The operations of a document whose samples are in all languages. */
const FEW_OPERATIONS = 5
/** Schemas that one page shows, and those that its examples have. */
const MOST_SHOWN = 1_500
const MOST_IN_EXAMPLES = 2_000
/** Characters of all descriptions of one page. */
const MOST_DESCRIBED = 300_000

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
  const words = API_WORDS[language] ?? API_WORDS.en
  const room = {
    shown: { schemas: MOST_SHOWN },
    examples: { schemas: MOST_IN_EXAMPLES },
    described: { left: MOST_DESCRIBED },
  }
  return (document) => {
    const headings = document.nodes.filter(({ type }) => type.startsWith('heading-')).map(blockText)
    const operations = document.nodes.filter(({ type }) => type === 'openapi-operation').length
    const hasManyOperations = operations > FEW_OPERATIONS
    const common = {
      ...room,
      words,
      hasManyOperations,
      titles: new Set([title, ...headings].map((one) => one?.trim())),
    }
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
    const reference = `#${pointerTo(['components', 'schemas', name])}`
    const { schema } = resolveSchema(describing.parts, { $ref: reference })
    if (Object.keys(schema).length === 0) return []
    return [folded(name, schemaBody({ $ref: reference }, describing), names.length === 1)]
  })
}

function operationBlocks(
  operation: Fields,
  { path, method }: { path: string | undefined; method: string },
  describing: Describing,
): Block[] {
  const { words, parts } = describing
  // Others send the requests of webhooks and callbacks.
  const isOwn = path !== undefined
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
    blocks.push(folded(words.parameters[place], fieldList(fields, describing), true))
  }

  const body = resolvePart(parts, operation['requestBody']).value
  if (isRecord(body)) {
    const content = [
      ...described(body['description'], describing),
      ...contentBlocks(body, { ...describing, direction: isOwn ? 'request' : undefined }),
    ]
    const title = body['required'] === true ? `${words.body} (${words.required})` : words.body
    blocks.push(folded(title, content, true))
  }
  append(
    blocks,
    responseBlocks(operation['responses'], { ...describing, direction: isOwn ? 'response' : undefined }),
  )
  if (path !== undefined)
    append(blocks, sampleBlocks({ operation, info, server, path, method, parameters, body }, describing))
  const callbacks = callbacksOf(parts, operation['callbacks'])
  if (callbacks.length > 0) blocks.push(said([bold(words.callbacks)]))
  for (const { title, operation: callback, method: own } of callbacks)
    blocks.push(folded(title, operationBlocks(callback, { path: undefined, method: own }, describing), false))
  return blocks
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
      append(content, fieldList(fields, describing))
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

/** The media types of a body, each with its schema and its examples. */
function contentBlocks({ content }: Fields, describing: Describing): Block[] {
  if (!isRecord(content)) return []
  return Object.entries(content)
    .slice(0, 5)
    .flatMap(([type, media]) => {
      if (!isRecord(media)) return [said([code(type)])]
      // The items of a stream have a schema too (OpenAPI 3.2).
      const schema = schemaOfMedia(describing.parts, media, type) ?? media['itemSchema']
      const blocks: Block[] = [said([code(type), plain(` ${typeName(describing.parts, schema)}`)])]
      if (schema !== undefined) append(blocks, schemaBody(schema, describing))
      append(blocks, exampleBlocks(exampleTexts(media, type, describing), type, describing))
      return blocks
    })
}

/** One example, or several to choose from. */
function exampleBlocks(examples: readonly WrittenExample[], type: string, { words }: Describing): Block[] {
  const [only, ...more] = examples
  if (!only) return []
  const shown = (text: string) => codeBlock(text, syntaxOf(type), words.example)
  if (more.length === 0) return [shown(only.text)]
  const items = examples.map(({ title = words.example, text }) =>
    block('tabs-item', { title: withoutHidden(title) }, [shown(text)]),
  )
  return [block('tabs', {}, items as never)]
}

const syntaxOf = (type: string) => (/json/i.test(type) ? 'json' : /xml/i.test(type) ? 'xml' : 'text')
