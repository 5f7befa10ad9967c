/** Documents as reviews show them: every block by plain elements, and the words that differ marked in its text. */
import { Fragment, type ReactNode } from 'react'
import type { Block, Inline, Text } from '../../../core/document/model.ts'
import { nameOfType } from '../editor/names.ts'
import { t } from '../words.ts'
import { Mention } from './mention.tsx'
import { ShownFormula } from './shown-formula.tsx'
import { ShownPicture } from './shown-picture.tsx'
import { ShownTable } from './shown-table.tsx'

/** A part of the text of a block, in UTF-16 units of all its leaves. `gone` is what the earlier version had there. */
export interface TextMark {
  start: number
  end: number
  kind: 'inserted' | 'deleted'
  gone?: string
}

/** Where in the text of a block the painting is, and the marks that are still to come. */
interface Brush {
  at: number
  marks: readonly TextMark[]
  next: number
  /** The mark whose text that is gone has been shown. */
  shown: number
}

const plainBrush = (marks: readonly TextMark[] = []): Brush => ({ at: 0, marks, next: 0, shown: -1 })

/** The blocks of a document, with marks in the text of all of them together. */
export function ShownBlocks({
  blocks,
  marks = [],
}: {
  blocks: readonly Block[]
  marks?: readonly TextMark[]
}) {
  const brush = plainBrush(marks)
  const shown = blocks.map((block, i) => drawn(block, brush, i))
  // What is gone from the end of the text comes after it.
  const rest = marks
    .slice(brush.next)
    .flatMap(({ gone }, i) => (gone && brush.shown < brush.next + i ? [gone] : []))
  return (
    <div className="doc">
      {shown}
      {rest.map((gone) => (
        <Gone key={gone} text={gone} />
      ))}
    </div>
  )
}

/** A text without formatting, with marks in it. */
export function MarkedText({ text, marks }: { text: string; marks: readonly TextMark[] }) {
  return painted(text, plainBrush(marks))
}

/** Text that only the earlier version has. */
export function Gone({ text }: { text: ReactNode }) {
  return (
    <del>
      <span className="unseen">{t('Deleted:')} </span>
      {text}
    </del>
  )
}

/** Text that only the later version has. */
export function Added({ text }: { text: ReactNode }) {
  return (
    <ins>
      <span className="unseen">{t('Inserted:')} </span>
      {text}
    </ins>
  )
}

const PIECES = { inserted: Added, deleted: Gone }

function painted(text: string, brush: Brush): ReactNode[] {
  const parts: ReactNode[] = []
  const [start, end] = [brush.at, brush.at + text.length]
  let from = start
  while (brush.next < brush.marks.length) {
    const index = brush.next
    const mark = brush.marks[index]!
    if (mark.start > end || (mark.start === end && mark.end > end)) break
    if (from < mark.start) parts.push(text.slice(from - start, mark.start - start))
    from = Math.max(from, mark.start)
    if (mark.gone && brush.shown < index) parts.push(<Gone key={`gone ${index}`} text={mark.gone} />)
    brush.shown = index
    const to = Math.min(mark.end, end)
    if (to > from) {
      const piece = text.slice(from - start, to - start)
      const Piece = PIECES[mark.kind]
      parts.push(<Piece key={`${index} ${from}`} text={piece} />)
      from = to
    }
    if (mark.end > end) break
    brush.next++
  }
  if (from < end) parts.push(text.slice(from - start))
  brush.at = end
  return parts
}

const MARKS: Record<string, 'b' | 'i' | 'code' | 'kbd' | 's' | 'sup' | 'sub'> = {
  bold: 'b',
  italic: 'i',
  code: 'code',
  keyboard: 'kbd',
  strikethrough: 's',
  superscript: 'sup',
  subscript: 'sub',
}

function drawnText({ leaves }: Text, brush: Brush): ReactNode[] {
  return leaves.map(({ text, marks }, i) => {
    let shown: ReactNode = painted(text, brush)
    for (const { type } of marks) {
      const Element = MARKS[type]
      if (Element) shown = <Element>{shown}</Element>
    }
    return <Fragment key={i}>{shown}</Fragment>
  })
}

const inlines = (nodes: readonly (Text | Inline)[], brush: Brush): ReactNode[] =>
  nodes.map((node, i) => (
    <Fragment key={i}>{node.object === 'text' ? drawnText(node, brush) : drawnInline(node, brush)}</Fragment>
  ))

function drawnInline(node: Inline, brush: Brush): ReactNode {
  switch (node.type) {
    case 'link': {
      const { ref } = node.data
      const shown = inlines(node.nodes, brush)
      return ref.kind === 'url' && /^(?:https?|mailto):/.test(ref.url) ? (
        <a href={ref.url} rel="noreferrer" target="_blank">
          {shown}
        </a>
      ) : (
        <span className="doc-link">{shown}</span>
      )
    }
    case 'mention':
      return node.data.ref.kind === 'user' ? <Mention user={node.data.ref.user} /> : <span>@</span>
    case 'emoji':
      return String.fromCodePoint(
        ...node.data.code.split('-').map((one) => Number.parseInt(one, 16) || 0x25a1),
      )
    case 'icon':
      return <code>{node.data.icon}</code>
    case 'inline-image':
      return <span className="doc-box">{node.data.alt || t('Image')}</span>
    case 'inline-math':
      return <ShownFormula formula={node.data.formula} />
    case 'expression':
      return <code>{node.data.expression}</code>
    case 'button':
      return <span className="doc-box">{node.data.label}</span>
    case 'inline-html':
      return <code>{node.data.html}</code>
    default:
      return inlines(node.nodes, brush)
  }
}

/** The blocks directly in a block, in the order in which their text is counted. */
export function blocksIn({ nodes, fragments = [] }: Block): Block[] {
  const children = (nodes ?? []).flatMap((node) => (node.object === 'block' ? [node] : []))
  return [...fragments.flatMap((fragment) => fragment.nodes), ...children]
}

const inside = (block: Block, brush: Brush): ReactNode[] =>
  blocksIn(block).map((inner, i) => drawn(inner, brush, i))

function drawn(block: Block, brush: Brush, key: number): ReactNode {
  return <Fragment key={key}>{drawnBlock(block, brush)}</Fragment>
}

function drawnBlock(block: Block, brush: Brush): ReactNode {
  switch (block.type) {
    case 'paragraph':
      return <p>{line(block, brush)}</p>
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return <p className={`doc-heading ${block.type}`}>{line(block, brush)}</p>
    case 'code':
      return (
        <pre tabIndex={0}>
          {block.nodes.map((one, i) => (
            <Fragment key={i}>
              {drawnBlock(one, brush)}
              {'\n'}
            </Fragment>
          ))}
        </pre>
      )
    case 'code-line':
      return <code>{line(block, brush)}</code>
    case 'list-unordered':
    case 'list-tasks':
      return <ul>{items(block, brush)}</ul>
    case 'list-ordered':
      return <ol start={block.data.start}>{items(block, brush)}</ol>
    case 'list-item':
      return <div className="doc-item">{itemContent(block, brush)}</div>
    case 'divider':
      return <hr />
    case 'blockquote':
      return <blockquote>{inside(block, brush)}</blockquote>
    case 'table':
      return (
        <ShownTable block={block} draw={(blocks) => blocks.map((one, i) => drawn(one, plainBrush(), i))} />
      )
    case 'math':
      return (
        <div className="math" tabIndex={0} role="group" aria-label={t('Formula')}>
          <ShownFormula formula={block.data.formula} isDisplay />
        </div>
      )
    default:
      return (
        <div className="doc-box">
          <span className="doc-kind">{t(nameOfType(block.type))}</span>
          {block.type === 'image' && 'file' in block.data.ref && (
            <ShownPicture file={block.data.ref.file} alt={block.data.alt ?? ''} />
          )}
          {detailOf(block) && <code>{detailOf(block)}</code>}
          {inside(block, brush)}
        </div>
      )
  }
}

/** The content of a block of text. As texts are counted, one that is not empty ends with a line break. */
function line({ nodes }: { nodes: readonly (Text | Inline)[] }, brush: Brush): ReactNode[] {
  const before = brush.at
  const shown = inlines(nodes, brush)
  if (brush.at > before) brush.at++
  return shown
}

const items = (list: Block, brush: Brush): ReactNode[] =>
  blocksIn(list).map((item, i) => <li key={i}>{itemContent(item, brush)}</li>)

function itemContent(item: Block, brush: Brush): ReactNode {
  const checked = item.type === 'list-item' ? item.data.checked : undefined
  return (
    <>
      {checked !== undefined && (
        <span role="img" aria-label={checked ? t('Done') : t('Not done')}>
          {checked ? '☑ ' : '☐ '}
        </span>
      )}
      {inside(item, brush)}
    </>
  )
}

/** What distinguishes a block without text from others. */
function detailOf(block: Block): string | undefined {
  switch (block.type) {
    case 'image':
      return block.data.alt || ('url' in block.data.ref ? block.data.ref.url : undefined)
    case 'embed':
      return block.data.url
    case 'tabs-item':
      return block.data.title
    case 'if':
      return block.data.expression
    case 'html':
      return block.data.markdown ?? block.data.html
    case 'openapi-operation':
      return `${block.data.method} ${block.data.path}`
    default:
      return undefined
  }
}
