/** Describes operations that are written out on a page, in `{% swagger %}` or the older `{% api-method %}`. */
import { block, type InlineRun, line, paragraph } from '../document/build.ts'
import { readArguments } from '../document/markdown/tags.ts'
import type { Block, BlockOf, Fragment } from '../document/model.ts'
import { append } from '../data/lists.ts'
import { bold, code, codeBlock, folded, plain, said } from './describe/blocks.ts'
import { urlAt } from './request.ts'
import type { SampleRequest } from './samples/request.ts'
import { samplesOf } from './samples/samples.ts'
import { cleanServer, type TryField, type TryOperation, type TryParameter } from './try-it.ts'
import type { ApiWords } from './describe/api-words.ts'

type Place = keyof ApiWords['parameters'] | 'body'

interface WrittenParameter {
  name: string
  type: string
  required: boolean
  place: Place
  about: Block[]
}

const MOST_PARAMETERS = 100
/** The template of a path names parameters in braces, or after a colon. */
const AFTER_COLON = /:([a-z_]\w*)/gi

/** Whether an operation is written out, and is not that of a specification. */
export const isWrittenOut = (node: Block): node is BlockOf<'swagger'> =>
  node.type === 'swagger' && node.data.ref === undefined

/** The blocks that describe an operation. */
export function writtenOutBlocks(node: BlockOf<'swagger'>, words: ApiWords): Block[] {
  const blocks: Block[] = []
  const { summary } = node.data
  if (summary?.trim()) blocks.push(said([bold(summary.trim())]))
  for (const one of fragmentsOf(node, 'swagger-description')) append(blocks, fragmentBlocks(one))
  const { server } = operationPlace(node)
  if (server !== undefined) blocks.push(said([plain(`${words.server}: `), code(server)]))

  const parameters = parametersOf(node)
  for (const place of ['path', 'query', 'header', 'cookie', 'body'] as const) {
    const named = parameters.filter((one) => one.place === place)
    if (named.length === 0) continue
    const items = named.map((one) => block('list-item', {}, [parameterLine(one, words), ...one.about]))
    const title = place === 'body' ? words.body : words.parameters[place]
    blocks.push(folded(title, [block('list-unordered', {}, items as never)], true))
  }

  const responses = fragmentsOf(node, 'swagger-response')
  if (responses.length > 0) blocks.push(said([bold(words.responses)]))
  for (const one of responses) {
    const args = readArguments(one.type ?? '')
    const [status = '', description = ''] = [args.get('status'), args.get('description')]
    const rest = description === '' ? '' : ` – ${description}`
    const content = fragmentBlocks(one)
    blocks.push(
      content.length === 0
        ? said([code(status), plain(rest)])
        : folded(status + rest || words.example, content, status === '' || status.startsWith('2')),
    )
  }
  if (node.data.path === undefined) return blocks
  const items = samplesOf(sampleOf(node, parameters)).map(({ title, syntax, code: written }) =>
    block('tabs-item', { title }, [codeBlock(written, syntax)]),
  )
  return [...blocks, said([bold(words.samples)]), block('tabs', {}, items as never)]
}

/** Returns the data of the form that sends a request to the operation; undefined if no browser could send it. */
export function writtenOutToTry(node: BlockOf<'swagger'>): TryOperation | undefined {
  const { server, path } = operationPlace(node)
  const clean = server === undefined ? undefined : cleanServer(server)
  const method = methodOf(node)
  if (clean === undefined || !path.startsWith('/') || method === 'TRACE') return undefined
  const all = parametersOf(node)
  const body = bodyParameter(all)
  return {
    method,
    path,
    servers: [clean],
    parameters: all.flatMap((one): TryParameter[] =>
      one.place === 'path' || one.place === 'query' || one.place === 'header'
        ? [{ ...fieldOf(one), in: one.place }]
        : [],
    ),
    bodies: body === undefined ? [] : [{ type: 'application/json', text: body }],
    security: [],
  }
}

function fieldOf({ name, type, required, place }: WrittenParameter): TryField {
  return {
    name,
    type,
    ...(required || place === 'path' ? { required: true } : {}),
    ...(/^bool/i.test(type) ? { kind: 'boolean' } : {}),
  }
}

const fragmentsOf = ({ fragments = [] }: BlockOf<'swagger'>, name: string) =>
  fragments.filter(({ fragment }) => fragment === name)

/** Returns the blocks of a part, without empty paragraphs. */
function fragmentBlocks({ nodes }: Fragment): Block[] {
  return nodes.filter((node) => {
    if (node.type !== 'paragraph') return true
    return node.nodes.some(
      (one) => one.object !== 'text' || one.leaves.some(({ text }) => text.trim() !== ''),
    )
  })
}

function parametersOf(node: BlockOf<'swagger'>): WrittenParameter[] {
  return fragmentsOf(node, 'swagger-parameter')
    .slice(0, MOST_PARAMETERS)
    .map((one) => {
      const args = readArguments(one.type ?? '')
      return {
        name: args.get('name') ?? '',
        type: args.get('type') ?? '',
        required: args.get('required') === 'true',
        place: placeNamed(args.get('in')),
        about: fragmentBlocks(one),
      }
    })
}

function placeNamed(name = 'query'): Place {
  if (name === 'path' || name === 'query' || name === 'header' || name === 'cookie') return name
  return name === 'body' || name === 'formData' ? 'body' : 'query'
}

function parameterLine({ name, type, required }: WrittenParameter, words: ApiWords): Block {
  const runs: InlineRun[] = [code(name)]
  if (type !== '') runs.push(plain(` ${type}`))
  if (required) runs.push(plain(', '), bold(words.required))
  return paragraph(line(runs))
}

const methodOf = ({ data }: BlockOf<'swagger'>) => (data.method ?? 'get').toUpperCase()

/** The server and the path of an operation. Some have the whole URL as the path. */
function operationPlace({ data: { baseUrl, path = '' } }: BlockOf<'swagger'>): {
  server?: string
  path: string
} {
  const whole = /^(https?:\/\/[^/]+)(\/.*)?$/i.exec(path)
  const own = (whole ? (whole[2] ?? '/') : path).replace(AFTER_COLON, '{$1}')
  const server = whole ? whole[1] : baseUrl?.trim().replace(/\/$/, '')
  return server ? { server, path: own } : { path: own }
}

function sampleOf(node: BlockOf<'swagger'>, parameters: readonly WrittenParameter[]): SampleRequest {
  const { server, path } = operationPlace(node)
  const query = new URLSearchParams(
    parameters.filter((one) => one.place === 'query' && one.required).map(({ name, type }) => [name, type]),
  ).toString()
  const headers: SampleRequest['headers'] = parameters
    .filter(({ place }) => place === 'header')
    .map(({ name, type }) => [name, type || 'text'])
  const body = bodyParameter(parameters)
  if (body !== undefined && !headers.some(([name]) => name.toLowerCase() === 'content-type'))
    headers.push(['Content-Type', 'application/json'])
  return {
    method: methodOf(node),
    url: `${urlAt(server, path)}${query === '' ? '' : `?${query}`}`,
    headers,
    body: body === undefined ? undefined : { kind: 'text', text: body },
  }
}

function bodyParameter(parameters: readonly WrittenParameter[]): string | undefined {
  const fields = parameters.filter(({ place }) => place === 'body')
  if (fields.length === 0) return undefined
  return JSON.stringify(
    Object.fromEntries(fields.map(({ name, type }) => [name, exampleOfText(type)])),
    null,
    2,
  )
}

function exampleOfText(type: string): unknown {
  if (/^(?:int|num|float|double)/i.test(type)) return 1
  if (/^bool/i.test(type)) return true
  if (/^(?:array|list)|\[\]$/i.test(type)) return []
  return /^(?:object|json)/i.test(type) ? {} : 'text'
}
