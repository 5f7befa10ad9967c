import { needItem } from '../../data/lists.ts'
import { dialectLines, hintLines, leadingTitle, mapAddressesIn } from '../markdown/dialect.ts'
import { printTitle } from '../../document/print.ts'

/** The style of a callout by its emoji. */
const SIGNS: Record<string, string> = {
  '💡': 'info',
  ℹ: 'info',
  '📌': 'info',
  '⚠': 'warning',
  '🚧': 'warning',
  '❗': 'danger',
  '🚨': 'danger',
  '❌': 'danger',
  '🛑': 'danger',
  '🔥': 'danger',
  '✅': 'success',
  '👍': 'success',
  '🎉': 'success',
}

/** The style of a callout, and its text without an emoji that only says the style. */
export function calloutSign(text: string): { style: string; rest: string } {
  const sign = Object.keys(SIGNS).find((one) => text.startsWith(one))
  if (sign === undefined) return { style: 'info', rest: text }
  return {
    style: SIGNS[sign]!,
    rest: text
      .slice(sign.length)
      .replace(/^\ufe0f/, '')
      .trimStart(),
  }
}

/** A page of Markdown that Notion exported, with its callouts as hints and its properties as a list. */
export function notionMarkdown(source: string, title: string, link: (address: string) => string): string {
  const output: string[] = []
  let callout: string[] | undefined
  const lines = dialectLines(source)
  for (const { text, isCode } of lines) {
    if (!isCode && callout === undefined && /^\s{0,40}<aside>/.test(text)) {
      callout = []
      const after = text.replace(/^\s{0,40}<aside>/, '').trim()
      if (after !== '') callout.push(after)
      continue
    }
    const isEnd = !isCode && callout !== undefined && text.trim() === '</aside>'
    if (isEnd && callout) {
      for (const line of calloutLines(callout)) output.push(line)
      callout = undefined
      continue
    }
    const line = isCode ? text : mapAddressesIn(text, link)
    ;(callout ?? output).push(line)
  }
  // A callout that does not end is text.
  for (const line of callout ?? []) output.push(line)
  const body = withPropertyList(output)
  const text = body.join('\n').trimEnd()
  const titled = leadingTitle(text) === undefined ? `# ${printTitle(title)}\n\n${text.trimStart()}` : text
  return `${titled.trim()}\n`
}

function calloutLines(lines: readonly string[]): string[] {
  const content = lines.filter((line) => !/^<img src="[^"]*" alt="[^"]*" width="40px" \/>$/.test(line.trim()))
  const first = content.findIndex((line) => line.trim() !== '')
  if (first === -1) return []
  const { style, rest } = calloutSign(needItem(content, first).trim())
  const kept = [rest, ...content.slice(first + 1)].join('\n').trim().split('\n')
  return hintLines(style, kept)
}

/** The properties of a row of a database are the lines below its title. */
function withPropertyList(lines: readonly string[]): readonly string[] {
  if (!(lines[0] ?? '').startsWith('# ') || lines[1] !== '') return lines
  let end = 2
  while (/^[^\s:#*\-|<>`[!][^:]{0,60}: \S/.test(lines[end] ?? '')) end += 1
  if (end === 2 || (lines[end] ?? '') !== '') return lines
  const properties = lines.slice(2, end).map((line) => line.replace(/^([^:]{1,61}): /, '* **$1:** '))
  return [...lines.slice(0, 2), ...properties, ...lines.slice(end)]
}
