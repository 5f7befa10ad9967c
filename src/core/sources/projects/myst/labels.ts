/** The labels of a project of MyST, which its pages refer to from everywhere. */
import { dialectLines } from '../../markdown/dialect.ts'
import { splitHeadingId } from '../../markdown/heading-ids.ts'
import { headLines, readHead } from '../addresses.ts'

/** A place that a label names. */
export interface MystLabel {
  path: string
  /** The id of a heading. Without it, the place is the page. */
  anchor?: string
  title?: string
}

/** The places by their labels. Case and spaces make no difference. */
export type MystLabels = ReadonlyMap<string, MystLabel>

/** A label as it is looked up. */
export const labelKey = (label: string) => label.trim().toLowerCase().replace(/\s+/g, ' ')

/** The id of a heading for a label, which may have signs that ids in addresses do not have. */
export const labelId = (label: string) =>
  label
    .trim()
    .replace(/[^\w.:-]+/g, '-')
    .slice(0, 100)

/** `(label)=` alone in a line. */
export const LABEL_LINE = /^[ \t]{0,3}\(([^()]{1,200})\)=[ \t]{0,20}$/

const OPTION = /^[ \t]{0,40}:(?:name|label):[ \t]{1,9}(\S.{0,200}?)[ \t]{0,20}$/
const ATTRIBUTES = /^[ \t]{0,3}\{[^{}]{0,100}#([\w.:/-]{1,100})[^{}]{0,100}\}[ \t]{0,20}$/

/** The text of a heading without its marks. */
export const headingText = (line: string) =>
  splitHeadingId(line.replace(/^#{1,6}[ \t]+/, '').replace(/[ \t]#+[ \t]*$/, ''))
    .text.replace(/\{[\w:.+-]{1,60}\}(?=`)/g, '')
    .replace(/[*`]/g, '')
    .trim()

/** The title of a page in its front matter, or its first heading of level one. @param text as `pageBeginning` has it */
export function documentTitle(text: string): string | undefined {
  const head = headLines(text)
  const { title } = readHead(head)
  if (typeof title === 'string' && title.trim() !== '') return title.trim()
  const heading = dialectLines(text.slice(head.length)).find(
    (line) => !line.isCode && /^#[ \t]/.test(line.text),
  )
  return heading && (headingText(heading.text) || undefined)
}

/**
 * Adds the labels of a page.
 * @param own the title of the page, if it has one
 * @param text with line feeds as the ends of its lines
 */
export function addLabels(
  labels: Map<string, MystLabel>,
  path: string,
  own: string | undefined,
  text: string,
): void {
  const content = text.slice(headLines(text).length)
  const page: MystLabel = { path, ...(own === undefined ? {} : { title: own }) }
  let waiting: string[] = []
  const add = (label: string, place: MystLabel) => {
    if (!labels.has(labelKey(label))) labels.set(labelKey(label), place)
  }
  for (const line of content.split('\n')) {
    if (line.trim() === '') continue
    const label = LABEL_LINE.exec(line)?.[1] ?? ATTRIBUTES.exec(line)?.[1]
    if (label !== undefined) {
      waiting.push(label)
      continue
    }
    const level = /^(#{1,6})[ \t]/.exec(line)?.[1]?.length
    if (level !== undefined) {
      const { id } = splitHeadingId(line)
      const [first] = waiting
      const anchor = id ?? (first === undefined ? undefined : labelId(first))
      const title = headingText(line)
      const place = level === 1 || anchor === undefined ? { path, title } : { path, title, anchor }
      for (const one of [...waiting, ...(id === undefined ? [] : [id])]) add(one, place)
    } else for (const one of waiting) add(one, page)
    waiting = []
    const named = OPTION.exec(line)?.[1]
    if (named !== undefined) add(named, page)
  }
  for (const one of waiting) add(one, page)
}
