/** Colours in sRGB and in OKLCH (https://bottosson.github.io/posts/oklab/), and their contrast (WCAG 2.2). */

/** Lightness from 0 to 1, chroma from 0 to about 0.37, hue in radians. */
export interface Oklch {
  l: number
  c: number
  h: number
}

/** The least contrast of text with its background (WCAG 2.2, success criterion 1.4.3). */
export const TEXT_CONTRAST = 4.5

type Rgb = readonly [number, number, number]

/** Reads `#rgb` or `#rrggbb` as three numbers from 0 to 1. */
function readHex(hex: string): Rgb {
  const digits = hex.slice(1)
  const pairs = digits.length === 3 ? Array.from(digits, (digit) => digit + digit) : digits.match(/../g)!
  return pairs.map((pair) => Number.parseInt(pair, 16) / 255) as unknown as Rgb
}

const toHex = (rgb: Rgb) =>
  `#${rgb
    .map((part) =>
      Math.round(Math.min(Math.max(part, 0), 1) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

const toLinear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
const fromLinear = (part: number) => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055)

/** The relative luminance of a colour, from 0 for black to 1 for white. */
function luminance(hex: string): number {
  const [r, g, b] = readHex(hex).map(toLinear) as unknown as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** The contrast of two colours, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** The colour in OKLCH. */
export function oklchOf(hex: string): Oklch {
  const [r, g, b] = readHex(hex).map(toLinear) as unknown as Rgb
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(a, bb),
    h: Math.atan2(bb, a),
  }
}

/** The colour as `#rrggbb`. A chroma that sRGB does not have is reduced. */
export function hexOf({ l, c, h }: Oklch): string {
  let chroma = c
  let rgb = linearOf({ l, c: chroma, h })
  while (chroma > 0.001 && rgb.some((part) => part < -0.0005 || part > 1.0005)) {
    chroma *= 0.9
    rgb = linearOf({ l, c: chroma, h })
  }
  return toHex(rgb.map((part) => fromLinear(Math.max(part, 0))) as unknown as Rgb)
}

function linearOf({ l: light, c, h }: Oklch): Rgb {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)]
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

/** Black or white, whichever contrasts more with a background: always at least 4.58. */
export function inkOn(background: string): '#000000' | '#ffffff' {
  return contrast('#ffffff', background) >= contrast('#000000', background) ? '#ffffff' : '#000000'
}

const STEP = 0.01

/**
 * The colour, as dark or as light as text on all these backgrounds needs. The hue stays. If no lightness suffices, black
 * or white is the result.
 */
export function readableOn(color: string, backgrounds: readonly string[], least = TEXT_CONTRAST): string {
  const isEnough = (hex: string) => backgrounds.every((background) => contrast(hex, background) >= least)
  const ink = inkOn(backgrounds[0]!)
  const { l, c, h } = oklchOf(color)
  const direction = ink === '#000000' ? -STEP : STEP
  for (let light = l; light > 0 && light < 1; light += direction) {
    const hex = light === l ? toHex(readHex(color)) : hexOf({ l: light, c, h })
    if (isEnough(hex)) return hex
  }
  return ink
}
