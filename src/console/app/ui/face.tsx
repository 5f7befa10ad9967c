/** The face of a space, a site or an organization: its emoji or picture, or else the first letter of its name in a colour. */
import { emojiText } from './emoji-code.ts'

const HUES = 8

/** The colour of a thing, as a number that the styles know. It is the same everywhere and for everybody. @param id of the thing */
export function hueOf(id: string): number {
  // FNV-1a: the ids of things that were created one after the other differ in a few letters only.
  let hash = 0x811c9dc5
  for (const one of id) hash = Math.imul(hash ^ (one.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 16) % HUES
}

/** @param emoji as the API stores it; empty for none */
export function Face({
  id,
  name,
  emoji = '',
  picture,
}: {
  id: string
  name: string
  emoji?: string
  picture?: string | undefined
}) {
  if (picture !== undefined) return <img className="face" src={picture} alt="" />
  if (emoji !== '')
    return (
      <span className="face emoji-face" aria-hidden="true">
        {emojiText(emoji)}
      </span>
    )
  const [letter = ''] = [...name.trim()]
  return <span className="face" data-hue={hueOf(id)} data-letter={letter.toUpperCase()} aria-hidden="true" />
}
