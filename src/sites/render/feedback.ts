import { type Html, html } from '../../core/text/html.ts'
import type { PageView } from './view.ts'
import type { Words } from './words/words.ts'

/** Buttons by which a reader rates the page. The script sends the rating, and then asks for a comment. */
export function feedbackButtons({ feedback, events }: PageView, words: Words): Html | undefined {
  if (!feedback || events === undefined) return undefined
  const ratings = [
    ['good', words.helpfulYes],
    ['ok', words.helpfulPartly],
    ['bad', words.helpfulNo],
  ] as const
  return html`<div
    class="feedback needs-script"
    role="group"
    aria-label="${words.helpful}"
    data-thanks="${words.thanks}"
    data-comment="${words.comment}"
    data-send="${words.send}"
  >
    <span>${words.helpful}</span>
    ${ratings.map(([rating, label]) => html`<button type="button" class="button" data-rating="${rating}">${label}</button> `)}
  </div>`
}
