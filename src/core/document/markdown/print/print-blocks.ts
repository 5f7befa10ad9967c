import { greatest } from '../../../data/lists.ts'
import { isBlankLine } from '../../build.ts'
import { keepEmojiNames } from '../../emoji.ts'
import type { Block, BlockOf, BlockType, ContentRef, Fragment } from '../../model.ts'
import { printAddress } from '../addresses.ts'
import { containerTag } from '../html-source.ts'
import { escapeLastSigns, escapeLineStart, escapeText, escapeUrl, keepEdges } from './escape.ts'
import {
  captionOf,
  expandableParts,
  heading,
  htmlBlocks,
  length,
  printAnchor,
  printImages,
  printPre,
} from './print-html.ts'
import { isListBlock, printRuns } from './print-line.ts'
import type { Printing } from './print-line.ts'
import { printTable } from './print-table.ts'
import { printProperties, printTag, quote } from '../tags.ts'
import { onOneLine } from '../../../text/trimming.ts'

/** Prints blocks below one another, with a blank line between. */
export function printBlocks(blocks: readonly Block[], printing: Printing): string {
  return printEach(blocks, printing)
    .filter((text) => text !== '')
    .join('\n\n')
}

/**
 * Prints blocks one by one. Neighbouring lists of one kind alternate their signs, because they would be read as one
 * list otherwise. A rule or list in the first line of a list item uses a sign other than the item's `sign`.
 */
export function printEach(blocks: readonly Block[], printing: Printing, sign = ''): string[] {
  let other = false
  return blocks.map((block, index) => {
    const previous = blocks[index - 1]
    if (!isListBlock(block))
      return block.type === 'divider' && index === 0 && sign === '*' ? '---' : printBlock(block, printing)
    if (previous && isListBlock(previous) && isOrdered(previous) === isOrdered(block)) other = !other
    else other = index === 0 && sign === '*' && !isOrdered(block)
    return printing.printList(block, printing, other)
  })
}

function printBlock(block: Block, printing: Printing): string {
  const print = BLOCKS[block.type] as (block: Block, printing: Printing) => string
  return print(block, printing)
}

function isOrdered(block: Block): boolean {
  return block.type === 'list-ordered'
}

const BLOCKS: { [T in BlockType]: (block: BlockOf<T>, printing: Printing) => string } = {
  paragraph: printParagraph,
  'heading-1': (block, printing) => printHeading('##', 'h2', block, printing),
  'heading-2': (block, printing) => printHeading('###', 'h3', block, printing),
  'heading-3': (block, printing) => printHeading('####', 'h4', block, printing),
  'list-unordered': (block, printing) => printing.printList(block, printing, false),
  'list-ordered': (block, printing) => printing.printList(block, printing, false),
  'list-tasks': (block, printing) => printing.printList(block, printing, false),
  'list-item': (block, printing) => printBlocks(block.nodes, printing),
  divider: () => '***',
  blockquote: (block, printing) => {
    // The parser adds the text after a quote to an empty list item at the end of the quote.
    const content = printContent(block.nodes, printing).replace(
      /(?<=^|\n)[ \t]*(?:[*-]|\d+[.)])$/,
      '$& <p></p>',
    )
    const lines = content.split('\n')
    return lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n')
  },
  hint: (block, printing) =>
    around('hint', { style: block.data.style, icon: block.data.icon }, block.nodes, printing),
  code: printCode,
  'code-line': (block, printing) => printRuns(block.nodes, 'markdown', printing),
  math: ({ data }) => {
    const longest = greatest(
      (data.formula.match(/\$+/g) ?? []).map((run) => run.length),
      1,
    )
    const fence = '$'.repeat(longest + 1)
    return `${fence}\n${data.formula}\n${fence}`
  },
  images: printImages,
  image: (block, printing) =>
    printImages({ object: 'block', type: 'images', data: {}, nodes: [block] }, printing),
  file: ({ data, fragments }, printing) =>
    captioned('file', { src: printAddress(data.ref) }, fragments, printing),
  drawing: (block, printing) => htmlBlocks([block], printing),
  embed: ({ data, fragments }, printing) =>
    captioned('embed', { url: data.url, fullWidth: data.fullWidth }, fragments, printing),
  'content-ref': ({ data }) => linked('content-ref', { url: printAddress(data.ref) }, printAddress(data.ref)),
  'reusable-content': ({ data }) => `{% include ${quote(printAddress(data.ref))} %}`,
  tabs: ({ data, nodes }, printing) => group('tabs', { fullWidth: data.fullWidth }, nodes, printing),
  'tabs-item': ({ data, nodes }, printing) =>
    around('tab', { title: data.title && keepEmojiNames(data.title), icon: data.icon }, nodes, printing),
  stepper: ({ nodes }, printing) => group('stepper', {}, nodes, printing),
  'stepper-step': ({ data, nodes }, printing) => around('step', { icon: data.icon }, nodes, printing),
  columns: ({ data, nodes }, printing) => group('columns', { fullWidth: data.fullWidth }, nodes, printing),
  column: ({ data, nodes }, printing) =>
    around('column', { width: length(data.width), valign: data.verticalAlignment }, nodes, printing),
  expandable: (block, printing) => {
    const { title, body: hidden } = expandableParts(block)
    const open = `<details${block.data.defaultExpanded ? ' open' : ''}>`
    const inside = printBlocks(hidden, printing)
    return [
      open,
      `<summary>${title(printing)}</summary>`,
      ...(inside === '' ? [] : [inside]),
      '</details>',
    ].join('\n\n')
  },
  table: printTable,
  if: ({ data, nodes }, printing) => {
    const expression = onOneLine(data.expression).trim()
    return `{% if ${expression} %}\n${body(nodes, printing)}{% endif %}`
  },
  integration: ({ data }) => {
    const { integration, block, props, url, fullWidth } = data
    const properties = {
      ...props,
      ...(url === undefined ? {} : { url }),
      ...(fullWidth === undefined ? {} : { fullWidth }),
    }
    return `{% ${[`@${integration}/${block}`, ...printProperties(properties)].join(' ')} %}`
  },
  swagger: printSwagger,
  'openapi-operation': ({ data: { ref, path, method } }) =>
    linked('openapi-operation', { spec: specOf(ref), path, method }, printAddress(ref), specOf(ref)),
  'openapi-schemas': ({ data: { ref, schemas, grouped } }) =>
    linked(
      'openapi-schemas',
      { spec: specOf(ref), schemas: schemas.join(','), grouped },
      printAddress(ref),
      specOf(ref),
    ),
  'openapi-webhook': ({ data: { ref, name, method } }) =>
    linked('openapi-webhook', { spec: specOf(ref), name, method }, printAddress(ref), specOf(ref)),
  updates: ({ data, nodes }, printing) => group('updates', { format: data.format }, nodes, printing),
  update: ({ data, nodes }, printing) =>
    around('update', { date: data.date, tags: data.tags?.join(',') }, nodes, printing),
  prompt: ({ data, nodes }, printing) => {
    const { description, icon, openInAIProviders, defaultExpanded } = data
    return around('prompt', { description, icon, openInAIProviders, defaultExpanded }, nodes, printing)
  },
  html: ({ data }) => {
    // Footnotes are printed from the annotations that hold them.
    if (data.html === '' && data.markdown !== undefined)
      return data.markdown.startsWith('[^') ? '' : data.markdown
    return data.html
  },
}

/** The content of a quote or list item; the paragraph of an empty one is not printed. */
export function printContent(blocks: readonly Block[], printing: Printing): string {
  return blocks.length === 1 && isBlankLine(blocks[0]) ? '' : printBlocks(blocks, printing)
}

/** An empty element that prevents a line from being read as a block of another type. */
export const GUARD = '<span></span>'

function printParagraph(block: BlockOf<'paragraph'>, printing: Printing): string {
  if (block.data.align !== undefined) return htmlBlocks([block], printing)
  if (isBlankLine(block)) return '<p></p>'

  const printed = printLine(block.nodes, printing) + (endsInTag(block, printing) ? GUARD : '')
  return needsGuard(printed, block) ? GUARD + printed : printed
}

/** Whether a line ends in the closing tag of a condition or an element that began before it, which would be one between blocks. */
function endsInTag({ nodes }: BlockOf<'paragraph'>, { tagsInLine }: Printing): boolean {
  const last = nodes.findLast(
    (node) => node.object === 'inline' || node.leaves.some(({ text }) => text !== ''),
  )
  if (last?.object !== 'inline') return false
  if (last.type === 'inline-html') {
    const tags = nodes.map((node) =>
      node.object === 'inline' && node.type === 'inline-html' ? containerTag(node.data.html) : undefined,
    )
    const closing = containerTag(last.data.html)
    return closing?.closes === true && !tags.some((tag) => tag?.name === closing.name && !tag.closes)
  }
  const tags = last.type === 'inline-if' ? tagsInLine?.get(last) : undefined
  return tags !== undefined && tags.closes
}

/** A line of a paragraph in Markdown, with hard line breaks. */
function printLine(nodes: BlockOf<'paragraph'>['nodes'], printing: Printing): string {
  const lines = printRuns(nodes, 'markdown', printing).split('\n')
  return lines.map((line, index) => startLine(escapeLineStart(keepEdges(line), index === 0))).join('\\\n')
}

/** A tag at the start of a line would be one between blocks. */
function startLine(line: string): string {
  return line.startsWith('{%') ? GUARD + line : line
}

const HTML_START = /^<(?:!--|[?]|![A-Za-z[]|(?:pre|script|style|textarea)(?=[\s>]|$))/i
const SINGLE_TAG = /^<\/?[A-Za-z][^\s/>]*(?:\s(?:[^"'>]|"[^"]*"|'[^']*')*)?\/?>\s*$/

/** True for a line that would be read as a block of HTML, of images or of mathematics. */
function needsGuard(printed: string, block: BlockOf<'paragraph'>): boolean {
  const first = printed.split('\n', 1)[0] ?? ''
  if (printed.startsWith('<'))
    return HTML_START.test(printed) || containerTag(printed) !== undefined || SINGLE_TAG.test(first)
  const shown = block.nodes.filter(
    (node) => node.object !== 'text' || node.leaves.some((leaf) => leaf.text !== ''),
  )
  const [only] = shown
  return (
    shown.length === 1 &&
    only?.object === 'inline' &&
    (only.type === 'inline-image' || only.type === 'inline-math')
  )
}

function printHeading(
  sign: string,
  name: 'h2' | 'h3' | 'h4',
  block: BlockOf<'heading-1' | 'heading-2' | 'heading-3'>,
  printing: Printing,
): string {
  if (block.data.align !== undefined) return heading(name, block, printing)
  const line = keepEdges(printRuns(block.nodes, 'markdown', printing).split('\n').join('<br>'))
  if (block.data.id !== undefined) return `${sign} ${line} ${printAnchor(block.data.id)}`
  return line === '' ? sign : `${sign} ${escapeLastSigns(line)}`
}

function printCode(block: BlockOf<'code'>, printing: Printing): string {
  const lines = block.nodes.map((node) => (node.type === 'code-line' ? plainLine(node) : undefined))
  // A fence with this language is a formula.
  if (!lines.every((line) => line !== undefined) || block.data.syntax === 'math')
    return printPre(block, printing)

  const { syntax = '', title, overflow, lineNumbers, fullWidth, expandable } = block.data
  const sign = syntax.includes('`') ? '~' : '`'
  const runs = lines.flatMap((line) => line.match(sign === '`' ? /`{3,}/g : /~{3,}/g) ?? [])
  const fence = sign.repeat(
    greatest(
      runs.map((run) => run.length),
      2,
    ) + 1,
  )
  const info = syntax
    .replace(/\\/g, '\\\\')
    .replace(/&(?=[#\w]+;)/g, '\\&')
    .replace(/\s+/g, '-')
  const fenced = [fence + info, ...lines, fence].join('\n')
  const options = { title, overflow, lineNumbers, fullWidth, expandable }
  if (Object.values(options).every((value) => value === undefined)) return fenced
  return `${printTag('code', options)}\n${fenced}\n{% endcode %}`
}

/** The text of a line of code without marks, inlines or highlighting; undefined if it has any. */
function plainLine({ data, nodes }: BlockOf<'code-line'>): string | undefined {
  if (data.highlighted) return undefined
  let text = ''
  for (const node of nodes) {
    if (node.object !== 'text' || node.leaves.some((leaf) => leaf.marks.length > 0 && leaf.text !== ''))
      return undefined
    text += node.leaves.map((leaf) => leaf.text).join('')
  }
  return text
}

type Arguments = Record<string, string | number | boolean | undefined>

function around(name: string, args: Arguments, blocks: readonly Block[], printing: Printing): string {
  return `${printTag(name, args)}\n${body(blocks, printing)}{% end${name} %}`
}

/** The lines between two tags. HTML or a definition at their end needs a blank line, or it would include the tag. */
function body(blocks: readonly Block[], printing: Printing): string {
  const printed = printContent(blocks, printing)
  if (printed === '') return ''
  // After some blocks the parser reads a number other than 1 as text unless a blank line precedes it.
  const start = /^(?!1[.)])\d+[.)]/.test(printed) ? '\n' : ''
  const last = printed.slice(printed.lastIndexOf('\n\n') + 1).trimStart()
  return /^(?:<|\[[^\]]*\]:)/.test(last) ? `${start}${printed}\n\n` : `${start}${printed}\n`
}

function group(name: string, args: Arguments, members: readonly Block[], printing: Printing): string {
  return `${printTag(name, args)}\n${printBlocks(members, printing)}\n{% end${name} %}`
}

function captioned(
  name: string,
  args: Arguments,
  fragments: Fragment[] | undefined,
  printing: Printing,
): string {
  const caption = captionOf(fragments)
  return caption.length === 0 ? printTag(name, args) : around(name, args, caption, printing)
}

/** A tag around a link to its target. Renderers that do not know the tag show the link. */
function linked(name: string, args: Arguments, url: string, label = url): string {
  const text = escapeText(label.replace(/\s+/g, ' ')).replaceAll('\\://', '://')
  return `${printTag(name, args)}\n[${text}](${escapeUrl(url)})\n{% end${name} %}`
}

function specOf(ref: ContentRef): string {
  return ref.kind === 'openapi' ? ref.spec : printAddress(ref)
}

function printSwagger({ data, fragments }: BlockOf<'swagger'>, printing: Printing): string {
  const { ref, path, method, baseUrl, summary, expanded, fullWidth } = data
  if (ref) {
    const src = printAddress(ref)
    return linked('openapi', { src, path, method, expanded, fullWidth }, src)
  }
  const parts = (fragments ?? []).map(({ fragment: name = 'swagger-description', type, nodes }) => {
    const open = type === undefined ? `{% ${name} %}` : `{% ${name} ${type} %}`
    return `${open}\n${body(nodes, printing)}{% end${name} %}`
  })
  return [printTag('swagger', { method, path, baseUrl, summary }), ...parts, '{% endswagger %}'].join('\n')
}
