/** Documents as reviews show them: every block by plain elements, and the words that differ marked in its text. */
import { Fragment, type ReactNode } from 'react'
import type { Block, ContentRef, Inline, Text } from '../../../../core/document/model.ts'
import { nameOfValue } from '../../content/schema/fields.ts'
import { nameOfType } from '../../content/schema/names.ts'
import { t } from '../../words/words.ts'
import { inlines } from './lines.tsx'
import { type Brush, Gone, type InlineMarks, plainBrush, type TextMark } from './painting.tsx'
import { ShownFormula } from './shown-formula.tsx'
import { ShownPicture } from './shown-picture.tsx'
import { ShownTable } from './shown-table.tsx'
// oxlint-disable-next-line import/no-unassigned-import
import './shown.css'

/** The blocks of a document, with marks in the text of all of them together. */
export function ShownBlocks({
  blocks,
  marks = [],
  inlines: marked,
}: {
  blocks: readonly Block[]
  marks?: readonly TextMark[]
  inlines?: InlineMarks | undefined
}) {
  const brush = plainBrush(marks, marked)
  const shown = blocks.map((block, i) => drawn(block, brush, i))
  // Content that was deleted at the end of the text is shown after it.
  const rest = marks
    .slice(brush.next)
    .flatMap(({ gone }, i) => (gone && brush.shown < brush.next + i ? [gone] : []))
  return (
    <div className="doc" dir="auto">
      {shown}
      {rest.map((gone, i) => (
        <Gone key={i} text={gone} />
      ))}
    </div>
  )
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
        <>
          {detailOf(block) && <span className="doc-kind">{detailOf(block)}</span>}
          <pre tabIndex={0}>
            {block.nodes.map((one, i) => (
              <Fragment key={i}>
                {drawnBlock(one, brush)}
                {'\n'}
              </Fragment>
            ))}
          </pre>
        </>
      )
    case 'code-line':
      return <code>{line(block, brush)}</code>
    case 'list-unordered':
      return <ul>{items(block, brush)}</ul>
    case 'list-tasks':
      return <ul className="tasks">{items(block, brush)}</ul>
    case 'list-ordered':
      return <ol start={block.data.start}>{items(block, brush)}</ol>
    case 'list-item':
      // The number or sign of an item that is shown alone is beside it.
      return inside(block, brush)
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
        <div className="math" tabIndex={0} role="group" aria-label={t('block.formula')}>
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
  blocksIn(list).map((item, i) => (
    <li key={i}>
      {list.type === 'list-tasks' && (
        <TaskBox isDone={item.type === 'list-item' && item.data.checked === true} />
      )}
      {inside(item, brush)}
    </li>
  ))

/** The box of a task. */
export function TaskBox({ isDone }: { isDone: boolean }) {
  return (
    <span className="task-box" role="img" aria-label={isDone ? t('common.done') : t('diff.not-done')}>
      {isDone ? '☑' : '☐'}
    </span>
  )
}

/** The short name of a specification: several can have an operation at the same path. */
const specificationOf = (ref: ContentRef): string[] => (ref.kind === 'openapi' ? [ref.spec] : [])

/** Returns the detail that distinguishes a block without text from others. */
export function detailOf(block: Block): string | undefined {
  switch (block.type) {
    case 'image':
      return block.data.alt || ('url' in block.data.ref ? block.data.ref.url : undefined)
    case 'embed':
      return block.data.url
    case 'tabs-item':
      return block.data.title
    case 'hint':
      return t(nameOfValue('hint', 'style', block.data.style))
    case 'code':
      return [block.data.title, block.data.syntax].filter(Boolean).join(' · ')
    case 'if':
      return block.data.expression
    case 'html':
      return block.data.markdown ?? block.data.html
    case 'openapi-operation':
      return [
        `${block.data.method.toUpperCase()} ${block.data.path}`,
        ...specificationOf(block.data.ref),
      ].join(' · ')
    default:
      return undefined
  }
}
