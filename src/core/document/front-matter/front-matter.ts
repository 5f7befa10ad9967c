import { isRecord } from '../../data/is-record.ts'
import { jsonEqual } from '../../data/json.ts'
import { because } from '../../languages/reasons.ts'
import { faultParameters, type Reasoned } from '../../languages/reasoned.ts'
import { yaml } from '../../runtime/libraries.ts'
import { yamlProblem } from '../../yaml/problem.ts'
import { readYaml, type YamlReading } from '../../yaml/read.ts'
import { keepEmojiNames, readEmojiNames } from '../emoji.ts'
import { conditionIn, type PageCondition } from './front-matter-condition.ts'
import { readAddress, printAddress } from '../markdown/addresses.ts'
import { withoutHidden } from '../markdown/hiding-tags.ts'
import { meantFrontMatter } from './meant-front-matter.ts'
import type { PageLayout, PageMeta } from '../model.ts'
import { withoutEnd } from '../../text/trimming.ts'

/** Longer text between fences is not front matter. */
const LONGEST = 100_000

/** The limits of front matter. Real pages have a few hundred characters on at most three levels. */
export const FRONT_MATTER_LIMITS = { length: 20_000, depth: 4 }

/** A line that front matter may begin with: a key, a comment or nothing. A rule above text is not front matter. */
const FIRST_LINE =
  /^(?:[ \t]*(?:#.*)?|(?:[\w$][\w .$-]*(?:\t[ \t]*)?|"[^"]*"[ \t]*|'[^']*'[ \t]*):(?:[ \t].*)?)$/

/** The values of front matter by key; undefined removes a key. */
export type FrontMatter = Record<string, unknown>

/** The offset where the body begins: after the front matter, or after a byte order mark. */
export function frontMatterEnd(source: string): number {
  return find(source)?.end ?? (source.startsWith('\ufeff') ? 1 : 0)
}

/** Why Lectern does not read the front matter of a page, if it exceeds a limit. Takes linear time. */
export function frontMatterExcess(source: string): Reasoned | undefined {
  const found = find(source)
  const problem = found && yamlProblem(found.text, FRONT_MATTER_LIMITS)
  return problem && because('has-front-matter-that', faultParameters(problem))
}

/** The front matter's keys that have a meaning to Lectern. Invalid values are left out. Never throws. */
export function readFrontMatter(source: string): PageMeta {
  const found = find(source)
  const whole = found && readText(found.text)
  const condition = conditionOf(source, whole)?.condition
  return withoutUndefined<PageMeta>({ ...(whole && readMeta(valuesIn(whole))), condition })
}

/**
 * The condition of a page with its line in the source, from 1. What can only have been meant as one hides the page.
 * @param whole the front matter, for a caller that has read it
 */
export function conditionOf(source: string, whole?: YamlReading): PageCondition | undefined {
  const found = find(source)
  const own = found && conditionIn(found.text, whole ?? readText(found.text), readText)
  if (own) return withLine(own, source, found.start)
  for (const meant of meantFrontMatter(source, found?.end ?? 0, LONGEST)) {
    const read = conditionIn(meant.text, readText(meant.text), readText)
    if (read) return withLine(read, source, meant.start)
  }
  return undefined
}

/** Whether the condition of a page is in the front matter, or in what was meant as such, below the end of the front matter. */
export function hasMeantCondition(source: string): boolean {
  const line = conditionOf(source)?.line
  return line !== undefined && line >= source.slice(0, frontMatterEnd(source)).split('\n').length
}

function withLine(read: PageCondition, source: string, start: number): PageCondition {
  return { ...read, line: read.line + source.slice(0, start).split('\n').length }
}

/** A field of front matter as YAML reads it, with its line in the source, from 1. */
interface Field {
  name: string
  value: unknown
  line: number
}

/** The fields of front matter; none if it has an error before the first. Takes linear time. */
export function frontMatterFields(source: string): Field[] {
  const found = find(source)
  if (!found) return []
  const lines = found.text.split(/(?<=\n)/)
  const lineOf = new Map<string, number>()
  for (const [index, line] of lines.entries()) {
    const name = entryKey(line)
    if (name !== undefined && !lineOf.has(name)) lineOf.set(name, index)
  }
  return Object.entries(valuesIn(readText(found.text))).map(([name, value]) => ({
    name,
    value,
    line: (lineOf.get(name) ?? lines.length) + 2,
  }))
}

/** Front matter with the meaning of `meta`, ending in a line break; '' if `meta` is empty. */
export function printFrontMatter(meta: PageMeta): string {
  const { title, ...others } = frontMatterOf(meta)
  const values = withoutUndefined({ title: writtenTitle(title), ...others })
  return Object.keys(values).length === 0 ? '' : `---\n${yaml().stringify(values)}---\n`
}

/**
 * The source with keys of its front matter set, or removed if the value is undefined. Every other byte is kept: other
 * keys, their order and style, comments. A key that already has the value is kept as written.
 */
export function editFrontMatter(source: string, changes: FrontMatter): string {
  const found = find(source)
  const newline = /\r\n/.test(source.slice(0, found?.end ?? LONGEST)) ? '\r\n' : '\n'
  const whole = found && readText(found.text)
  const condition = conditionOf(source, whole)?.condition
  const present = valuesIn(whole)
  const lines = found ? found.text.split(/(?<=\n)/) : []

  for (const [key, value] of Object.entries(changes)) {
    if (jsonEqual(present[key], value)) continue
    if (key === 'title' && typeof value === 'string' && value === shownTitle(present.title)) continue
    // A condition that YAML reads as something else stays as it is written.
    if (key === 'if' && (value === undefined ? string(present.if) === undefined : value === condition))
      continue
    const [from, to] = linesOf(key, lines)
    lines.splice(from, to - from)
    if (value !== undefined) {
      const written = yaml().stringify({ [key]: key === 'title' ? writtenTitle(value) : value })
      lines.splice(from, 0, written.replaceAll('\n', newline))
    }
  }

  const text = lines.join('')
  const mark = source.startsWith('\ufeff') ? '\ufeff' : ''
  if (found) {
    if (text.trim() === '') return mark + source.slice(found.end).replace(/^(?:[ \t]*\r?\n)+/, '')
    return source.slice(0, found.start) + text + source.slice(found.start + found.text.length)
  }
  if (text === '') return source
  // What was meant as front matter is none below this one, and hides the page all the same.
  const hides = condition !== undefined && (changes.if ?? condition) === condition
  const kept = hides ? yaml().stringify({ if: condition }).replaceAll('\n', newline) : ''
  return `${mark}---${newline}${kept}${text}---${newline}${newline}${source.slice(mark.length)}`
}

/** The front matter of a page by key; undefined for a key to remove. */
export function frontMatterOf(meta: PageMeta): FrontMatter {
  const { title, description, icon, hidden, noIndex, noRobotsIndex, cover, tags, variables, condition } = meta
  return {
    title,
    description,
    icon,
    hidden: hidden || undefined,
    noIndex: noIndex || undefined,
    noRobotsIndex: noRobotsIndex || undefined,
    cover: cover?.ref && printAddress(cover.ref),
    coverDark: cover?.refDark && printAddress(cover.refDark),
    coverY: cover?.yPos,
    coverHeight: cover?.height,
    layout: layoutOf(meta.layout),
    tags: tags?.map(({ tag, primary }) => (primary ? { tag, primary } : tag)),
    vars: variables,
    if: condition,
  }
}

interface Found {
  /** Where the text between the two fences begins. */
  start: number
  text: string
  end: number
}

function find(source: string): Found | undefined {
  const opening = /^\ufeff?---[ \t]*\r?\n/.exec(source)
  if (!opening) return undefined
  const start = opening[0].length
  const closing = /^---[ \t]*(?:\r?\n|$(?![\s\S]))/m.exec(source.slice(start, start + LONGEST))
  if (!closing) return undefined

  const text = source.slice(start, start + closing.index)
  const [first = ''] = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  return FIRST_LINE.test(first) ? { start, text, end: start + closing.index + closing[0].length } : undefined
}

/** The values of front matter. If it has an error, the values before and around the error. */
const readText = (text: string): YamlReading => readYaml(text, FRONT_MATTER_LIMITS)

function valuesIn(reading: YamlReading | undefined): FrontMatter {
  return isRecord(reading?.value) ? reading.value : {}
}

/** The range of lines of a key at the top level: its line and the indented lines below it. */
function linesOf(key: string, lines: string[]): [number, number] {
  const from = lines.findIndex((line) => entryKey(line) === key)
  if (from === -1) return [lines.length, lines.length]

  let to = from + 1
  for (let index = to; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    if (/^(?:[ \t]+\S|-(?:\s|$))/.test(line)) to = index + 1
    else if (line.trim() !== '') break
  }
  return [from, to]
}

function entryKey(line: string): string | undefined {
  const match = /^(?:"([^"]*)"[ \t]*|'([^']*)'[ \t]*|([^\s#"'-][^:]*)):(?:\s|$)/.exec(line)
  return match?.[1] ?? match?.[2] ?? (match?.[3] && withoutEnd(match[3], ' \t'))
}

function readMeta(values: FrontMatter): PageMeta {
  return withoutUndefined<PageMeta>({
    title: shownTitle(values.title),
    description: shown(values.description),
    icon: shown(values.icon),
    hidden: boolean(values.hidden),
    noIndex: boolean(values.noIndex),
    noRobotsIndex: boolean(values.noRobotsIndex),
    layout: readLayout(values.layout),
    cover: readCover(values),
    tags: readTags(values.tags),
    variables: readVariables(values.vars),
  })
}

/** A title with the emoji that it names, as in the title above the text of a page. */
function shownTitle(value: unknown): string | undefined {
  const title = shown(value)
  return title && readEmojiNames(title)
}

const writtenTitle = (title: unknown) => (typeof title === 'string' ? keepEmojiNames(title) : title)

function readCover(values: FrontMatter): PageMeta['cover'] {
  const [cover, dark] = [shown(values.cover), shown(values.coverDark)]
  if (cover === undefined && dark === undefined) return undefined
  return withoutUndefined({
    ref: cover === undefined ? undefined : readAddress(cover),
    refDark: dark === undefined ? undefined : readAddress(dark),
    yPos: number(values.coverY) ?? 0,
    height: number(values.coverHeight),
  })
}

/** Parts of a page that are shown or not, as the front matter and the model name them. */
const PARTS = [
  'title',
  'description',
  'tableOfContents',
  'outline',
  'pagination',
  'metadata',
  'tags',
  'actions',
  'anchors',
  'cover',
] as const

function readLayout(value: unknown): PageLayout | undefined {
  if (!isRecord(value)) return undefined
  const layout: PageLayout = {}
  for (const part of PARTS) {
    const inside = value[part]
    const visible = isRecord(inside) ? boolean(inside.visible) : undefined
    if (visible !== undefined) layout[part] = visible
  }
  if (value.width === 'default' || value.width === 'wide') layout.width = value.width
  const { size, mask } = isRecord(value.cover) ? value.cover : {}
  if (size === 'hero' || size === 'full' || size === 'background') layout.coverSize = size
  if (mask === 'none' || mask === 'radial') layout.coverMask = mask
  return Object.keys(layout).length > 0 ? layout : undefined
}

function layoutOf(layout: PageLayout | undefined): FrontMatter | undefined {
  if (!layout) return undefined
  const parts = PARTS.flatMap((part): [string, unknown][] => {
    const values = withoutUndefined({
      visible: layout[part],
      ...(part === 'cover' && { size: layout.coverSize, mask: layout.coverMask }),
    })
    return Object.keys(values).length === 0 ? [] : [[part, values]]
  })
  const values = withoutUndefined<FrontMatter>({ width: layout.width, ...Object.fromEntries(parts) })
  return Object.keys(values).length > 0 ? values : undefined
}

function readTags(value: unknown): PageMeta['tags'] {
  if (!Array.isArray(value)) return undefined
  const tags = value.flatMap((one: unknown) => {
    const tag = shown(isRecord(one) ? one.tag : one)
    if (tag === undefined) return []
    return [isRecord(one) && boolean(one.primary) ? { tag, primary: true } : { tag }]
  })
  return tags.length > 0 ? tags : undefined
}

function readVariables(value: unknown): PageMeta['variables'] {
  if (!isRecord(value)) return undefined
  const entries = Object.entries(value)
    .filter(([, one]) => ['string', 'number', 'boolean'].includes(typeof one))
    .map(([name, one]) => [name, typeof one === 'string' ? withoutHidden(one) : one])
  return entries.length > 0 ? (Object.fromEntries(entries) as PageMeta['variables']) : undefined
}

function string(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : text
}

/** A text that readers see. */
function shown(value: unknown): string | undefined {
  return string(withoutHidden(string(value) ?? ''))
}

function boolean(value: unknown): boolean | undefined {
  if (value === true || value === 'true') return true
  return value === false || value === 'false' ? false : undefined
}

function number(value: unknown): number | undefined {
  const read = typeof value === 'string' ? Number.parseFloat(value) : value
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined
}

function withoutUndefined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}
