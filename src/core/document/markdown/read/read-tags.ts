import { block, defined, filled, fragment, voidBlock } from '../../build.ts'
import { readEmojiNames } from '../../emoji.ts'
import type { Block, BlockOf, Fragment, HintStyle, Length } from '../../model.ts'
import { readAddress } from '../addresses.ts'
import { shownArguments, shownProperties } from '../tag-values.ts'
import type { Tag } from '../tags.ts'

type Arguments = Map<string, string>
/** Reads a tag with the blocks inside it. Returns undefined if the blocks do not fit the tag, which is then text. */
type ReadAround = (args: Arguments, blocks: Block[], tag: Tag) => Block | undefined
type ReadAlone = (args: Arguments, tag: Tag) => Block | undefined

/** The block of a tag around blocks; undefined if the model has no such block. */
export function readAround(tag: Tag, blocks: Block[]): Block | undefined {
  return AROUND[tag.name]?.(shownArguments(tag), blocks, tag)
}

/** The block of a tag without content; undefined if the model has no such block. */
export function readAlone(tag: Tag): Block | undefined {
  return tag.name.startsWith('@') ? readIntegration(tag) : ALONE[tag.name]?.(shownArguments(tag), tag)
}

const HINTS = new Set(['info', 'success', 'warning', 'danger'])

const AROUND: Record<string, ReadAround> = {
  hint: (args, blocks) =>
    block('hint', { style: hintStyle(args), ...defined({ icon: some(args, 'icon') }) }, filled(blocks)),
  tabs: (args, blocks) => block('tabs', fullWidth(args), blocks),
  tab: (args, blocks) =>
    block(
      'tabs-item',
      defined({ title: emojiTitle(some(args, 'title')), icon: some(args, 'icon') }),
      filled(blocks),
    ),
  stepper: (_args, blocks) => block('stepper', {}, blocks),
  step: (args, blocks) => block('stepper-step', defined({ icon: some(args, 'icon') }), filled(blocks)),
  columns: (args, blocks) => block('columns', fullWidth(args), blocks),
  column: (args, blocks) =>
    block(
      'column',
      defined({
        width: readLength(args.get('width')),
        verticalAlignment: oneOf(args.get('valign') ?? args.get('verticalAlignment'), [
          'top',
          'middle',
          'bottom',
        ]),
      }),
      filled(blocks),
    ),
  code: readCodeOptions,
  prompt: readPrompt,
  updates: (args, blocks) =>
    block('updates', defined({ format: oneOf(args.get('format'), ['numeric', 'full', 'short']) }), blocks),
  update: (args, blocks) => {
    const tags = (args.get('tags') ?? '').split(',').map((tag) => tag.trim())
    const named = tags.filter((tag) => tag !== '')
    return block(
      'update',
      { date: args.get('date') ?? '', ...(named.length > 0 ? { tags: named } : {}) },
      filled(blocks),
    )
  },
  'content-ref': (args) => withRef(args, 'url', (ref) => voidBlock('content-ref', { ref })),
  'page-ref': (args) => withRef(args, 'page', (ref) => voidBlock('content-ref', { ref })),
  embed: (args, blocks) => readEmbed(args, blocks),
  file: (args, blocks) => withRef(args, 'src', (ref) => voidBlock('file', { ref }, captionOf(blocks))),
  openapi: (args) => readReference(args),
  'openapi-operation': (args) => ALONE['openapi-operation']?.(args, NO_TAG),
  'openapi-schemas': (args) => ALONE['openapi-schemas']?.(args, NO_TAG),
  'openapi-webhook': (args) => ALONE['openapi-webhook']?.(args, NO_TAG),
  swagger: (args) => readReference(args),
}

const ALONE: Record<string, ReadAlone> = {
  embed: (args) => readEmbed(args, []),
  file: (args) => withRef(args, 'src', (ref) => voidBlock('file', { ref })),
  include: (args) => withRef(args, '', (ref) => voidBlock('reusable-content', { ref })),
  'page-ref': (args) => withRef(args, 'page', (ref) => voidBlock('content-ref', { ref })),
  openapi: (args) => readReference(args),
  swagger: (args) => readReference(args),
  'openapi-operation': (args) => {
    const [spec, path, method] = [args.get('spec'), args.get('path'), args.get('method')]
    if (spec === undefined || path === undefined || method === undefined) return undefined
    return voidBlock('openapi-operation', { ref: { kind: 'openapi', spec }, path, method })
  },
  'openapi-schemas': (args) => {
    const [spec, schemas] = [args.get('spec'), args.get('schemas')]
    if (spec === undefined || schemas === undefined) return undefined
    const grouped = flag(args, 'grouped')
    const names = schemas.split(',').map((name) => name.trim())
    return voidBlock(
      'openapi-schemas',
      defined({ ref: { kind: 'openapi' as const, spec }, schemas: names, grouped }),
    )
  },
  'openapi-webhook': (args) => {
    const [spec, name, method] = [args.get('spec'), args.get('name'), args.get('method')]
    if (spec === undefined || name === undefined || method === undefined) return undefined
    return voidBlock('openapi-webhook', { ref: { kind: 'openapi', spec }, name, method })
  },
}

const NO_TAG: Tag = { source: '', name: '', closes: false, argument: '' }

function hintStyle(args: Arguments): HintStyle {
  const style = args.get('style') ?? 'info'
  return HINTS.has(style) ? (style as HintStyle) : 'info'
}

/** The single code block inside, with the options of the tag. Options of the block take precedence. */
function readCodeOptions(args: Arguments, blocks: Block[]): Block | undefined {
  const [code, ...others] = blocks
  if (code?.type !== 'code' || others.length > 0) return undefined
  const options: BlockOf<'code'>['data'] = {
    title: some(args, 'title'),
    overflow: oneOf(args.get('overflow'), ['scroll', 'wrap']),
    lineNumbers: flag(args, 'lineNumbers'),
    fullWidth: flag(args, 'fullWidth'),
    expandable: flag(args, 'expandable'),
  }
  return { ...code, data: { ...defined(options), ...code.data } }
}

function readPrompt(args: Arguments, blocks: Block[]): Block | undefined {
  const [code, ...others] = blocks
  if (code?.type !== 'code' || others.length > 0) return undefined
  const data: BlockOf<'prompt'>['data'] = {
    description: args.get('description') ?? '',
    icon: some(args, 'icon'),
    openInAIProviders: flag(args, 'openInAIProviders'),
    defaultExpanded: oneOf(args.get('defaultExpanded'), ['hidden', 'partial', 'full']),
  }
  return block('prompt', defined(data), [code])
}

function readEmbed(args: Arguments, blocks: Block[]): Block | undefined {
  const url = args.get('url')
  return url === undefined ? undefined : voidBlock('embed', { url, ...fullWidth(args) }, captionOf(blocks))
}

/** The blocks inside an embed or a file are its caption. */
function captionOf(blocks: Block[]): Fragment[] {
  return blocks.length === 0 ? [] : [fragment('caption', blocks)]
}

/** A block that refers to an API description by address, with the legacy name of the block. */
function readReference(args: Arguments): Block | undefined {
  return withRef(args, args.has('src') ? 'src' : 'url', (ref) => {
    const [path, method, expanded] = [some(args, 'path'), some(args, 'method'), flag(args, 'expanded')]
    return voidBlock('swagger', defined({ ref, path, method, expanded, ...fullWidth(args) }))
  })
}

function readIntegration(tag: Tag): Block | undefined {
  const [integration, name] = tag.name.slice(1).split('/')
  if (integration === undefined || name === undefined) return undefined
  const { fullWidth: wide, url, ...props } = shownProperties(tag)
  const data: BlockOf<'integration'>['data'] = { integration, block: name, props }
  if (typeof url === 'string') data.url = url
  else if (url !== undefined) props.url = url
  if (typeof wide === 'boolean') data.fullWidth = wide
  else if (wide !== undefined) props.fullWidth = wide
  return voidBlock('integration', data)
}

function withRef(
  args: Arguments,
  name: string,
  make: (ref: ReturnType<typeof readAddress>) => Block,
): Block | undefined {
  const url = args.get(name)
  return url === undefined || url === '' ? undefined : make(readAddress(url))
}

function some(args: Arguments, name: string): string | undefined {
  const value = args.get(name)
  return value === '' ? undefined : value
}

const emojiTitle = (title: string | undefined) => title && readEmojiNames(title)

function flag(args: Arguments, name: string): boolean | undefined {
  const value = args.get(name)
  return value === 'true' ? true : value === 'false' ? false : undefined
}

function fullWidth(args: Arguments): { fullWidth?: boolean } {
  const value = flag(args, 'fullWidth')
  return value === undefined ? {} : { fullWidth: value }
}

function oneOf<T extends string>(value: string | undefined, values: readonly T[]): T | undefined {
  return values.find((one) => one === value)
}

/** `563`, `563px` or `50%`; undefined for anything else. A number without a unit has none in the result. */
export function readLength(value: string | undefined): Length | undefined {
  const match = /^(\d+(?:\.\d+)?)(px|%)?$/.exec(value?.trim() ?? '')
  if (!match) return undefined
  const number = Number(match[1])
  const unit = match[2] as 'px' | '%' | undefined
  return unit === undefined ? number : { unit, value: number }
}
