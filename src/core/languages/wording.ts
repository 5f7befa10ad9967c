/** The values of a text, which stand in it as `{name}`. */
export type TextValues = Readonly<Record<string, string | number>>

const PLACE = /\{(\w+)\}/

/** Puts values into a text. A place without a value stays. */
export function fillIn(text: string, values: TextValues): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

/** A text without its values: what is written, and the names of the values, by turns. */
export function partsOfText(text: string): string[] {
  return text.split(PLACE)
}

/**
 * A message in another language, if one of the texts of the catalogue became this message by putting values into it, as
 * `Retry in {seconds} seconds` became `Retry in 5 seconds`.
 * @param wordOf the word for a value in the other language
 */
export function translateMessage(
  message: string,
  catalogue: Readonly<Record<string, string>>,
  wordOf: (name: string, value: string) => string = (_name, value) => value,
): string | undefined {
  if (Object.hasOwn(catalogue, message)) return catalogue[message]
  for (const [text, translated] of Object.entries(catalogue)) {
    const values = valuesIn(message, partsOfText(text), wordOf)
    if (values) return fillIn(translated, values)
  }
  return undefined
}

/** The values that make a message of a text. It searches without patterns, so the time is linear in the message. */
function valuesIn(
  message: string,
  [start = '', ...rest]: readonly string[],
  wordOf: (name: string, value: string) => string,
): TextValues | undefined {
  if (rest.length === 0 || !message.startsWith(start)) return undefined
  const values: Record<string, string> = {}
  let at = start.length
  for (let index = 0; index < rest.length; index += 2) {
    const [name = '', written = ''] = rest.slice(index, index + 2)
    const isLast = index + 2 >= rest.length
    const end = isLast ? message.length - written.length : message.indexOf(written, at)
    if (end < at || (isLast && !message.endsWith(written))) return undefined
    values[name] = wordOf(name, message.slice(at, end))
    at = end + written.length
  }
  return values
}
