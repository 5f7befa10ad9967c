import { element } from '../kit/element.ts'
import { closestTo } from '../kit/find.ts'
import { sendEvent } from '../kit/events.ts'

/** Feedback: a rating of the page, and then a comment. */
export function startFeedback(): void {
  const group = document.querySelector<HTMLElement>('.feedback')
  group?.addEventListener('click', (event) => {
    const rating = closestTo(event, '[data-rating]')?.dataset.rating
    if (rating === undefined) return
    sendEvent({ type: 'page_post_feedback', rating })
    askForComment(group, rating)
  })
}

function askForComment(group: HTMLElement, rating: string) {
  const { thanks = '', comment: label = '', send = '' } = group.dataset
  const thanked = element('span', { tabIndex: -1, textContent: thanks })
  const text = element('textarea', { maxLength: 512, rows: 3 })
  const done = element('button', { type: 'button', className: 'button' }, send)
  done.addEventListener('click', () => {
    const comment = text.value.trim()
    if (comment === '') return text.focus()
    sendEvent({ type: 'page_post_feedback_comment', rating, comment })
    group.replaceChildren(thanked)
    thanked.focus()
  })
  group.replaceChildren(thanked, element('label', {}, label, text), done)
  thanked.focus()
}
