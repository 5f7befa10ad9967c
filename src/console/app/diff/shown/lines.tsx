/** The texts and inlines of a line, as reviews show them. */
import { Fragment, type ReactNode } from 'react'
import type { Inline, Text } from '../../../../core/document/model.ts'
import { t } from '../../words/words.ts'
import { Mention } from './mention.tsx'
import { Added, type Brush, Gone, painted, PIECES, plainBrush } from './painting.tsx'
import { ShownFormula } from './shown-formula.tsx'
import { ShownRef } from './shown-ref.tsx'

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

/** The texts and inlines of a line. */
export const inlines = (nodes: readonly (Text | Inline)[], brush: Brush): ReactNode[] =>
  nodes.map((node, i) => (
    <Fragment key={i}>{node.object === 'text' ? drawnText(node, brush) : markedInline(node, brush)}</Fragment>
  ))

function markedInline(node: Inline, brush: Brush): ReactNode {
  const shown = drawnInline(node, brush)
  const mark = brush.inlines.get(node)
  if (mark === undefined) return shown
  if (typeof mark === 'string') {
    const Piece = PIECES[mark]
    return <Piece text={shown} />
  }
  return (
    <>
      <Gone text={<ShownInline inline={mark.was} />} /> <Added text={shown} />
    </>
  )
}

/** An inline without marks. */
export function ShownInline({ inline }: { inline: Inline }) {
  return drawnInline(inline, plainBrush())
}

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
      return node.data.ref.kind === 'user' ? (
        <Mention user={node.data.ref.user} />
      ) : (
        <span className="doc-link">
          <ShownRef value={node.data.ref} />
        </span>
      )
    case 'emoji':
      return String.fromCodePoint(
        ...node.data.code.split('-').map((one) => Number.parseInt(one, 16) || 0x25a1),
      )
    case 'icon':
      return <code>{node.data.icon}</code>
    case 'inline-image':
      return <span className="doc-box">{node.data.alt || t('block.image')}</span>
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
