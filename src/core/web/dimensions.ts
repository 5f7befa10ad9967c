import { imageSizes } from '../runtime/libraries.ts'

/** The displayed size of an image in CSS pixels. */
export interface Dimensions {
  width: number
  height: number
}

/** The number of bytes that are examined. Formats store the size near the start of the file. */
export const LOOKED_AT = 1024 * 1024
const largest = 100_000

/** Reads the size of a PNG, JPEG, GIF, WebP, AVIF, SVG or other image. Returns undefined if it cannot be read. */
export function imageSize(bytes: Uint8Array): Dimensions | undefined {
  try {
    // A copy, because the library reads past the end of a view into the bytes behind it.
    const { width, height, orientation } = imageSizes().imageSize(
      new Uint8Array(bytes.subarray(0, LOOKED_AT)),
    )
    const size = { width: Math.round(width), height: Math.round(height) }
    if (!isLength(size.width) || !isLength(size.height)) return undefined

    // EXIF orientations of 5 and above rotate the image by 90 degrees.
    return (orientation ?? 1) >= 5 ? { width: size.height, height: size.width } : size
  } catch {
    // The library throws for unknown formats. An image without a size can still be displayed.
    return undefined
  }
}

function isLength(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value <= largest
}
