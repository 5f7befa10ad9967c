/** Images in pasted text. */
import { innermostFirst, marked } from './marked.ts'

/** Pictures of characters, and of nothing. */
const EMOJI = /\b(?:emoji|emoticon|smiley)\b/i

/** Makes blocks of the images that have an address, and removes others: those of Word are files of the device. */
export function readImages(root: HTMLElement): void {
  for (const image of innermostFirst(root, 'img')) {
    const url = image.getAttribute('src') ?? image.getAttribute('data-src') ?? ''
    const alt = image.getAttribute('alt') ?? ''
    if (EMOJI.test(image.className) || image.hasAttribute('data-emoji-id')) {
      image.replaceWith(image.getAttribute('data-emoji-fallback') ?? alt)
      continue
    }
    if (!/^https?:/i.test(url) || isPixel(image)) {
      image.remove()
      continue
    }
    const data = { ref: { kind: 'url', url }, ...(alt ? { alt } : {}) }
    const document = image.ownerDocument
    const figure = image.closest('figure')
    const caption = figure?.querySelector('figcaption')
    const isOnly = figure?.querySelectorAll('img').length === 1
    const inside = isOnly && caption ? [...caption.childNodes] : []
    const block = marked(document, 'images', { data: {} }, [
      marked(document, 'image', { data, caption: null }, inside),
    ])
    if (isOnly) figure.replaceWith(block)
    else {
      image.replaceWith(block)
      moveOut(block)
    }
  }
}

const isPixel = (image: Element): boolean =>
  ['width', 'height'].every((name) => image.hasAttribute(name) && Number(image.getAttribute(name)) <= 2)

/** Moves a block out of the line that it is in, and divides the line there. */
function moveOut(block: Element): void {
  const line = block.parentElement
  if (!line || !/^(?:a|abbr|b|em|font|h[1-6]|i|p|picture|s|small|span|strong|u)$/.test(line.localName)) return
  const after = line.cloneNode(false) as Element
  while (block.nextSibling) after.append(block.nextSibling)
  line.after(block, after)
  for (const part of [line, after])
    if ((part.textContent ?? '').trim() === '' && part.childElementCount === 0) part.remove()
  moveOut(block)
}

/** The images that the text itself contains, which are uploaded. Removes them. */
export function takeEmbedded(root: HTMLElement): File[] {
  return [...root.querySelectorAll('img[src^="data:image/"]')].flatMap((image, index) => {
    const [, type, data] = /^data:(image\/[\w.+-]+);base64,(.*)$/s.exec(image.getAttribute('src') ?? '') ?? []
    if (type === undefined || data === undefined) return []
    image.remove()
    try {
      const bytes = Uint8Array.from(atob(data.trim()), (one) => one.charCodeAt(0))
      return [new File([bytes], `image-${index + 1}.${type.slice(6).replace(/\+.*/, '')}`, { type })]
    } catch {
      // It is no image.
      return []
    }
  })
}
