import { element } from '../kit/element.ts'
import { all, closestTo } from '../kit/find.ts'
import { announce } from './announcer.ts'
import { siteWords } from './words.ts'

/** Code: a button copies the code without line numbers, another unfolds long blocks. */
export function startCode(): void {
  document.addEventListener('click', (event) => {
    const button = closestTo(event, '.copy')
    const pre = button?.closest('.code')?.querySelector('pre')
    if (button && pre) void copy(button, pre)
  })

  for (const block of all('.folds')) {
    const button = element('button', { type: 'button', className: 'unfold' }, siteWords.showAll)
    button.setAttribute('aria-expanded', 'false')
    button.addEventListener('click', () => {
      const open = block.classList.toggle('unfolded')
      button.setAttribute('aria-expanded', String(open))
      button.textContent = open ? siteWords.showFewer : siteWords.showAll
    })
    block.append(button)
  }
}

async function copy(button: HTMLElement, pre: HTMLElement) {
  try {
    await navigator.clipboard.writeText(pre.textContent)
  } catch {
    // Browsers offer the clipboard only on secure origins. The selection lets the reader copy with the keyboard.
    getSelection()?.selectAllChildren(pre)
    return
  }
  button.classList.add('copied')
  announce(siteWords.copied, () => button.classList.remove('copied'))
}
