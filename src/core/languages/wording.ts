/** The values of a text, which stand in it as `{name}`. */
export type TextValues = Readonly<Record<string, string | number>>

/** A place of a value: `{name}`, or a number with its noun: `{count, plural, one {# page} other {# pages}}`. */
const PLACE = /\{(\w+)(?:, plural, one \{([^{}]*)\} other \{([^{}]*)\})?\}/g

/** Puts values into a text. A place without a value stays. */
export function fillIn(text: string, values: TextValues): string {
  return text.replaceAll(PLACE, (whole, name: string, one?: string, other = '#') => {
    const value = values[name]
    const form = value === 1 && one !== undefined ? one : other
    return value === undefined ? whole : form.replaceAll('#', () => String(value))
  })
}

/** A text without its values: what is written, and the names of the values, by turns. */
export function partsOfText(text: string): string[] {
  return text.split(/\{(\w+)\}/)
}
