/**
 * Returns the beginning of a text, at most `limit` code points long. It cuts between two grapheme clusters (UAX #29),
 * so that it never splits a surrogate pair or an emoji of several code points. A cluster longer than the limit is cut
 * between two code points.
 */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text
  let codePoints = 0
  let end = 0
  for (const { segment, index } of graphemes.segment(text)) {
    codePoints += [...segment].length
    if (codePoints > limit) break
    end = index + segment.length
  }
  return end > 0 ? text.slice(0, end) : [...text].slice(0, limit).join('')
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
