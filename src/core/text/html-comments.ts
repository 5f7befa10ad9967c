/** A text without HTML comments, also one that does not end. Takes linear time. */
export function withoutComments(source: string): string {
  let text = ''
  for (let at = 0; ;) {
    const start = source.indexOf('<!--', at)
    if (start === -1) return text + source.slice(at)
    text += source.slice(at, start)
    const end = source.indexOf('-->', start + 4)
    if (end === -1) return text
    at = end + 3
  }
}

/** A text whose HTML comments are replaced by their line breaks, so that its lines keep their numbers. Takes linear time. */
export function blankComments(source: string): string {
  let text = ''
  for (let at = 0; ;) {
    const start = source.indexOf('<!--', at)
    if (start === -1) return text + source.slice(at)
    const found = source.indexOf('-->', start + 4)
    const end = found === -1 ? source.length : found + 3
    text += source.slice(at, start) + source.slice(start, end).replace(/[^\r\n]+/g, '')
    at = end
  }
}
