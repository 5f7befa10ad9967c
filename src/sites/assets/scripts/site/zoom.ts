import { element, toolButton } from '../kit/element.ts'
import { all } from '../kit/find.ts'
import { siteWords } from './words.ts'

/** Images: a button shows an image in full size if the page shrinks it. */
export function startZoom(): void {
  for (const image of all<HTMLImageElement>('.image img')) if (image.complete) offer(image)
  // `load` events do not bubble, but they can be captured: this also finds images that are added later, such as diagrams.
  const offerLoaded = ({ target }: Event) => {
    if (target instanceof HTMLImageElement && target.matches('.image img')) offer(target)
  }
  document.addEventListener('load', offerLoaded, true)
}

function offer(image: HTMLImageElement) {
  const enlarges = image.naturalWidth > image.clientWidth * 1.15 && image.naturalWidth > 320
  if (!enlarges || image.closest('a, button')) return
  const button = element('button', { type: 'button', className: 'enlarge' })
  button.setAttribute('aria-label', image.alt ? `${siteWords.enlarge}: ${image.alt}` : siteWords.enlarge)
  image.replaceWith(button)
  button.append(image)
  button.addEventListener('click', () => open(image))
}

let shown: { dialog: HTMLDialogElement; close: HTMLElement } | undefined

function open(image: HTMLImageElement) {
  const { dialog, close } = (shown ??= makeDialog())
  dialog.replaceChildren(close, element('img', { src: image.currentSrc || image.src, alt: image.alt }))
  dialog.showModal()
}

function makeDialog() {
  const close = toolButton('close', siteWords.close)
  const dialog = element('dialog', { className: 'zoom' }, close)
  dialog.setAttribute('aria-label', siteWords.image)
  dialog.addEventListener('click', () => dialog.close())
  document.body.append(dialog)
  return { dialog, close }
}
