import { announce } from './announcer.ts'
import { siteWords } from './words.ts'

/** Buttons that copy the Markdown of the page, and the addresses of MCP servers. */
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
  for (const button of document.querySelectorAll<HTMLElement>(selector)) {
    const label = [...button.childNodes]
    const copy = async () => {
      try {
        await navigator.clipboard.writeText((await copied(button.dataset)) ?? '')
      } catch {
        otherwise(button)
        return
      }
      button.textContent = siteWords.copied
      announce(siteWords.copied, () => button.replaceChildren(...label))
    }
    button.addEventListener('click', () => void copy())
  }
}

async function readMarkdown({ source = '' }: DOMStringMap) {
  const response = await fetch(source)
  if (!response.ok) throw new Error(String(response.status))
  return response.text()
}
