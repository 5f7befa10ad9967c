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
    const beginning = bytes.subarray(0, LOOKED_AT)
    // A copy, because the library reads past the end of a view into the bytes behind it.
    const copy = rootOfSvg(beginning) ?? new Uint8Array(beginning)
    const { width, height, orientation } = imageSizes().imageSize(copy)
    const size = { width: Math.round(width), height: Math.round(height) }
    if (!isLength(size.width) || !isLength(size.height)) return undefined

    // EXIF orientations of 5 and above rotate the image by 90 degrees.
    return (orientation ?? 1) >= 5 ? { width: size.height, height: size.width } : size
  } catch {
    // The library throws for unknown formats. An image without a size can still be displayed.
    return undefined
  }
}

/**
 * The root of an SVG with only the attributes that give its size. The library reads the first thousand bytes of an SVG, but
 * a drawing can have its source in an attribute of the root.
 */
function rootOfSvg(bytes: Uint8Array): Uint8Array | undefined {
  // To decode a photo takes longer than to read its size.
  const first = bytes.find((byte) => !/\s/.test(String.fromCharCode(byte)))
  if (first !== '<'.charCodeAt(0)) return undefined
  const text = new TextDecoder('latin1').decode(bytes)
  const start = text.search(/<svg\s/)
  if (start < 0) return undefined
  const attribute = /\s*([^\s=>"']+)(?:\s*=\s*("[^"]*"|'[^']*'))?/y
  attribute.lastIndex = start + '<svg'.length
  const kept: string[] = []
  for (let found = attribute.exec(text); found; found = attribute.exec(text)) {
    const [, name = '', value = ''] = found
    if (SIZES.has(name) && value !== '' && value.length <= LONGEST_SIZE) kept.push(`${name}=${value}`)
  }
  return new TextEncoder().encode(`<svg ${kept.join(' ')}></svg>`)
}

const SIZES = new Set(['width', 'height', 'viewBox'])
const LONGEST_SIZE = 100

function isLength(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value <= largest
}
