import { escapeHtml } from '../../core/text/html.ts'
import { inkOn } from './colors.ts'

/** The content of the image of a link preview. */
export interface PreviewView {
  site: string
  title: string
  description?: string | undefined
  /** The colour of the site in light mode. */
  primary: string
  direction: 'ltr' | 'rtl'
}

/** The size that social networks show in full. */
const PREVIEW_SIZE = { width: 1200, height: 630 }
const MARGIN = 88

/** The image as SVG, in which every text is escaped. Networks show no SVG, so the server draws it as PNG. */
export function previewSvg({ site, title, description, primary, direction }: PreviewView): string {
  const { width, height } = PREVIEW_SIZE
  const ink = inkOn(primary)
  const x = direction === 'rtl' ? width - MARGIN : MARGIN
  const text = (line: string, y: number, size: number, weight: 400 | 700, opacity = 1) =>
    `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${ink}" fill-opacity="${opacity}">${escapeHtml(line)}</text>`
  const titles = wrap(title, 27, 3)
  const top = 300 - (titles.length - 1) * 40
  const below = top + titles.length * 84
  const lines = description ? wrap(description, 58, 2) : []
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Fira Sans" direction="${direction}">
<rect width="${width}" height="${height}" fill="${primary}"/>
${text(wrap(site, 50, 1)[0] ?? '', 128, 36, 700, 0.9)}
${titles.map((line, i) => text(line, top + i * 84, 72, 700)).join('\n')}
${lines.map((line, i) => text(line, below + i * 46, 34, 400, 0.9)).join('\n')}
</svg>`
}

/** Characters that are as wide as high. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{20000}-\u{3fffd}]/u

/** Breaks a text into lines of about this width, in narrow characters. The last line ends with an ellipsis if text is left. */
function wrap(text: string, width: number, most: number): string[] {
  const lines = ['']
  let used = 0
  for (const piece of textPieces(text, width)) {
    const size = Array.from(piece).reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0)
    if (used > 0 && used + size > width) {
      if (lines.length === most) return [...lines.slice(0, -1), `${lines.at(-1)!.trimEnd()}…`]
      lines.push('')
      used = 0
    }
    lines[lines.length - 1] += piece
    used += size
  }
  return lines.map((line) => line.trim()).filter(Boolean)
}

/** The words with the space after each. Wide characters are pieces of their own, and long words are cut. */
function textPieces(text: string, width: number): string[] {
  const words = text
    .slice(0, 1000)
    .split(/[\s\p{Cc}]+/u)
    .filter(Boolean)
  return words.flatMap((word) => {
    const characters = Array.from(`${word} `)
    if (characters.some((character) => WIDE.test(character))) return characters
    const cuts = Math.ceil(characters.length / width)
    return Array.from({ length: cuts }, (_, i) => characters.slice(i * width, (i + 1) * width).join(''))
  })
}
