import { isShownFor } from '../expression-value.ts'
import { attributes, type Html, html, join, nothing } from '../../text/html.ts'
import { isAllHidden, partsOfExpandable } from '../expandable.ts'
import type { Block, BlockOf, HintStyle, Length } from '../model.ts'
import { blockText } from '../text.ts'
import { anchorOf } from './anchors.ts'
import { blockId, contentId } from './code.ts'
import type { Renderer } from './renderer.ts'

const HINTS: Record<HintStyle, string> = {
  info: 'ui-info',
  success: 'ui-success',
  warning: 'ui-warning',
  danger: 'ui-danger',
}

/** A hint. A label names its kind, because not every reader sees its colour. */
export function renderHint(block: BlockOf<'hint'>, renderer: Renderer): Html {
  const style = Object.hasOwn(HINTS, block.data.style) ? block.data.style : 'info'
  const drawn = renderer.icon(block.data.icon) ?? html`<span class="ui ${HINTS[style]}"></span>`
  return html`<div class="hint ${style}" role="note" aria-label="${renderer.words.hint[style]}" ${blockId(block)}>
    <div class="hint-icon" aria-hidden="true">${drawn}</div>
    <div class="hint-body">${renderer.blocks(block.nodes)}</div>
  </div>`
}

/**
 * Tabs. Without JavaScript, and on paper, the panels follow one another under their titles. With JavaScript, the list of
 * tabs replaces the titles. The markup selects the first panel, so the layout does not move when the script starts.
 */
export function renderTabs(block: BlockOf<'tabs'>, renderer: Renderer): Html {
  const items = block.nodes.filter((node): node is BlockOf<'tabs-item'> => node.type === 'tabs-item')
  const panels = items.map((item, index) => {
    const title = item.data.title?.trim() || renderer.words.tab(index + 1)
    return {
      item,
      title,
      id: renderer.id(item.meta?.id ?? namedAnchor('tab', item.data.title)),
      icon: renderer.icon(item.data.icon),
    }
  })

  const list = panels.map(
    ({ id, title, icon }, index) =>
      html`<button${attributes({ type: 'button', role: 'tab', id: `~tab-${id}`, 'aria-controls': id, 'aria-selected': index === 0 ? 'true' : 'false', tabindex: index === 0 ? undefined : '-1' })}>${icon}${title}</button>`,
  )
  const bodies = panels.map(
    ({ item, id, title, icon }, index) =>
      html`<div${attributes({ class: index === 0 ? 'tab-panel selected' : 'tab-panel', role: 'tabpanel', id, 'aria-labelledby': `~tab-${id}` })}>
<p class="tab-title">${icon}${title}</p>
${renderer.folded(() => renderer.blocks(item.nodes))}
</div>
`,
  )
  return html`<div class="tabs${block.data.fullWidth ? ' full-width' : ''}" ${blockId(block)}>
    <div class="tab-list" role="tablist">${list}</div>
    ${bodies}
  </div>`
}

/** The anchor of a part of a page, for a link to it. The prefix keeps it apart from those of headings. */
function namedAnchor(prefix: string, title = ''): string {
  const anchor = anchorOf(title.slice(0, LONGEST_ANCHOR))
  return anchor === '' ? prefix : `${prefix}-${anchor}`
}

const LONGEST_ANCHOR = 100

/** Steps as an ordered list. The style sheet draws the numbers. */
export function renderStepper(block: BlockOf<'stepper'>, renderer: Renderer): Html {
  return html`<ol class="stepper" ${blockId(block)}>
    ${renderer.blocks(block.nodes)}
  </ol>`
}

/** One step of a stepper. */
export function renderStep(block: BlockOf<'stepper-step'>, renderer: Renderer): Html {
  const icon = renderer.icon(block.data.icon)
  return html`<li class="step${icon ? ' with-icon' : ''}" ${blockId(block)}>
    ${icon ? html`<span class="step-icon" aria-hidden="true">${icon}</span>` : ''}
    ${renderer.blocks(block.nodes)}
  </li> `
}

/** A section that readers can unfold, without JavaScript; or its title alone if its content is hidden from the reader. */
export function renderExpandable(block: BlockOf<'expandable'>, renderer: Renderer): Html {
  const { title, body } = partsOfExpandable(block)
  const summary = renderer.phrase(title)
  const name = (title?.nodes ?? []).map(blockText).join(' ')
  const id = renderer.id(block.meta?.id ?? namedAnchor('details', name))
  if (body && isAllHidden(body.nodes, renderer.context)) return html`<p id="${id}">${summary}</p>`
  const content = renderer.folded(() => (body ? renderer.blocks(body.nodes) : nothing))
  return html`<details${attributes({ class: 'expandable', id, open: block.data.defaultExpanded })}>
    <summary>${String(summary) ? summary : renderer.words.details}</summary>
    <div class="expandable-body">${content}</div>
  </details>`
}

/** Columns side by side, or below one another on narrow screens. */
export function renderColumns(block: BlockOf<'columns'>, renderer: Renderer): Html {
  return html`<div class="columns${block.data.fullWidth ? ' full-width' : ''}" ${blockId(block)}>
    ${renderer.blocks(block.nodes)}
  </div>`
}

/** A column. Its width is a class in steps of five per cent, because pages have no inline styles. */
export function renderColumn(block: BlockOf<'column'>, renderer: Renderer): Html {
  const share = shareOf(block.data.width)
  const vertical = block.data.verticalAlignment
  const classes = [
    'column',
    share && `share-${share}`,
    vertical && vertical !== 'top' && `vertical-${vertical}`,
  ]
  return html`<div class="${classes.filter(Boolean).join(' ')}">${renderer.blocks(block.nodes)}</div> `
}

/** Dated entries, in the order of the document. */
export function renderUpdates(block: BlockOf<'updates'>, renderer: Renderer): Html {
  renderer.needs.add('feed')
  const format = block.data.format ?? 'full'
  const entries = block.nodes.map((node) =>
    node.type === 'update' ? renderUpdate(node, renderer, format) : renderer.blocks([node]),
  )
  return html`<div class="updates" ${blockId(block)}>${entries}</div>`
}

/** One dated entry. */
export function renderUpdate(
  block: BlockOf<'update'>,
  renderer: Renderer,
  format: 'numeric' | 'full' | 'short' = 'full',
): Html {
  const { date, tags } = block.data
  const parsed = new Date(date)
  const known = !Number.isNaN(parsed.getTime())
  const shown = known
    ? new Intl.DateTimeFormat(renderer.context.language ?? 'en', {
        ...DATES[format],
        timeZone: 'UTC',
      }).format(parsed)
    : date
  const time = html`<time
    class="update-date"
    ${attributes({ datetime: known ? parsed.toISOString().slice(0, 10) : undefined })}
    >${shown}</time
  >`
  const labels = (tags ?? []).map(
    (tag) => html`<span class="tag">${renderer.context.tag?.(tag) ?? tag}</span>`,
  )
  return html`<section class="update" ${attributes({ 'aria-label': shown })}${blockId(block)}>
    <div class="update-head">${time}${labels}</div>
    <div class="update-body">${renderer.blocks(block.nodes)}</div>
  </section> `
}

const DATES: Record<'numeric' | 'full' | 'short', Intl.DateTimeFormatOptions> = {
  numeric: { year: 'numeric', month: '2-digit', day: '2-digit' },
  full: { year: 'numeric', month: 'long', day: 'numeric' },
  short: { year: 'numeric', month: 'short', day: 'numeric' },
}

/** A prompt for an assistant: its purpose, and its text to copy. */
export function renderPrompt(block: BlockOf<'prompt'>, renderer: Renderer): Html {
  const { description, icon, defaultExpanded } = block.data
  return html`<details
    class="expandable prompt"
    ${blockId(block)}${attributes({ open: defaultExpanded !== undefined && defaultExpanded !== 'hidden' })}
  >
    <summary>${renderer.icon(icon)}${description}</summary>
    <div class="expandable-body">${renderer.folded(() => renderer.blocks(block.nodes))}</div>
  </details>`
}

/** Content that is shown only if its condition holds. */
export function renderIf(block: BlockOf<'if'>, renderer: Renderer): Html {
  return isShownFor(block.data.expression, renderer.context) ? renderer.blocks(block.nodes) : nothing
}

/** Ordered, unordered and task lists. */
export function renderList(
  tag: 'ul' | 'ol',
  block: { nodes: Block[]; meta?: { id?: string } },
  extra: Record<string, string | number | undefined>,
  renderer: Renderer,
): Html {
  return html`${openTag(tag, block, extra)}
  ${renderer.blocks(block.nodes)}${tag === 'ul' ? html`</ul>` : html`</ol>`}`
}

function openTag(
  tag: 'ul' | 'ol',
  block: { meta?: { id?: string } },
  extra: Record<string, string | number | undefined>,
): Html {
  const all = attributes({ id: block.meta?.id && contentId(block.meta.id), ...extra })
  return tag === 'ul' ? html`<ul${all}>` : html`<ol${all}>`
}

/** A list item. A single paragraph has no `<p>`, so that a tight list stays tight. */
export function renderListItem(block: BlockOf<'list-item'>, renderer: Renderer): Html {
  const { checked } = block.data
  const box =
    checked === undefined
      ? ''
      : html`<span
          class="check${checked ? ' done' : ''}"
          role="img"
          aria-label="${checked ? renderer.words.done : renderer.words.toDo}"
        ></span>`
  const [first, ...rest] = block.nodes
  const tight =
    first?.type === 'paragraph' && rest.every((node) => node.type !== 'paragraph') && !first.data.align
  const content = tight
    ? join([renderer.inlines(first.nodes), rest.length > 0 ? html` ${renderer.blocks(rest)}` : ''])
    : renderer.blocks(block.nodes)
  return html`<li${attributes({ class: checked === undefined ? undefined : 'task' })}${blockId(block)}>${box}${checked === undefined ? content : html`<div>${content}</div>`}</li>
`
}

function shareOf(width: Length | undefined): number | undefined {
  if (typeof width !== 'object' || width.unit !== '%' || !Number.isFinite(width.value)) return undefined
  return Math.min(Math.max(Math.round(width.value / 5) * 5, 5), 100)
}
