import { isBlankLine } from '../../build.ts'
import type { Align, Block, BlockOf, BlockType, Fragment, Length } from '../../model.ts'
import { blockText } from '../../text.ts'
import { onOneLine } from '../../../text/trimming.ts'
import { printAddress } from '../addresses.ts'
import { attribute, escapeHtmlText, keepEdges } from './escape.ts'
import { printRuns } from './print-line.ts'
import type { Printing } from './print-line.ts'

type HtmlBlock = Extract<
  BlockType,
  | 'paragraph'
  | 'heading-1'
  | 'heading-2'
  | 'heading-3'
  | 'list-unordered'
  | 'list-ordered'
  | 'list-tasks'
  | 'list-item'
  | 'divider'
  | 'blockquote'
  | 'code'
  | 'images'
  | 'drawing'
  | 'expandable'
  | 'table'
  | 'if'
>

const BLOCKS: { [T in HtmlBlock]: (block: BlockOf<T>, printing: Printing) => string } = {
  paragraph: (block, printing) => `<p${align(block.data.align)}>${htmlLine(block.nodes, printing)}</p>`,
  'heading-1': (block, printing) => heading('h2', block, printing),
  'heading-2': (block, printing) => heading('h3', block, printing),
  'heading-3': (block, printing) => heading('h4', block, printing),
  'list-unordered': (block, printing) => `<ul>${htmlBlocks(block.nodes, printing)}</ul>`,
  'list-ordered': (block, printing) =>
    `<ol${attribute('start', block.data.start)}>${htmlBlocks(block.nodes, printing)}</ol>`,
  'list-tasks': (block, printing) => `<ul>${htmlBlocks(block.nodes, printing)}</ul>`,
  'list-item': (block, printing) => {
    const checked = block.data.checked === undefined ? undefined : String(block.data.checked)
    return `<li${attribute('data-checked', checked)}>${htmlCell(block.nodes, printing)}</li>`
  },
  divider: () => '<hr>',
  blockquote: (block, printing) => `<blockquote>${htmlCell(block.nodes, printing)}</blockquote>`,
  code: (block, printing) => printPre(block, printing).replaceAll('\n', '&#xA;'),
  images: printImages,
  drawing: ({ data }) =>
    `<img${attribute('src', data.ref && printAddress(data.ref))} alt="" class="gitbook-drawing">`,
  expandable: (block, printing) => {
    const { title, body } = expandableParts(block)
    return `<details${block.data.defaultExpanded ? ' open' : ''}><summary>${title(printing)}</summary>${htmlBlocks(body, printing)}</details>`
  },
  table: (block, printing) => printing.printHtmlTable(block, printing),
  if: ({ data, nodes }, printing) =>
    `{% if ${onOneLine(data.expression).trim()} %}${htmlBlocks(nodes, printing)}{% endif %}`,
}

/**
 * Prints blocks as HTML on one line. A block without an HTML element becomes its text and the blocks in it, because only
 * Markdown can express it.
 */
export function htmlBlocks(blocks: readonly Block[], printing: Printing): string {
  return blocks
    .map((block) => {
      const print = (BLOCKS as Record<string, ((block: Block, printing: Printing) => string) | undefined>)[
        block.type
      ]
      return print ? print(block, printing) : plainBlock(block, printing)
    })
    .join('')
}

/** A block of which only the text has an element. The blocks in it keep their conditions. */
function plainBlock(block: Block, printing: Printing): string {
  const inner = [...(block.nodes ?? []), ...(block.fragments ?? []).flatMap(({ nodes }) => nodes)]
  const blocks = inner.filter((node) => node.object === 'block')
  const own = blocks.length === 0 ? block : Object.assign({}, block, { nodes: [], fragments: [] })
  const text = blockText(own)
  const line = text === '' && blocks.length > 0 ? '' : `<p>${keepEdges(escapeHtmlText(text))}</p>`
  return line + htmlBlocks(blocks, printing)
}

/** Blocks in a cell or list item, where a single paragraph needs no element. */
export function htmlCell(blocks: readonly Block[], printing: Printing): string {
  const [only, ...others] = blocks
  if (others.length > 0 || only?.type !== 'paragraph' || only.data.align !== undefined)
    return htmlBlocks(blocks, printing)
  return isBlankLine(only) ? '' : htmlLine(only.nodes, printing)
}

/** A line in HTML; space at its ends is kept. */
function htmlLine(nodes: BlockOf<'paragraph'>['nodes'], printing: Printing): string {
  return keepEdges(printRuns(nodes, printing.inCell ? 'cell' : 'html', printing))
}

/** Prints a `<figure>` for each image. A `<div>` around them has the settings that all images share. */
export function printImages(block: BlockOf<'images'>, printing: Printing): string {
  const { align: side, fullWidth, withFrame } = block.data
  const figures = block.nodes.map((node) => (node.type === 'image' ? figure(node, printing) : '')).join(' ')
  const attributes = [
    attribute('align', side),
    attribute('data-full-width', fullWidth ? 'true' : undefined),
    attribute('data-with-frame', withFrame ? 'true' : undefined),
  ].join('')
  return attributes === '' && block.nodes.length === 1 ? figures : `<div${attributes}>${figures}</div>`
}

function figure({ data, fragments }: BlockOf<'image'>, printing: Printing): string {
  const size = attribute('width', length(data.width)) + attribute('height', length(data.height))
  const image = `<img${attribute('src', printAddress(data.ref))}${attribute('alt', data.alt ?? '')}${size}>`
  const dark = data.refDark && attribute('srcset', printAddress(data.refDark))
  const shown = dark
    ? `<picture><source${dark} media="(prefers-color-scheme: dark)">${image}</picture>`
    : image
  return `<figure>${shown}<figcaption>${htmlBlocks(captionOf(fragments), printing)}</figcaption></figure>`
}

/** The blocks of a caption, none if there is none. */
export function captionOf(fragments: readonly Fragment[] | undefined): Block[] {
  return fragments?.find((fragment) => fragment.fragment === 'caption')?.nodes ?? []
}

/** The title of an expandable as HTML, and the blocks that it hides. */
export function expandableParts(block: BlockOf<'expandable'>): {
  title: (printing: Printing) => string
  body: Block[]
} {
  const part = (name: string) =>
    block.fragments?.find((one) => one.fragment === name || one.type === name)?.nodes ?? []
  const [first] = part('expandable-title')
  const body = part('expandable-body')
  return {
    title: (printing) => (first?.type === 'paragraph' ? htmlLine(first.nodes, printing) : ''),
    body: body.length === 1 && isBlankLine(body[0]) ? [] : body,
  }
}

/** Prints a heading or paragraph. If it is not at the start of the line, it needs HTML. */
export function heading(
  name: 'h2' | 'h3' | 'h4',
  { data, nodes }: BlockOf<'heading-1' | 'heading-2' | 'heading-3'>,
  printing: Printing,
): string {
  const anchor = data.id === undefined ? '' : ` ${printAnchor(data.id)}`
  return `<${name}${align(data.align)}>${htmlLine(nodes, printing)}${anchor}</${name}>`
}

/** Prints the anchor that the author set on a heading. */
export function printAnchor(id: string): string {
  return `<a${attribute('href', `#${id}`)}${attribute('id', id)}></a>`
}

/** Prints code that has marks or highlighted lines, as HTML of several lines. */
export function printPre({ data, nodes }: BlockOf<'code'>, printing: Printing): string {
  const flag = (value: boolean | undefined) => (value ? 'true' : undefined)
  const attributes = [
    attribute('class', data.syntax === undefined ? undefined : `language-${data.syntax}`),
    attribute('data-title', data.title),
    attribute('data-overflow', data.overflow),
    attribute('data-line-numbers', flag(data.lineNumbers)),
    attribute('data-full-width', flag(data.fullWidth)),
    attribute('data-expandable', flag(data.expandable)),
  ].join('')
  const syntax = attribute('class', data.syntax === undefined ? undefined : `lang-${data.syntax}`)
  const lines = nodes.map((node) => {
    if (node.type !== 'code-line') return ''
    const text = `${printRuns(node.nodes, 'pre', printing)}\n`
    return node.data.highlighted ? `<strong>${text}</strong>` : text
  })
  return `<pre${attributes}><code${syntax}>${lines.join('')}</code></pre>`
}

/** `563`, `563px` or `50%`. */
export function length(value: Length | undefined): string | undefined {
  if (value === undefined) return undefined
  return typeof value === 'number' ? String(value) : `${value.value}${value.unit}`
}

function align(value: Align | undefined): string {
  return attribute('align', value === 'start' ? 'left' : value === 'end' ? 'right' : value)
}
