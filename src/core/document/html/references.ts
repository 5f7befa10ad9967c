import { attributes, type Html, html, nothing } from '../../text/html.ts'
import type { BlockOf } from '../model.ts'
import { absoluteUrl, isFullUrl, safeUrl } from '../sanitize.ts'
import { blockId, diagram } from './code.ts'
import { anchorTo } from './inline.ts'
import type { Renderer } from './renderer.ts'

const METHODS = new Set([
  'get',
  'put',
  'post',
  'delete',
  'patch',
  'head',
  'options',
  'trace',
  'connect',
  'query',
])

/** An operation of an API: its method, its path and a link to its description. */
export function renderOperation(
  block: BlockOf<'openapi-operation'> | BlockOf<'swagger'>,
  renderer: Renderer,
): Html {
  const { path, method, ref } = block.data
  const target = ref && renderer.context.href(ref)
  const { outsidePage, tryIt } = renderer.context
  const request = outsidePage ? undefined : tryIt?.(block)
  if (request !== undefined) renderer.needs.add('try-it')
  return card(
    block,
    [methodBadge(method), html`<code class="api-path">${path ?? ''}</code>`],
    anchorTo(target),
    target?.title,
    renderer,
    request,
  )
}

/** A webhook of an API. */
export function renderWebhook(block: BlockOf<'openapi-webhook'>, renderer: Renderer): Html {
  const target = renderer.context.href(block.data.ref)
  return card(
    block,
    [
      methodBadge(block.data.method),
      html`<code class="api-path">${block.data.name}</code>`,
      html` <span class="detail">${renderer.words.webhook}</span>`,
    ],
    anchorTo(target),
    target?.title,
    renderer,
  )
}

/** Schemas of an API, by name. */
export function renderSchemas(block: BlockOf<'openapi-schemas'>, renderer: Renderer): Html {
  const target = renderer.context.href(block.data.ref)
  const names = block.data.schemas.map((name) => html`<li><code>${name}</code></li>`)
  return card(
    block,
    [
      html`<span class="api-method">${renderer.words.schemas}</span>`,
      html`<ul class="api-schemas">
        ${names}
      </ul>`,
    ],
    anchorTo(target),
    target?.title,
    renderer,
  )
}

/** A block of an integration: a card that links to its address, or its content as text if it has none. */
export function renderIntegration(block: BlockOf<'integration'>, renderer: Renderer): Html {
  const { integration, block: name, props, url, fullWidth } = block.data
  const title = `${integration}/${name}`
  const classes = `integration${fullWidth ? ' full-width' : ''}`
  const href = url === undefined ? undefined : safeUrl(absoluteUrl(url))
  if (isFullUrl(url ?? '') && renderer.context.href({ kind: 'url', url: url ?? '' })?.href === undefined)
    return nothing
  if (href !== undefined && /^https?:/i.test(href)) {
    return html`<div class="${classes}" ${blockId(block)}>
      <a class="link-card" href="${href}" rel="noopener"
        ><span class="ui ui-external"></span
        ><span><span class="card-name">${title}</span> <span class="detail">${href}</span></span></a
      >
    </div>`
  }
  // Some integrations keep a single text, such as the source of a diagram; readers can use that text.
  const source =
    typeof props.content === 'string'
      ? props.content
      : Object.keys(props).length > 0
        ? JSON.stringify(props, null, 2)
        : ''
  if (!source) return nothing
  const shown = html`<div class="code titled ${classes}" ${blockId(block)}>
    <div class="code-title">${title}</div>
    <pre tabindex="0" role="group" aria-label="${title}"><code>${source}</code></pre>
    <div class="code-tools">
      <button type="button" class="copy" aria-label="${renderer.words.copyCode}"><span class="ui ui-copy"></span></button>
    </div>
  </div>`
  return integration === 'mermaid' && name === 'diagram' ? diagram(shown, renderer) : shown
}

/** A reusable content in place. */
export function renderReusable(block: BlockOf<'reusable-content'>, renderer: Renderer): Html {
  const document = renderer.context.reusable(block.data.ref)
  return document ? renderer.included(document) : nothing
}

function card(
  block: { meta?: { id?: string } },
  content: Html[],
  anchor: Html | undefined,
  title: string | undefined,
  renderer: Renderer,
  request?: string,
): Html {
  const link = anchor ? html` <a class="api-link" ${anchor}>${title ?? renderer.words.description}</a>` : ''
  const all = attributes({ id: block.meta?.id && renderer.id(block.meta.id), 'data-try': request })
  return html`<div class="api-card" ${all}>
    ${content}${link}
  </div>`
}

function methodBadge(method: string | undefined): Html {
  const name = (method ?? '').toLowerCase()
  return METHODS.has(name) ? html`<span class="api-method ${name}">${name.toUpperCase()}</span>` : nothing
}
