/** The characters with which anything begins that is a tag or looks like one. */
const BEGINNINGS = /[{\uff5b]|[([<\uff08\uff3b\uff1c](?=[^\S\r\n]{0,3}[%\uff05])|[%\uff05]/gu

/** The offsets of everything at or after an offset that can begin a tag, in order. */
export function* beginningsOfTags(source: string, from = 0): Generator<number> {
  BEGINNINGS.lastIndex = from
  for (const { index } of source.matchAll(BEGINNINGS)) yield index
}

/** The text with what `write` makes of each character that can begin a tag. */
export function replaceBeginnings(text: string, write: (sign: string, at: number) => string): string {
  return text.replace(BEGINNINGS, write)
}
