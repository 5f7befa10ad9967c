import { attributes, escapeHtml, type Html, html, raw } from '../../text/html.ts'
import { languageName, languageOf } from './code-languages.ts'
import type { Block, BlockOf, Document, Inline, Text } from '../model.ts'
import { inlinePlainText, renderLeaf } from './inline.ts'
import type { CodeToken, RenderContext, Renderer } from './renderer.ts'
import { TOKEN_CLASS } from './token-class.ts'

/** The code of a block as text, without marks and notes; line feeds join its lines. */
function codeText(block: BlockOf<'code'>): string {
  return codeLines(block)
    .map((line) => inlinePlainText(line.nodes))
    .join('\n')
}

/** A code block with its title, language and copy button. The source of a diagram becomes a figure. */
export function renderCode(block: BlockOf<'code'>, renderer: Renderer): Html {
  const code = codeBlock(block, renderer)
  return languageOf(block.data.syntax) === 'mermaid' ? diagram(code, renderer) : code
}

/**
 * The source of a Mermaid diagram as a figure. The script of the page draws the diagram above the source and folds the
 * source; without JavaScript the source stays readable.
 */
export function diagram(source: Html, renderer: Pick<Renderer, 'needs'>): Html {
  renderer.needs.add('diagrams')
  return html`<figure class="diagram">${source}</figure>`
}

/** The characters of a first line that leave room for the name of the language and the copy button beside them. */
const BESIDE_TOOLS = 36

function firstLineLength(code: string): number {
  const end = code.indexOf('\n')
  return end < 0 ? code.length : end
}

function codeBlock(block: BlockOf<'code'>, renderer: Renderer): Html {
  const { syntax, title, overflow, lineNumbers, fullWidth, expandable } = block.data
  const code = codeText(block)
  const tokens = code && syntax ? renderer.context.highlight(code, syntax) : undefined
  const language = languageName(syntax)

  // Lines become elements only in blocks that number or highlight them, which keeps most pages small.
  const byLine = lineNumbers || codeLines(block).some((line) => line.data.highlighted)
  const lines = codeLines(block).map((line, index) => {
    const content = renderLine(line.nodes, tokens?.[index], renderer)
    if (!byLine) return content
    return `<span class="line${line.data.highlighted ? ' highlighted' : ''}">${content}</span>`
  })

  const classes = [
    'code',
    overflow === 'wrap' && 'wrap',
    lineNumbers && 'numbered',
    fullWidth && 'full-width',
    !title && firstLineLength(code) > BESIDE_TOOLS && 'crowded',
  ]
  const folds = expandable && lines.length > 10
  const kind = renderer.words.code(language || undefined)
  const label = title ? `${kind}: ${title}` : kind

  return html`<div
    class="${[...classes, folds && 'folds', title && 'titled'].filter(Boolean).join(' ')}"
    ${blockId(block)}
  >
    ${title ? html`<div class="code-title">${title}</div>` : ''}
    <pre
      tabindex="0"
      role="group"
      aria-label="${label}"
    ><code class="language-${languageOf(syntax)}">${raw(lines.join('\n'))}</code></pre>
    <div class="code-tools">
      ${language ? html`<span class="code-language">${language}</span>` : ''}<button
        type="button"
        class="copy"
        aria-label="${renderer.words.copyCode}"
      >
        <span class="ui ui-copy"></span>
      </button>
    </div>
  </div>`
}

/** The code blocks of a document, for a highlighter that works before the document is rendered. */
export function codeIn(
  document: Document,
  reusable: RenderContext['reusable'],
): { code: string; syntax: string }[] {
  const found: { code: string; syntax: string }[] = []
  // Included documents can include one another, and the same one many times.
  const visited = new Set([document])
  visit(document.nodes, 0)
  return found

  function visit(nodes: readonly (Block | Text | Inline)[], depth: number): void {
    if (depth > 64) return
    for (const node of nodes) {
      if (node.object === 'text') continue
      if (node.object === 'block' && node.type === 'code') {
        const code = codeText(node)
        if (code && node.data.syntax) found.push({ code, syntax: node.data.syntax })
        continue
      }
      if (node.object === 'block' && node.type === 'reusable-content') {
        const inner = reusable(node.data.ref)
        if (!inner || visited.has(inner)) continue
        visited.add(inner)
        visit(inner.nodes, depth + 1)
        continue
      }
      if (node.nodes) visit(node.nodes, depth + 1)
      for (const fragment of node.fragments ?? []) visit(fragment.nodes, depth + 1)
    }
  }
}

function codeLines(block: BlockOf<'code'>): BlockOf<'code-line'>[] {
  return block.nodes.filter((node) => node.type === 'code-line')
}

/** The `id` attribute of a block that has an anchor. */
export function blockId(block: { meta?: { id?: string } }): Html | undefined {
  return block.meta?.id ? attributes({ id: contentId(block.meta.id) }) : undefined
}

/** An id that content asks for. Ids that begin with a tilde belong to the frame of the page and to the notes. */
export function contentId(wanted: string): string {
  return wanted.replace(/^~+/, '') || 'section'
}

function renderLine(
  nodes: readonly (Text | Inline)[],
  tokens: readonly CodeToken[] | undefined,
  renderer: Renderer,
): string {
  const cut = tokens && cutter(tokens)
  return nodes.map((node) => renderPart(node, cut, renderer)).join('')
}

function renderPart(node: Text | Inline, cut: Cut | undefined, renderer: Renderer): string {
  if (node.object === 'text') {
    return node.leaves
      .map((leaf) => String(renderLeaf(leaf, raw(cut ? cut(leaf.text) : escapeHtml(leaf.text)))))
      .join('')
  }
  if (node.type !== 'annotation') return String(renderer.inlines([node]))

  // Rendered here and not by `renderer.inlines`, so that the annotated code keeps its colours.
  const content = node.nodes.map((child) => renderPart(child, cut, renderer)).join('')
  const body = node.fragments?.find((fragment) => fragment.nodes.length > 0)
  if (!body) return content
  return `<a${String(renderer.noteLink(body.nodes))}>${content}</a>`
}

type Cut = (text: string) => string

// Returns the pieces of a line in order, each as spans of the tokens that it overlaps. A mark can begin inside a token.
function cutter(tokens: readonly CodeToken[]): Cut {
  let index = 0
  let used = 0
  return (text) => {
    let out = ''
    let from = 0
    while (from < text.length) {
      const token = tokens[index]
      if (!token) return out + escapeHtml(text.slice(from))
      const length = Math.min(token.length - used, text.length - from)
      const part = escapeHtml(text.slice(from, from + length))
      out += token.kind ? `<span class="${TOKEN_CLASS[token.kind]}">${part}</span>` : part
      from += length
      used += length
      if (used >= token.length) {
        index++
        used = 0
      }
    }
    return out
  }
}
