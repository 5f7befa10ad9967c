import { attributes, type Html, html, join, nothing } from '../text/html.ts'
import { normalText } from './normal-form.ts'
import type { Align, Block, BlockOf, BlockType, Document } from './model.ts'
import { sanitizeHtml, sanitizePieces } from './sanitize.ts'
import { anchorOf } from './html/anchors.ts'
import { blockId, contentId, renderCode } from './html/code.ts'
import {
  renderColumn,
  renderColumns,
  renderExpandable,
  renderHint,
  renderIf,
  renderList,
  renderListItem,
  renderPrompt,
  renderStep,
  renderStepper,
  renderTabs,
  renderUpdate,
  renderUpdates,
} from './html/containers.ts'
import { inlinePlainText, rawHtmlContext, renderInlines } from './html/inline.ts'
import { countParts, PAGE_LIMITS } from './shape/limits.ts'
import { math } from './html/math.ts'
import {
  renderContentRef,
  renderDrawing,
  renderEmbed,
  renderFile,
  renderImage,
  renderImages,
} from './html/media.ts'
import {
  renderIntegration,
  renderOperation,
  renderReusable,
  renderSchemas,
  renderWebhook,
} from './html/references.ts'
import { type ContentWords, ENGLISH_CONTENT } from './html/content-words.ts'
import type { RenderContext, RenderedDocument, Renderer } from './html/renderer.ts'
import { betweenHtml, blockRuns, htmlPiece } from './spread-elements.ts'
import { renderTable } from './html/table.ts'

type BlockRenderers = { [T in BlockType]: (block: BlockOf<T>, renderer: Renderer) => Html }

/** Deeper blocks are left out. */
const MAX_DEPTH = 64
/** How deep reusable contents may include one another. */
const MAX_INCLUDED = 4
/** The most blocks and inlines that reusable contents may add to a page. */
const MAX_INCLUDED_PARTS = PAGE_LIMITS.blocks + PAGE_LIMITS.inlines

/**
 * Renders a document as semantic HTML without inline styles or scripts. Raw HTML in the document is sanitized and every
 * address is checked. The notes of annotations follow at the end.
 */
export function renderDocument(document: Document, context: RenderContext): RenderedDocument {
  const { words = ENGLISH_CONTENT } = context
  const notes = new Map<string, Note>()
  const ids = new Map<string, number>()
  let depth = 0
  let level: 1 | 2 | 3 | 4 = 1
  const including = [document]
  let includedParts = 0

  const renderer: Renderer = {
    context,
    words,
    outline: [],
    needs: new Set(),
    hidden: 0,
    blocks: (nodes) =>
      join(
        blockRuns(nodes).map(({ blocks, isSpread }) =>
          isSpread ? spread(blocks) : blocks.map((node) => block(node)),
        ),
      ),
    included,
    inlines: (nodes) => deeper(1, () => renderInlines(nodes, renderer)),
    phrase(fragment) {
      const [only, ...rest] = fragment?.nodes ?? []
      if (only?.type === 'paragraph' && rest.length === 0) return renderer.inlines(only.nodes)
      return fragment ? renderer.blocks(fragment.nodes) : nothing
    },
    icon: (name) => (name ? context.icon?.(name) : undefined),
    id(wanted) {
      const name = contentId(wanted)
      const count = ids.get(name) ?? 0
      ids.set(name, count + 1)
      return count === 0 ? name : renderer.id(`${name}-${count}`)
    },
    folded(work) {
      renderer.hidden++
      try {
        return work()
      } finally {
        renderer.hidden--
      }
    },
    noteLink(blocks) {
      const says = blocks.map(normalText).join('\n')
      let note = notes.get(says)
      if (!note) {
        const body = renderer.folded(() => renderer.blocks(blocks))
        note = { number: notes.size + 1, body, references: 0 }
        notes.set(says, note)
      }
      note.references += 1
      return attributes({
        class: 'annotation',
        id: referenceId(note, note.references),
        href: `#~note-${note.number}`,
        role: 'doc-noteref',
      })
    },
    headingLevel(wanted) {
      const next = level === 1 ? 2 : level === 2 ? 3 : 4
      const own = wanted === 1 ? 2 : wanted === 2 ? 3 : 4
      level = own < next ? own : next
      return level
    },
  }

  const body = renderer.blocks(document.nodes)
  return {
    body: html`${body}${notesSection([...notes.values()], words)}`,
    outline: renderer.outline,
    needs: renderer.needs,
  }

  function block(node: Block): Html {
    return deeper(1, () => renderBlock(node, renderer))
  }

  /** Blocks that share an element of raw HTML. */
  function spread(nodes: readonly Block[]): Html {
    const { pieces, others } = betweenHtml(nodes, htmlPiece)
    const shown = others.map((node) => block(node))
    const sanitized = sanitizePieces(pieces, 'blocks', rawHtmlContext(renderer))
    return html`<div class="raw">${sanitized.map((piece, index) => [piece, shown[index]])}</div> `
  }

  function included(inner: Document): Html {
    if (including.includes(inner)) return leftOut(words.includesItself)
    if (including.length > MAX_INCLUDED) return leftOut(words.nestedTooDeeply)
    if (includedParts <= MAX_INCLUDED_PARTS) {
      const { blocks, inlines } = countParts(inner)
      includedParts += 1 + blocks + inlines
    }
    if (includedParts > MAX_INCLUDED_PARTS) return leftOut(words.includesTooMuch)
    including.push(inner)
    const shown = renderer.blocks(inner.nodes)
    including.pop()
    return shown
  }

  function deeper(steps: number, work: () => Html): Html {
    if (depth + steps > MAX_DEPTH) return nothing
    depth += steps
    try {
      return work()
    } finally {
      depth -= steps
    }
  }
}

function leftOut(reason: string): Html {
  return html`<p class="missing" role="note">${reason}</p>`
}

const BLOCKS: BlockRenderers = {
  paragraph(block, renderer) {
    const content = renderer.inlines(block.nodes)
    // The paragraph of an empty document would leave an empty line.
    if (String(content).trim() === '') return nothing
    return html`<p${attributes({ id: block.meta?.id && contentId(block.meta.id), class: alignClass(block.data.align) })}>${content}</p>`
  },
  'heading-1': (block, renderer) => heading(block, 1, renderer),
  'heading-2': (block, renderer) => heading(block, 2, renderer),
  'heading-3': (block, renderer) => heading(block, 3, renderer),
  'list-unordered': (block, renderer) => renderList('ul', block, {}, renderer),
  'list-ordered'(block, renderer) {
    const { start } = block.data
    return renderList('ol', block, { start: start === 1 ? undefined : start }, renderer)
  },
  'list-tasks': (block, renderer) => renderList('ul', block, { class: 'tasks' }, renderer),
  'list-item': renderListItem,
  divider: () => html`<hr />`,
  blockquote: (block, renderer) =>
    html`<blockquote ${blockId(block)}>${renderer.blocks(block.nodes)}</blockquote>`,
  hint: renderHint,
  code: renderCode,
  'code-line': (block, renderer) => html`<pre><code>${renderer.inlines(block.nodes)}</code></pre>`,
  math: (block, renderer) => math(block.data.formula, true, renderer),
  images: renderImages,
  image: renderImage,
  file: renderFile,
  drawing: renderDrawing,
  embed: renderEmbed,
  'content-ref': renderContentRef,
  'reusable-content': renderReusable,
  tabs: renderTabs,
  'tabs-item': (block, renderer) => renderer.blocks(block.nodes),
  stepper: renderStepper,
  'stepper-step': renderStep,
  columns: renderColumns,
  column: renderColumn,
  expandable: renderExpandable,
  table: renderTable,
  if: renderIf,
  integration: renderIntegration,
  swagger: renderOperation,
  'openapi-operation': renderOperation,
  'openapi-schemas': renderSchemas,
  'openapi-webhook': renderWebhook,
  updates: renderUpdates,
  update: (block, renderer) => renderUpdate(block, renderer),
  prompt: renderPrompt,
  html: (block, renderer) =>
    html`<div class="raw">${sanitizeHtml(block.data.html, rawHtmlContext(renderer))}</div>`,
}

function renderBlock<T extends BlockType>(block: BlockOf<T>, renderer: Renderer): Html {
  // A later version may have stored block types that this version does not know.
  if (!Object.hasOwn(BLOCKS, block.type)) return nothing
  const render: BlockRenderers[T] = BLOCKS[block.type as T]
  return html`${render(block, renderer)} `
}

function heading(
  block: BlockOf<'heading-1' | 'heading-2' | 'heading-3'>,
  wanted: 1 | 2 | 3,
  renderer: Renderer,
): Html {
  const title = inlinePlainText(block.nodes).trim()
  if (title === '') return wordlessHeading(block, wanted, renderer)
  const id = renderer.id(block.meta?.id ?? block.data.id ?? (anchorOf(title) || 'section'))
  if (renderer.hidden === 0) renderer.outline.push({ id, title, level: wanted })

  const classes = [`heading-${wanted}`, alignClass(block.data.align)].filter(Boolean).join(' ')
  const all = attributes({ id, class: classes })
  const anchor = attributes({
    href: `#${encodeURIComponent(id)}`,
    'aria-label': renderer.words.linkTo(title),
  })
  const mark = renderer.context.outsidePage ? '' : html` <a class="anchor" ${anchor}></a>`
  const content = html`${renderer.inlines(block.nodes)}${mark}`
  const level = renderer.headingLevel(wanted)
  if (level === 2) return html`<h2${all}>${content}</h2>`
  if (level === 3) return html`<h3${all}>${content}</h3>`
  return html`<h4${all}>${content}</h4>`
}

/** A heading without words, such as an icon on a card: a screen reader could not announce it, nor an outline list it. */
function wordlessHeading(
  block: BlockOf<'heading-1' | 'heading-2' | 'heading-3'>,
  wanted: 1 | 2 | 3,
  renderer: Renderer,
): Html {
  const content = renderer.inlines(block.nodes)
  const named = block.meta?.id ?? block.data.id
  if (String(content).trim() === '' && block.data.id === undefined) return nothing
  const id = named === undefined ? undefined : renderer.id(named)
  const classes = [`heading-${wanted}`, alignClass(block.data.align)].filter(Boolean).join(' ')
  return html`<div${attributes({ id, class: classes })}>${content}</div>`
}

function alignClass(align: Align | undefined): string | undefined {
  return align === 'center' || align === 'end' ? `align-${align}` : undefined
}

/** A note at the end of a document. */
interface Note {
  number: number
  body: Html
  /** How many annotations refer to it. */
  references: number
}

/** The id of the nth annotation that refers to a note. */
function referenceId({ number }: Note, nth: number): string {
  return nth === 1 ? `~note-ref-${number}` : `~note-ref-${number}-${nth}`
}

function notesSection(notes: readonly Note[], words: ContentWords): Html {
  if (notes.length === 0) return nothing
  const items = notes.map((note) => {
    const backs = Array.from({ length: note.references }, (_, before) => {
      const back = attributes({
        href: `#${referenceId(note, before + 1)}`,
        role: 'doc-backlink',
        'aria-label': words.backToText,
      })
      return html`<a class="note-back" ${back}>↩${before > 0 && html`<sup>${before + 1}</sup>`}</a>`
    })
    return html`<li id="~note-${note.number}">${note.body}${backs}</li>`
  })
  return html`<section class="notes" role="doc-endnotes" aria-label="${words.notes}">
    <ol>
      ${items}
    </ol>
  </section>`
}
