import { all } from '../../../sites/assets/scripts/kit/find.ts'

/** Buttons that copy the text of another element. Browsers have no clipboard for pages that come over HTTP from another machine. */
export function startCopying(): void {
  for (const box of all('[data-copies]')) {
    const { copies = '', copied = '' } = box.dataset
    const button = box.querySelector('button')
    const source = document.querySelector<HTMLElement>(copies)
    const clipboard = navigator.clipboard as Clipboard | undefined
    box.hidden = !clipboard
    button?.addEventListener('click', () => {
      void clipboard?.writeText(source?.innerText ?? '').then(() => (button.textContent = copied))
    })
  }
}
