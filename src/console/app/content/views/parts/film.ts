/** Videos: a press replaces the button by the player. The page makes no request to the host of the player before. */
import { element } from '../../../ui/element.ts'
import { t } from '../../../words/words.ts'

/** The place of the video at an address; undefined for other addresses. The browser loads the table of players for the first address. */
export async function filmAt(address: string): Promise<HTMLElement | undefined> {
  const { knownEmbed } = await import('../../../../../core/web/embeds.ts')
  const film = knownEmbed(address)
  if (film?.isFilm !== true) return undefined
  const label = t('editor.watch-video', { site: film.site })
  const button = element('button', { type: 'button', class: 'film', contenteditable: 'false' }, `▶ ${label}`)
  button.addEventListener('click', () => {
    const source = new URL(film.frame)
    source.searchParams.set('autoplay', '1')
    const frame = element('iframe', {
      class: 'film',
      src: source.href,
      title: label,
      allow: 'autoplay; fullscreen; encrypted-media',
      referrerpolicy: 'strict-origin-when-cross-origin',
      sandbox: 'allow-scripts allow-same-origin allow-presentation allow-popups',
    })
    button.replaceWith(frame)
    frame.focus()
  })
  return button
}
