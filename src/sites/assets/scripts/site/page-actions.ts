import { announce } from './announcer.ts'
import { siteWords } from './words.ts'

/** Buttons that copy the Markdown of the page, and the address of the MCP server. */
export function startPageActions(): void {
  // Without the network or the clipboard, the reader can copy the text by hand.
  copies('.copy-markdown', readMarkdown, ({ dataset }) => location.assign(dataset.source ?? ''))
  copies(
    '.copy-address',
    ({ address }) => address,
    (button) => {
      button.textContent = button.dataset.address ?? ''
      getSelection()?.selectAllChildren(button)
    },
  )
}

type Copied = (dataset: DOMStringMap) => Promise<string> | string | undefined

function copies(selector: string, copied: Copied, otherwise: (button: HTMLElement) => void) {
  const button = document.querySelector<HTMLElement>(selector)
  button?.addEventListener('click', () => void copy(button, copied, otherwise))
}

async function copy(button: HTMLElement, copied: Copied, otherwise: (button: HTMLElement) => void) {
  try {
    await navigator.clipboard.writeText((await copied(button.dataset)) ?? '')
  } catch {
    otherwise(button)
    return
  }
  const label = button.textContent
  button.textContent = siteWords.copied
  announce(siteWords.copied, () => (button.textContent = label))
}

async function readMarkdown({ source = '' }: DOMStringMap) {
  const response = await fetch(source)
  if (!response.ok) throw new Error(String(response.status))
  return response.text()
}
