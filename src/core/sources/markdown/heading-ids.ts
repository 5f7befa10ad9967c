/** The ids that dialects write at the end of a heading. */

const ID = '([\\w.:-]{1,100})'
/** `{#id}`, `{: #id }`, `\{#id\}` of MDX, which escapes braces, `{/* #id *\/}` of MDX 3, and `[](#id)`. */
const AT_END = new RegExp(
  String.raw`[ \t]*(?:\\?\{:?[ \t]{0,9}#${ID}[ \t]{0,9}\\?\}|\{/\*[ \t]{0,9}#${ID}[ \t]{0,9}\*/\}|\[\]\(#${ID}\))$`,
)
/** The characters at the end of a heading that an id takes, with the spaces before it that are cut. */
const LONGEST = 200

/** A heading without the id at its end. */
export function splitHeadingId(heading: string): { text: string; id?: string } {
  const text = heading.trimEnd()
  const start = Math.max(text.length - LONGEST, 0)
  const found = AT_END.exec(text.slice(start))
  const id = found?.slice(1).find((one) => one !== undefined)
  return id === undefined ? { text } : { text: text.slice(0, start + (found?.index ?? 0)), id }
}

/** A line of Markdown; the id of a heading is written as an anchor, in the way of Lectern. A title has none. */
export function withHeadingId(line: string): string {
  const level = /^(#{1,6})[ \t]/.exec(line)?.[1]?.length
  if (level === undefined) return line
  const { text, id } = splitHeadingId(line)
  if (id === undefined) return line
  return level === 1 ? text : `${text} <a href="#${id}" id="${id}"></a>`
}

/** Classes and other attributes of a heading; its id stays: `## Title {#id .class}`. */
export function withoutHeadingClasses(line: string): string {
  if (!/^#{1,6}[ \t]/.test(line)) return line
  const start = line.lastIndexOf('{')
  const [, inside] = /^\{([^{}]{1,200})\}[ \t]{0,9}$/.exec(line.slice(Math.max(start, 0))) ?? []
  if (inside === undefined) return line
  const id = inside.split(/\s+/).find((one) => one.startsWith('#'))
  return line.slice(0, start).trimEnd() + (id === undefined ? '' : ` {${id}}`)
}
