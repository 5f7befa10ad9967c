/** What the lines of a block begin with, because of the blocks around it. */

const MARKERS = /^(?:[ \t>]|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[[ xX]\](?=[ \t])|\[\^[^\]]*\]:)*$/

/** What the further lines of the block at an offset begin with. */
export function prefixAt(source: string, start: number): string {
  const before = source.slice(source.lastIndexOf('\n', start - 1) + 1, start)
  if (!MARKERS.test(before)) return ''
  return before
    .replace(/\[\^[^\]]*\]:[ \t]*/, '    ')
    .replace(/\[[ xX]\][ \t]*/, '')
    .replace(/[^>\s]/g, ' ')
}

/** The text with a prefix before each of its lines but the first. */
export function indented(text: string, prefix: string): string {
  if (prefix === '') return text
  const blank = prefix.trimEnd()
  return text.replace(/\n(.?)/g, (_, next: string) => `\n${next === '' ? blank : prefix}${next}`)
}
