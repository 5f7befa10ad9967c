import { defined, filled, fragment, voidBlock } from '../../build.ts'
import type { Block, BlockOf, Fragment } from '../../model.ts'
import { shownArguments } from '../tag-values.ts'
import { printArguments } from '../tags.ts'
import type { Tag } from '../tags.ts'

/** A tag inside a hand-written API operation. */
export interface Part {
  tag: Tag
  /** The tags inside it. */
  parts: Part[]
  /** The blocks inside it that are not in a nested part. */
  blocks: Block[]
}

/** True for a tag that is a part of a hand-written API operation and has no meaning elsewhere. */
export function isPart(name: string): boolean {
  return name.startsWith('swagger-') || name.startsWith('api-method-')
}

/** True for a tag around parts: `{% swagger %}` without an address, and the older `{% api-method %}`. */
export function isOperation(tag: Tag): boolean {
  return tag.name === 'api-method' || (tag.name === 'swagger' && !shownArguments(tag).has('src'))
}

/**
 * The `swagger` block of a hand-written operation. It has no reference. Its parts are the fragments
 * `swagger-description`, `swagger-parameter` and `swagger-response`, whose `type` holds the arguments of the tag.
 */
export function readOperation(tag: Tag, parts: Part[]): Block {
  const args = shownArguments(tag)
  const data: BlockOf<'swagger'>['data'] = {
    path: args.get('path'),
    method: args.get('method'),
    baseUrl: args.get('baseUrl') ?? args.get('host'),
    summary: args.get('summary') ?? summaryOf(parts),
  }
  return voidBlock(
    'swagger',
    defined(data),
    parts.flatMap((part) => readPart(part, 'query')),
  )
}

/** The location of the parameters inside each part of the older form. */
const PLACES: Record<string, string> = {
  'api-method-path-parameters': 'path',
  'api-method-headers': 'header',
  'api-method-query-parameters': 'query',
  'api-method-form-data-parameters': 'body',
  'api-method-body-parameters': 'body',
}

function readPart({ tag, parts, blocks }: Part, place: string): Fragment[] {
  const args = shownArguments(tag)
  if (tag.name.startsWith('swagger-')) return [partFragment(tag.name, args, blocks)]
  if (tag.name === 'api-method-summary') return []
  if (tag.name === 'api-method-description') return [partFragment('swagger-description', args, blocks)]
  if (tag.name === 'api-method-parameter')
    return [partFragment('swagger-parameter', new Map([['in', place], ...args]), blocks)]
  if (tag.name === 'api-method-response-example') {
    const inside = [...parts.flatMap((part) => part.blocks), ...blocks]
    return [partFragment('swagger-response', new Map([['status', args.get('httpCode') ?? '200']]), inside)]
  }
  return parts.flatMap((part) => readPart(part, PLACES[tag.name] ?? place))
}

function summaryOf(parts: Part[]): string | undefined {
  const summary = parts.find((part) => part.tag.name === 'api-method-summary')?.blocks[0]
  if (summary?.type !== 'paragraph') return undefined
  return summary.nodes
    .flatMap((node) => (node.object === 'text' ? node.leaves.map((leaf) => leaf.text) : []))
    .join('')
}

function partFragment(name: string, args: Map<string, string>, blocks: Block[]): Fragment {
  const written = printArguments(Object.fromEntries(args)).join(' ')
  return fragment(name, filled(blocks), written === '' ? undefined : written)
}
