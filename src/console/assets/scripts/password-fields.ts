import { element } from '../../../sites/assets/scripts/kit/element.ts'
import { all } from '../../../sites/assets/scripts/kit/find.ts'

/** Adds a button to each password field that shows what is written, and hides it again when the form is sent. */
export function startPasswordFields(): void {
  const { show = '', hide = '', password = '' } = document.querySelector<HTMLElement>('main')?.dataset ?? {}
  for (const input of all<HTMLInputElement>('input[type=password]')) {
    const word = element('span', { textContent: show })
    // Not a label, which would be a second one with the name of the field.
    const about = element('span', { className: 'unseen', textContent: ` ${password}` })
    const button = element('button', { type: 'button', className: 'show-password' }, word, about)
    const set = (isShown: boolean) => {
      input.type = isShown ? 'text' : 'password'
      word.textContent = isShown ? hide : show
    }
    button.addEventListener('click', () => set(input.type === 'password'))
    // Browsers offer to keep only what is in a password field.
    input.form?.addEventListener('submit', () => set(false))
    input.spellcheck = false
    const box = element('div', { className: 'with-button' })
    input.before(box)
    box.append(input, button)
    if (input.autofocus) input.focus()
  }
}
