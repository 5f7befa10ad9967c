import { type Html, html } from '../../core/text/html.ts'
import type { PageView } from './view.ts'
import { wordsOf } from './words/choose.ts'

const ASSISTANTS = [
  { name: 'ChatGPT', url: 'https://chatgpt.com/?q=' },
  { name: 'Claude', url: 'https://claude.ai/new?q=' },
]

/** Renders the actions for the page: copy or view its Markdown, download PDF files, and ask or connect an assistant. */
export function pageActionsMenu({
  layout,
  actions,
  markdownHref,
  head,
  language,
}: PageView): Html | undefined {
  if (!layout.actions || !actions) return undefined
  const words = wordsOf(language)
  const markdown = actions.markdown ? markdownHref : undefined
  const page = actions.assistants ? head.canonical : undefined
  const { mcp, mcpServers = [], pdf } = actions
  if (!markdown && !page && !mcp && !pdf) return undefined

  const prompt = page === undefined ? '' : encodeURIComponent(words.askAbout(page))
  const shown: Record<string, Html | Html[] | ''> = {
    markdown: markdown
      ? html`<li class="needs-script"><button type="button" class="copy-markdown" data-source="${markdown}">${words.copyMarkdown}</button></li>
            <li><a href="${markdown}">${words.viewMarkdown}</a></li>`
      : '',
    'external-ai': page
      ? ASSISTANTS.map(
          ({ name, url }) =>
            html`<li><a href="${url}${prompt}" rel="noopener" target="_blank">${words.openIn(name)}</a></li>`,
        )
      : '',
    mcp: mcp
      ? [
          copyButton(mcp, html`${words.copyMcp}`),
          ...mcpServers.map(({ name, url, headers }) =>
            copyButton(
              url,
              html`${words.copyOtherMcp(name)}${headers.length > 0 ? html`<small>${words.neededHeaders(headers.join(', '))}</small>` : ''}`,
            ),
          ),
        ]
      : '',
    pdf: pdf
      ? html`<li><a href="${pdf.page}" rel="nofollow">${words.pdfOfPage}</a></li>
              <li><a href="${pdf.all}" rel="nofollow">${words.pdfOfAll}</a></li>`
      : '',
  }
  return html`<details class="dropdown page-actions">
    <summary>${words.pageActions}<span class="ui ui-chevron"></span></summary>
    <ul>
      ${actions.order.map((name) => shown[name] ?? '')}
    </ul>
  </details>`
}

/** A button that copies the address of an MCP server. */
const copyButton = (address: string, label: Html) =>
  html`<li class="needs-script"><button type="button" class="copy-address" data-address="${address}">${label}</button></li>`
