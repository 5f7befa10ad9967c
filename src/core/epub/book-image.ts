/** A larger image is left out of a book. */
export const MOST_BOOK_IMAGE_BYTES = 20_000_000

const ENDINGS = new Map([
  ['image/gif', 'gif'],
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/svg+xml', 'svg'],
  ['image/webp', 'webp'],
])

/** The ending of the file of an image in a book; undefined for a type that books cannot show. */
export function bookImageEnding(contentType: string | undefined): string | undefined {
  const [type = ''] = contentType?.split(';', 1) ?? []
  return ENDINGS.get(type.trim().toLowerCase())
}
