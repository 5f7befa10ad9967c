/** The emoticons of Confluence as emoji, by the names that its storage format and its HTML have. */
import type { MarkupElement } from '../html/markup.ts'

const EMOTICONS = new Map(
  `smile 🙂 sad 🙁 cheeky 😛 laugh 😀 wink 😉 thumbs-up 👍 thumbs-down 👎 information ℹ️ info ℹ️ tick ✅ cross ❌ error ❌ warning ⚠️ plus ➕ add ➕ minus ➖ forbidden 🚫 question ❓ help_16 ❓ light-on 💡 lightbulb_on 💡 light-off 💡 lightbulb 💡 yellow-star ⭐ star_yellow ⭐ red-star ⭐ star_red ⭐ green-star ⭐ star_green ⭐ blue-star ⭐ star_blue ⭐ heart ❤️ broken-heart 💔 biggrin 😀 tongue 😛 thumbs_up 👍 thumbs_down 👎 check ✅`
    .split(/\s+/)
    .flatMap((word, at, words): [string, string][] => (at % 2 === 1 ? [[words[at - 1] ?? '', word]] : [])),
)

/** The signs that older versions of Confluence write as the alternative text of an emoticon. */
const SIGNS = new Map(
  Object.entries({
    '(smile)': 'smile',
    '(sad)': 'sad',
    '(tongue)': 'cheeky',
    '(big grin)': 'laugh',
    '(wink)': 'wink',
    '(thumbs up)': 'thumbs-up',
    '(thumbs down)': 'thumbs-down',
    '(info)': 'information',
    '(tick)': 'tick',
    '(error)': 'cross',
    '(warning)': 'warning',
    '(plus)': 'plus',
    '(minus)': 'minus',
    '(question)': 'question',
    '(on)': 'light-on',
    '(off)': 'light-off',
    '(star)': 'yellow-star',
    '(heart)': 'heart',
    '(broken heart)': 'broken-heart',
  }),
)

/** The emoji of an emoticon, in HTML or in the storage format; undefined for another element or an unknown emoticon. */
export function confluenceEmoji({ name, attributes }: MarkupElement): string | undefined {
  if (name === 'ac:emoticon')
    return attributes['ac:emoji-fallback'] || EMOTICONS.get(attributes['ac:name'] ?? '') || undefined
  if (name !== 'img' || !/\bemoticon\b/.test(attributes.class ?? '')) return undefined
  const { alt = '', 'data-emoji-fallback': fallback = '' } = attributes
  // The fallback of an emoji that an organization has added is its name between colons.
  if (fallback !== '' && !/^:[\w-]+:$/.test(fallback)) return fallback
  const named = /\bemoticon-([\w-]+)/.exec(attributes.class ?? '')?.[1] ?? ''
  return EMOTICONS.get(named) ?? EMOTICONS.get(SIGNS.get(alt) ?? '') ?? undefined
}
