/**
 * The forms that send requests to the operations of an API. The page describes the operations without this script. What a
 * reader enters goes to the API alone, and to the server of the site only if the reader chooses that. Responses are shown
 * as text.
 */
import { element } from '../kit/element.ts'
import { all } from '../kit/find.ts'
import { makeForm, type PageOperation } from './form.ts'
import { tryWords } from './words.ts'

for (const card of all('[data-try]')) {
  const operation = JSON.parse(card.dataset.try ?? '') as PageOperation
  const button = element('button', {
    type: 'button',
    className: 'button secondary try-open',
    textContent: tryWords.tryIt,
  })
  button.setAttribute('aria-expanded', 'false')
  button.setAttribute('aria-label', `${tryWords.tryIt}: ${operation.method} ${operation.path}`)
  let form: HTMLFormElement | undefined
  button.addEventListener('click', () => {
    const isOpen = button.getAttribute('aria-expanded') === 'true'
    form ??= addForm(card, operation)
    form.hidden = isOpen
    button.setAttribute('aria-expanded', String(!isOpen))
    if (!isOpen) form.querySelector<HTMLElement>('input, select, textarea, button')?.focus()
  })
  card.append(button)
}

function addForm(card: HTMLElement, operation: PageOperation): HTMLFormElement {
  const form = makeForm(operation)
  card.after(form)
  return form
}
