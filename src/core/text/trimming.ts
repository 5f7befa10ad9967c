/**
 * Trimming in linear time. A pattern such as `/=+$/` or `/\s*\n/` takes quadratic time: it tries every character of a
 * run that does not match in the end. So no pattern of this program begins with a repetition that can fail.
 */

/** Removes each of these characters, given in one string, at the end of a text. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** Removes the slashes around an address or a path. */
export const withoutSlashes = (path: string): string => withoutEnd(path.replace(/^\/+/, ''), '/')

/** Puts a text on one line: a space replaces each line break with the white space around it. */
export function onOneLine(text: string): string {
  if (!/[\r\n]/.test(text)) return text
  return text.replace(/\s+/g, (run) => (/[\r\n]/.test(run) ? ' ' : run))
}

/** The last word of a text, empty after white space. */
export function lastWord(text: string): string {
  let start = text.length
  while (start > 0 && !/\s/.test(text.charAt(start - 1))) start -= 1
  return text.slice(start)
}
