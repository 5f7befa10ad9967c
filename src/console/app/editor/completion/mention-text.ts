/** Mentions in a field for Markdown: people read and write `@Ada`, and the text that is sent names the user. */

/** The ids of the users whom a field mentions, by the names that it shows. */
export type MentionNames = Map<string, string>

const MENTION = /\[((?:[^[\]\\]|\\.)*)\]\(\/users\/(\w+) "mention"\)/g

/** The text of a field. Adds the names of those whom the Markdown mentions; a second user with the same name stays a link. */
export function shownMentions(markdown: string, names: MentionNames): string {
  return markdown.replaceAll(MENTION, (link, label: string, id: string) => {
    const name = label.replaceAll(/\\([[\]\\])/g, '$1')
    const known = names.get(name) ?? id
    if (known !== id) return link
    names.set(name, id)
    return `@${name}`
  })
}

/** The Markdown of a text as a field shows it. */
export function writtenMentions(text: string, names: MentionNames): string {
  if (names.size === 0) return text
  // Of "Ann" and "Ann Archer", the longer name is meant where both fit.
  const longestFirst = [...names.keys()].toSorted((a, b) => b.length - a.length)
  const any = longestFirst.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|')
  return text.replaceAll(
    new RegExp(`(?<![\\p{L}\\p{N}])@(${any})(?![\\p{L}\\p{N}])`, 'gu'),
    (_all, name: string) =>
      `[${name.replaceAll(/[[\]\\]/g, String.raw`\$&`)}](/users/${names.get(name)!} "mention")`,
  )
}
