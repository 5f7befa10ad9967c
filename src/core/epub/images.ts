/** Images as a book may have them (EPUB 3.3, 3.2). */
import { bookImageEnding } from './book-image.ts'
import { shownType } from '../web/signature.ts'
import type { EpubImage } from './model.ts'
import { cleanSvg } from './svg.ts'
import { archived } from '../zip/zip.ts'

/** The path of an image in a book; undefined for a file of another type, which a book cannot show. */
export function imagePathOf(key: string, contentType: string | undefined): string | undefined {
  const ending = bookImageEnding(contentType)
  if (ending === undefined) return undefined
  // Some file systems do not distinguish cases, so that two names could become one.
  const name = key.replace(/[^\da-z]/gu, (sign) => `_${sign.codePointAt(0)?.toString(36)}`)
  return `images/${name}.${ending}`
}

const RASTER = new Set(['image/gif', 'image/jpeg', 'image/png', 'image/webp'])

/** A transparent dot. */
const EMPTY = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/**
 * An image for a book, with its type by its content. Scripts, and references to anything outside of the file, are removed
 * from drawings. Other bytes become an empty image, so that the page that shows it stays valid.
 */
export function makeImage(bytes: Uint8Array): EpubImage {
  const mediaType = shownType(bytes)
  if (mediaType !== undefined && RASTER.has(mediaType))
    return { file: archived(bytes, false), mediaType, isUsable: true }
  const svg = cleanSvg(new TextDecoder().decode(bytes))
  if (svg !== undefined) return { file: archived(svg), mediaType: 'image/svg+xml', isUsable: true }
  return { file: archived(EMPTY, false), mediaType: 'image/gif', isUsable: false }
}
