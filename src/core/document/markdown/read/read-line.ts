import type { MdastNode } from 'satteri'

import { splitAddress } from '../cjk-addresses.ts'
import { readAddress } from '../addresses.ts'
import { inline, line, sameMarks, voidInline, withMark } from '../../build.ts'
import type { Line, InlineRun } from '../../build.ts'
import { emojiCharacters, emojiCode } from '../../emoji.ts'
import { conditionTags, htmlInline, inlineMark, referring } from '../conditions/condition-tags.ts'
import { decodeEntities } from '../entities.ts'
import { withoutHidden } from '../hiding-tags.ts'
import type { HtmlLeaf } from '../html-source.ts'
import type { ContentRef, Fragment, Mark } from '../../model.ts'
import type { Masked } from '../mask.ts'
import { openConditions } from '../open-tags.ts'
import { withFormulas } from './formulas.ts'
import { pairTags } from './pair-tags.ts'
import { childrenOf, spanOf, spend } from '../reading.ts'
import type { LineReader, Phrase, ReadingContext } from '../reading.ts'
import type { Tag } from '../tags.ts'
import { lastWord } from '../../../text/trimming.ts'

const DEEPEST = 60

/** `:name:`, but not within words and addresses such as `/users/:id:/`. */
const EMOJI = /(?<![\w/]):[\w+-]+:(?![\w/])/g

/** Reads the line of a paragraph, heading, cell or caption. */
export function readLine(phrases: Phrase[], reading: ReadingContext, marks: Mark[] = []): Line {
  return line(readRuns(phrases, reading, marks))
}

/** The runs of a line, for callers that change them before they are joined. */
export function readRuns(
  phrases: Phrase[],
  reading: ReadingContext,
  marks: Mark[] = [],
  depth = 0,
  preformatted = false,
): InlineRun[] {
  const reader: LineReader = { runs: [], reading, depth, preformatted, line: { broken: false } }
  readPhrases(pairTags(phrases), marks, reader)
  return reader.runs
}

/** Reads phrases into the line of the reader. */
export function readPhrases(phrases: Phrase[], marks: Mark[], reader: LineReader): void {
  if (reader.depth > DEEPEST) {
    addText(phraseText(phrases, reader.reading), marks, reader)
    return
  }
  const inner = { ...reader, depth: reader.depth + 1 }
  for (const phrase of withFormulas(phrases, reader.reading)) {
    const tag = tagOf(phrase, reader.reading)
    if (tag?.name === 'if') {
      reader.runs.push(inlineMark(tag))
      reader.line.broken = false
    } else readPhrase(phrase, marks, inner)
  }
}

/** The tags in phrases of which `phraseText` has read the text, without those whose content it has left out. */
export function openTags(phrases: readonly Phrase[], reading: ReadingContext): Tag[] {
  if (!reading.isConditional) return []
  return tagsIn(phrases, reading).filter((tag) => tag.name === 'if' && !reading.settled.has(tag))
}

function tagsIn(phrases: readonly Phrase[], reading: ReadingContext): Tag[] {
  const tags: Tag[] = []
  const open = phrases.toReversed()
  for (let phrase = open.pop(); phrase; phrase = open.pop()) {
    const tag = tagOf(phrase, reading)
    if (tag) tags.push(tag)
    if ('children' in phrase) for (const child of (phrase.children as Phrase[]).toReversed()) open.push(child)
  }
  return tags
}

/** The tag that a phrase is, if it is one. */
export function tagOf(phrase: Phrase, reading: ReadingContext): Tag | undefined {
  const source = phrase.type === 'comment' ? phrase.source : phrase.type === 'html' ? phrase.value : undefined
  const tag = source === undefined ? undefined : reading.masked.tag(source)
  return tag && reading.literal.has(tag) ? undefined : tag
}

/** The opening tags in what a phrase has beside its text, such as an attribute, an address or a comment. */
function tagsBeside(phrase: Phrase, reading: ReadingContext): Tag[] {
  if (!reading.isConditional) return []
  const beside = besideText(phrase).filter((value) => typeof value === 'string')
  return beside.flatMap((value) => conditionTags(value, reading)).filter(({ closes }) => !closes)
}

function besideText(phrase: Phrase): (string | null | undefined)[] {
  switch (phrase.type) {
    case 'html':
      return [phrase.value]
    case 'comment':
    case 'tag':
      return [phrase.source]
    case 'element':
      return [phrase.open]
    case 'image':
      return [phrase.alt, phrase.url, phrase.title]
    case 'imageReference':
      return [phrase.alt]
    case 'link':
      return [phrase.url, phrase.title]
    default:
      return []
  }
}

/** Adds text to the line. Text with the marks of the last run is joined to it. */
export function addText(text: string, marks: Mark[], reader: LineReader): void {
  if (text !== '') reader.line.broken = text.endsWith('\n')
  const last = reader.runs.at(-1)
  if (last && 'marks' in last && sameMarks(last.marks, marks)) last.text += text
  else if (text !== '') reader.runs.push({ text, marks })
}

const BREAK = '(?:br|p|div|li|tr|td|th|dt|dd|h[1-6])'
const BREAKS = new RegExp(`^${BREAK}$`)
const BREAK_TAG = new RegExp(`^</?${BREAK}[\\s/>]`, 'i')

/**
 * The text of phrases, without marks and inlines, on one line. A space replaces the end of a line or of an HTML
 * paragraph. Entities and escapes are decoded. The text under a condition is left out, because everybody sees a title or a label.
 * @param as `source`: names of emoji stay as they are. `label`: a condition that does not end in the phrases hides the node that
 * has the text, see `holding`
 */
export function phraseText(
  phrases: Phrase[],
  reading: ReadingContext,
  as: 'source' | 'title' | 'label' = 'source',
): string {
  let text = ''
  let ended = false
  const tags: Tag[] = []
  const conditions = openConditions()
  const written = (value: string) => (as === 'source' ? spaced(value) : withEmoji(spaced(value)))
  let shown = ''
  const pass = (tag: Tag) => {
    if (conditions.count() === 0) shown = text
    if (tag.closes && !conditions.close(tag)) return
    if (!tag.closes) conditions.add(tag)
    tags.push(tag)
    if (conditions.count() > 0) return
    text = shown
    for (const one of tags.splice(0)) {
      reading.settled.add(one)
      if (!one.closes) reading.leftOut.add(one)
    }
  }
  const add = (part: string) => {
    if (part === '') return
    const apart = ended && text !== '' && !/^\s/.test(part) && !/\s/.test(text.at(-1) ?? '')
    text += apart ? ` ${part}` : part
    ended = false
  }
  const open = withFormulas(phrases, reading).toReversed()
  for (let phrase = open.pop(); phrase; phrase = open.pop()) {
    const condition = tagOf(phrase, reading)
    if (!condition) for (const tag of tagsBeside(phrase, reading)) pass(tag)
    if (condition?.name === 'if') pass(condition)
    else if (phrase.type === 'characters') add(decodeEntities(reading.masked.raw(written(phrase.source))))
    else if (phrase.type === 'text') add(reading.masked.plain(written(phrase.value)))
    else if (phrase.type === 'inlineCode') add(codeText(phrase.value, reading.masked))
    else if (phrase.type === 'inlineMath') add(reading.masked.raw(phrase.value))
    else if (phrase.type === 'image') add(reading.masked.plain(phrase.alt ?? ''))
    else if (phrase.type === 'break') add('\n')
    else if (phrase.type === 'html' || phrase.type === 'comment') {
      if (phrase.type === 'html' && BREAK_TAG.test(phrase.value)) ended = true
      add(tagText(phrase, reading))
    } else if (phrase.type === 'tag') ended ||= BREAKS.test(phrase.name)
    else if ('children' in phrase) {
      if (phrase.type === 'element' && BREAKS.test(phrase.name)) {
        ended = true
        open.push({ type: 'tag', name: phrase.name, source: '', start: phrase.end, end: phrase.end })
      }
      for (const child of withFormulas(phrase.children as Phrase[], reading).toReversed()) open.push(child)
    }
  }
  return conditions.count() === 0 || as === 'label' ? text : shown
}

const MARKS: Partial<Record<MdastNode['type'], Mark>> = {
  strong: { object: 'mark', type: 'bold' },
  emphasis: { object: 'mark', type: 'italic' },
  delete: { object: 'mark', type: 'strikethrough' },
}

function readPhrase(phrase: Phrase, marks: Mark[], reader: LineReader): void {
  const { masked, definitions } = reader.reading
  switch (phrase.type) {
    case 'text':
      return readText(masked.plain, phrase.value, marks, reader)
    case 'characters':
      return readText((value) => decodeEntities(masked.raw(value)), phrase.source, marks, reader)
    case 'break':
      return addText('\n', marks, reader)
    case 'inlineCode':
      return addText(
        codeText(phrase.value, masked),
        withMark(marks, { object: 'mark', type: 'code' }),
        reader,
      )
    case 'inlineMath':
      reader.runs.push(voidInline('inline-math', { formula: masked.raw(phrase.value) }))
      return
    case 'strong':
    case 'emphasis':
    case 'delete':
      return readPhrases(pairTags(childrenOf(phrase)), withMark(marks, MARKS[phrase.type] as Mark), reader)
    case 'link':
      return addParsedLink(phrase, marks, reader)
    case 'linkReference': {
      const definition = definitions.get(phrase.identifier)
      if (!definition || !spend(reader.reading, definition.url.length))
        return readPhrases(pairTags(childrenOf(phrase)), marks, reader)
      addLink(phrase, definition, marks, reader)
      return refersTo(phrase.identifier, reader)
    }
    case 'image':
      return addImage(phrase.url, phrase.alt, phrase.title, reader)
    case 'imageReference': {
      const definition = definitions.get(phrase.identifier)
      if (!definition || !spend(reader.reading, definition.url.length))
        return addText(masked.plain(phrase.alt ?? ''), marks, reader)
      addImage(definition.url, phrase.alt, definition.title, reader)
      return refersTo(phrase.identifier, reader)
    }
    case 'footnoteReference':
      return readAnnotation(phrase.identifier, phrase.label ?? phrase.identifier, marks, reader)
    case 'element':
      return reader.reading.readInlineElement(phrase, marks, reader)
    case 'html':
    case 'comment':
    case 'tag':
      return readMarkup(phrase, marks, reader)
    default:
      return readPhrases(pairTags(childrenOf(phrase)), marks, reader)
  }
}

/** Code within a line. The line breaks of its source are spaces, as CommonMark has them. */
function codeText(value: string, { raw }: Masked): string {
  return raw(value).replace(/\r\n|\r|\n/g, ' ')
}

/** Notes that the last run refers to a definition. */
function refersTo(identifier: string, { runs, reading }: LineReader): void {
  const run = runs.at(-1)
  if (run && !('marks' in run)) referring(run, identifier, reading)
}

/** Text with the characters of the emoji that it names. */
function withEmoji(text: string): string {
  if (!text.includes(':')) return text
  return text.replace(EMOJI, (name) => emojiCharacters(emojiCode(name.slice(1, -1)) ?? '') || name)
}

/** Text with emoji names in it. Line breaks of the source are spaces. */
function readText(decode: (value: string) => string, value: string, marks: Mark[], reader: LineReader): void {
  if (reader.preformatted) return addText(decode(value), marks, reader)
  const flowing = spaced(reader.line.broken ? value.replace(/^[ \t]*\r?\n[ \t]*/, '') : value)
  let done = 0

  for (const match of flowing.includes(':') ? flowing.matchAll(EMOJI) : []) {
    if (match.index < done) continue
    const code = emojiCode(match[0].slice(1, -1))
    if (code === undefined) continue
    addText(decode(flowing.slice(done, match.index)), marks, reader)
    reader.runs.push(voidInline('emoji', { code }))
    done = match.index + match[0].length
  }
  addText(decode(flowing.slice(done)), marks, reader)
}

function spaced(value: string): string {
  if (!/[\r\n]/.test(value)) return value
  return value.replace(/[ \t\r\n]+/g, (run) => ' '.repeat(run.match(/\r\n|\r|\n/g)?.length ?? 0) || run)
}

/** A link, or what the parser took for a web address in text, which ends at CJK punctuation. */
function addParsedLink(node: MdastNode & { type: 'link' }, marks: Mark[], reader: LineReader): void {
  const { masked } = reader.reading
  const [only, ...others] = node.children
  const isBare = only?.type === 'text' && others.length === 0 && isBareAddress(node, only.value, reader)
  const [piece, ...pieces] = isBare ? masked.pieces(only.value) : []
  const parts =
    piece && !piece.tag && pieces.length === 0 ? splitAddress(masked.plain(piece.text)) : undefined
  if (!parts) return addLink(node, node, marks, reader)
  for (const part of parts) {
    if ('text' in part) addText(part.text, marks, reader)
    else {
      const url = /^www\./i.test(part.address) ? `http://${part.address}` : part.address
      reader.runs.push(inline('link', { ref: readAddress(url) }, line([{ text: part.address, marks }])))
    }
  }
}

/** Whether a link is an address that stands in the text, without brackets around it. */
function isBareAddress(node: MdastNode, value: string, { reading }: LineReader): boolean {
  const start = node.position?.start.offset
  return (
    start !== undefined &&
    /^(?:https?:\/\/|www\.)/i.test(value) &&
    reading.masked.text.startsWith(value, start)
  )
}

function addLink(
  node: MdastNode,
  target: { url: string; title?: string | null },
  marks: Mark[],
  reader: LineReader,
): void {
  const ref = refOf(target.url, reader.reading)
  if (target.title === 'mention') {
    reader.runs.push(voidInline('mention', { ref }))
    return
  }
  reader.runs.push(inline('link', { ref }, innerLine(childrenOf(node), marks, reader)))
}

/** The line inside a link or annotation. HTML nests neither, so an inner one is reduced to its text. */
export function innerLine(phrases: Phrase[], marks: Mark[], reader: LineReader): Line {
  const runs = readRuns(phrases, reader.reading, marks, reader.depth, reader.preformatted)
  return line(runs.flatMap(withoutLinks))
}

function withoutLinks(run: InlineRun): InlineRun[] {
  if ('marks' in run || !run.nodes) return [run]
  const inner = run.nodes.flatMap((node): InlineRun[] =>
    node.object === 'text' ? node.leaves : withoutLinks(node),
  )
  return inner
}

function addImage(
  url: string,
  alt: string | null | undefined,
  title: string | null | undefined,
  reader: LineReader,
): void {
  const { masked } = reader.reading
  const data = {
    ref: refOf(url, reader.reading),
    caption: masked.plain(title ?? ''),
    alt: masked.plain(alt ?? ''),
  }
  reader.runs.push(voidInline('inline-image', withoutEmpty(data)))
}

/** The data without the keys whose value is empty. */
export function withoutEmpty<T extends object>(data: T): T {
  return Object.fromEntries(
    Object.entries(data).filter(([, value]) => value !== '' && value !== undefined),
  ) as T
}

/** The reference of an address in the masked source. */
export function refOf(url: string, reading: ReadingContext): ContentRef {
  return readAddress(reading.masked.raw(url))
}

/** A footnote reference annotates the word before it. */
function readAnnotation(identifier: string, label: string, marks: Mark[], reader: LineReader): void {
  const body = annotationBody(identifier, reader.reading)
  if (!body) return addText(`[^${reader.reading.masked.raw(label)}]`, marks, reader)

  const last = reader.runs.at(-1)
  const word = last && 'marks' in last ? lastWord(last.text) : ''
  if (!last || !('marks' in last) || word === '') {
    reader.runs.push(inline('annotation', {}, line([]), [body]))
    return refersTo(identifier, reader)
  }
  if (word === last.text) reader.runs.pop()
  else last.text = last.text.slice(0, -word.length)
  reader.runs.push(inline('annotation', {}, line([{ text: word, marks: last.marks }]), [body]))
  refersTo(identifier, reader)
}

/**
 * The fragment with a footnote's blocks. Returns undefined if the footnote does not exist, or if the repetition budget
 * is spent.
 */
export function annotationBody(identifier: string, reading: ReadingContext): Fragment | undefined {
  const definition = reading.footnotes.get(identifier)
  if (!definition || reading.inFootnote) return undefined
  const { start, end } = spanOf(definition)
  if (reading.bodies.has(identifier) && !spend(reading, end - start)) return undefined
  return { object: 'fragment', type: 'annotation-body', nodes: reading.readFootnote(identifier) }
}

function readMarkup(phrase: MdastNode | HtmlLeaf, marks: Mark[], reader: LineReader): void {
  const source = 'source' in phrase ? phrase.source : 'value' in phrase ? phrase.value : ''
  const tag = reader.reading.masked.tag(source)
  if (tag) return addText(tag.source, marks, reader)
  reader.runs.push(htmlInline(source, reader.reading))
}

function tagText(phrase: MdastNode | HtmlLeaf, reading: ReadingContext): string {
  const source = 'source' in phrase ? phrase.source : 'value' in phrase ? phrase.value : ''
  const tag = reading.masked.tag(source)
  return tag ? withoutHidden(tag.source) : ''
}
