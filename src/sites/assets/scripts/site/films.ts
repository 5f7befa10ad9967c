import { element } from '../kit/element.ts'
import { all, opensElsewhere } from '../kit/find.ts'
import { siteWords } from './words.ts'

/** Videos: a click replaces the card by the player. The page makes no request to the player's host before. */
export function startFilms(): void {
  for (const link of all<HTMLAnchorElement>('a[data-frame]')) {
    link.addEventListener('click', (event) => {
      if (opensElsewhere(event)) return
      event.preventDefault()
      const source = new URL(link.dataset.frame ?? '')
      source.searchParams.set('autoplay', '1')
      const frame = element('iframe', {
        src: source.href,
        title: siteWords.video,
        allow: 'autoplay; fullscreen; encrypted-media',
        referrerPolicy: 'strict-origin-when-cross-origin',
      })
      link.replaceWith(frame)
      frame.focus()
    })
  }
}
