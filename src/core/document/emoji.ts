import { gemoji } from '../runtime/libraries.ts'

/** The code of an emoji (`1f36a`, several code points joined by dashes) by its name; undefined for an unknown name. */
export function emojiCode(name: string): string | undefined {
  const { nameToEmoji } = gemoji()
  return Object.hasOwn(nameToEmoji, name) ? codeOf(nameToEmoji[name] ?? '') : undefined
}

/** The name of an emoji by its code; undefined if it has none. */
export function emojiName(code: string): string | undefined {
  const { emojiToName } = gemoji()
  const characters = emojiCharacters(code)
  return Object.hasOwn(emojiToName, characters) ? emojiToName[characters] : undefined
}

/** A name between colons, but not within words and addresses such as `/users/:id:/`, with the backslashes before it. */
const NAMED = /((?<!\\)\\+|(?<![\w/\\])):([\w+-]{1,64}):(?![\w/])/g

/** Text with the characters of the emoji that it names. A backslash before a name keeps the name. */
export function readEmojiNames(text: string): string {
  if (!text.includes(':')) return text
  return text.replace(NAMED, (whole, slashes: string, name: string) => {
    const code = emojiCode(name)
    if (code === undefined) return whole
    const isKept = slashes.length % 2 === 1
    return slashes.slice(0, slashes.length >> 1) + (isKept ? `:${name}:` : emojiCharacters(code))
  })
}

/** Text from which `readEmojiNames` reads this text. */
export function keepEmojiNames(text: string): string {
  if (!text.includes(':')) return text
  return text.replace(NAMED, (whole, slashes: string, name: string) =>
    emojiCode(name) === undefined ? whole : `${slashes}${slashes}\\:${name}:`,
  )
}

/** The characters of an emoji by its code; '' if the code is not one. */
export function emojiCharacters(code: string): string {
  const points = code.split('-').map((point) => Number.parseInt(point, 16))
  return points.every((point) => point > 0 && point <= 0x10ffff)
    ? points.map((point) => String.fromCodePoint(point)).join('')
    : ''
}

const ONE_EMOJI = /^\p{RGI_Emoji}$/v

/**
 * The code of the emoji that a text stands for. The text is the code itself (`1f44d`, with or without an optional
 * `fe0f`), the emoji's characters, or its name (`:thumbsup:`). Undefined if it is no emoji, or more than one.
 */
export function emojiOf(text: string): string | undefined {
  if (/^:.+:$/.test(text)) return emojiCode(text.slice(1, -1))
  const characters = /^[0-9a-f]{1,6}(?:-[0-9a-f]{1,6})*$/i.test(text) ? emojiCharacters(text) : text
  const whole = qualified(characters)
  return ONE_EMOJI.test(whole) ? codeOf(whole) : undefined
}

function codeOf(characters: string): string {
  return [...characters].map((character) => character.codePointAt(0)?.toString(16)).join('-')
}

/** The sequence with U+FE0F behind each character that would be shown as text without it. */
function qualified(characters: string): string {
  return characters
    .replaceAll('\ufe0f', '')
    .replace(/(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu, '$&\ufe0f')
}
