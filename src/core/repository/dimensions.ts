import { imageSize as measure } from 'image-size'

/** Size of an image in CSS pixels as it is shown. */
export interface Dimensions {
  width: number
  height: number
}

/** Formats write their size near the start; the rest of a large file is not looked at. In bytes. */
export const LOOKED_AT = 1024 * 1024
const largest = 100_000

/** Reads the size of a PNG, JPEG, GIF, WebP, AVIF, SVG and other images; undefined for what is none, or is broken. */
export function imageSize(bytes: Uint8Array): Dimensions | undefined {
  try {
    // A copy, for the library reads past the end of a view into the bytes that lie behind it.
    const { width, height, orientation } = measure(new Uint8Array(bytes.subarray(0, LOOKED_AT)))
    const size = { width: Math.round(width), height: Math.round(height) }
    if (!isLength(size.width) || !isLength(size.height)) return undefined

    // EXIF orientations from 5 on turn the picture by a quarter.
    return (orientation ?? 1) >= 5 ? { width: size.height, height: size.width } : size
  } catch {
    // The library throws for whatever it does not know; an image without a size is shown all the same.
    return undefined
  }
}

function isLength(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value <= largest
}
