import type { MdastNode } from 'satteri'

import { splitAddress } from '../cjk-addresses.ts'
import { readAddress } from '../addresses.ts'
import { inline, line, sameMarks, voidInline, withMark } from '../../build.ts'
import type { Line, InlineRun } from '../../build.ts'
import { emojiCode } from '../../emoji.ts'
import { htmlInline, inlineMark, referring } from '../conditions/condition-tags.ts'
import { decodeEntities } from '../entities.ts'
import type { HtmlLeaf } from '../html-source.ts'
import type { ContentRef, Fragment, Mark } from '../../model.ts'
import { withFormulas } from '../formulas.ts'
import { pairTags } from './pair-tags.ts'
import { tagOf } from './phrase-tags.ts'
import { codeText, EMOJI, phraseText, withoutLineBreaks } from './phrase-text.ts'
import { childrenOf, spanOf, spend } from '../reading.ts'
import type { LineReader, Phrase, ReadingContext } from '../reading.ts'
import { lastWord } from '../../../text/trimming.ts'

const DEEPEST = 60

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

/** Adds text to the line. Text with the marks of the last run is joined to it. */
export function addText(text: string, marks: Mark[], reader: LineReader): void {
  if (text !== '') reader.line.broken = text.endsWith('\n')
  const last = reader.runs.at(-1)
  if (last && 'marks' in last && sameMarks(last.marks, marks)) last.text += text
  else if (text !== '') reader.runs.push({ text, marks })
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

/** Notes that the last run refers to a definition. */
function refersTo(identifier: string, { runs, reading }: LineReader): void {
  const run = runs.at(-1)
  if (run && !('marks' in run)) referring(run, identifier, reading)
}

/** Text with emoji names in it. Line breaks of the source are spaces. */
function readText(decode: (value: string) => string, value: string, marks: Mark[], reader: LineReader): void {
  if (reader.preformatted) return addText(decode(value), marks, reader)
  const flowing = withoutLineBreaks(reader.line.broken ? value.replace(/^[ \t]*\r?\n[ \t]*/, '') : value)
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
