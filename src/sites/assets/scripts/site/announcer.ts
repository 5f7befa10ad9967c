import { element } from '../kit/element.ts'

const announcer = element('div', { className: 'unseen' })
announcer.setAttribute('role', 'status')
document.body.append(announcer)

/** How long a button and the screen reader's status say that something was copied. */
const SHOWN_MS = 1600

/** Lets screen readers say a text. @param ended runs when it is removed */
export function announce(text: string, ended: () => void): void {
  announcer.textContent = text
  setTimeout(() => {
    announcer.textContent = ''
    ended()
  }, SHOWN_MS)
}
