import type { MdastNode } from 'satteri'

import { paragraph } from './build.ts'
import { frontMatterEnd, frontMatterExcess, readFrontMatter } from './front-matter/front-matter.ts'
import { allBlocks, assignAnchors, assignKeys, assignKeysOf } from './identify.ts'
import { bytesProblem, documentProblem, PAGE_LIMITS } from './shape/limits.ts'
import { hasConditions, settleCode, unsettledTags } from './markdown/conditions/condition-tags.ts'
import { mask } from './markdown/mask.ts'
import type { Masked } from './markdown/mask.ts'
import { readMasked } from './markdown/read/read-masked.ts'
import type { MaskedTree } from './markdown/read/read-masked.ts'
import { noteFormulas } from './markdown/conditions/formula-conditions.ts'
import { tagsInOpenCode } from './markdown/conditions/open-code.ts'
import { noteRawCode } from './markdown/conditions/raw-code.ts'
import { placeConditions } from './markdown/conditions/place-conditions.ts'
import type { PairFaults } from './markdown/conditions/pair-conditions.ts'
import { readInner, readNodes } from './markdown/read/read-blocks.ts'
import { readIdAttribute } from './markdown/read/read-heading.ts'
import { readInlineElement } from './markdown/read/read-inline-element.ts'
import { openTags } from './markdown/read/phrase-tags.ts'
import { phraseText } from './markdown/read/phrase-text.ts'
import { readHtmlTable } from './markdown/read/read-table.ts'
import { childrenOf, LEAST_BUDGET, normalLabel, readTree, spanOf } from './markdown/reading.ts'
import type { ReadingContext, SourceMap } from './markdown/reading.ts'
import { hasOwnCondition } from './markdown/tags.ts'
import type { Tag } from './markdown/tags.ts'
import type { Block, Document, HidingTag, ParsedPage, Span } from './model.ts'
import { referringBlocks } from './links/references.ts'
import { because } from '../languages/reasons.ts'
import { type Reasoned } from '../languages/reasoned.ts'
import { readOrElse, showSource } from './show-source.ts'
import type { Body } from './show-source.ts'

/** How a page is read. */
export interface ParseOptions {
  /** Which of its blocks get keys, which take a sixth of the time: by default, all. */
  keys?: BlockKeys
  /** Filled with the places of the blocks. */
  map?: SourceMap
}

/** All blocks, those that have references, or none. */
export type BlockKeys = 'all' | 'referring' | 'none'

/**
 * Reads a page: front matter, a leading `# heading` as its title, then blocks. Never throws: a body that cannot be
 * read becomes one code block with its source, and `unreadable` gives the reason. So does a body that exceeds a limit.
 */
export function parsePage(source: string, { keys = 'all', map }: ParseOptions = {}): ParsedPage {
  const meta = readFrontMatter(source)
  const { title = meta.title, ...body } = readSource(source, frontMatterEnd(source), {
    isTitled: true,
    keys,
    ...(map && { map }),
  })
  const excess = body.excess ?? headProblem(source, title)
  return {
    ...(title === undefined ? {} : { title }),
    meta,
    ...body,
    ...(excess === undefined ? {} : { excess }),
  }
}

/** The limit that the front matter or the title exceeds. The body is shown all the same. */
function headProblem(source: string, title = ''): Reasoned | undefined {
  if (title.length > PAGE_LIMITS.title)
    return because('has-long-title', { size: title.length, limit: PAGE_LIMITS.title })
  return frontMatterExcess(source)
}

/** Reads Markdown that is not a page, such as a comment: it has neither front matter nor a title. Never throws. */
export function parseMarkdown(source: string): Omit<ParsedPage, 'title' | 'meta'> {
  return readSource(source, source.startsWith('\ufeff') ? 1 : 0, { isTitled: false, keys: 'all' })
}

/** The range of a page's title: the text of its leading `# heading`, or undefined. */
export function titleSpan(source: string): Span | undefined {
  if (bytesProblem(source) !== undefined) return undefined
  const offset = frontMatterEnd(source)
  const found = readOrElse(
    () => {
      const masked = mask(firstParagraph(source.slice(offset)))
      const heading = masked && leadingHeading(readTree(masked.text))
      return heading && { heading, children: titlePhrases(heading, masked) }
    },
    () => undefined,
  )
  if (!found) return undefined

  const { heading, children } = found
  const [first, last] = [children[0], children.at(-1)]
  const { start, end } = spanOf(heading)
  if (!first || !last) return { start: offset + end, end: offset + end }
  return {
    start: offset + Math.max(start, spanOf(first).start),
    end: offset + Math.min(end, spanOf(last).end),
  }
}

/** The ranges of the conditions that begin in a page's title and hide what follows it, in order. */
export function titleConditions(source: string): Span[] {
  if (bytesProblem(source) !== undefined) return []
  const offset = frontMatterEnd(source)
  const read = readOrElse(
    () => readMasked(firstParagraph(source.slice(offset))),
    () => undefined,
  )
  const heading = read && leadingHeading(read.nodes)
  if (!heading) return []

  const reading = readingOf(read, { origin: offset, budget: source.length })
  settleCode(read.nodes, reading)
  noteRawCode(read.nodes, reading)
  return shownTitle(childrenOf(heading), reading)
    .open.filter(({ closes }) => !closes)
    .map((tag) => {
      const start = offset + read.masked.tags.get(tag)!
      return { start, end: start + tag.source.length }
    })
}

/** The title of a page, read from its beginning alone: unlike `parsePage`, it knows no definitions that follow. */
export function quickTitle(source: string): string | undefined {
  const offset = frontMatterEnd(source)
  return parsePage(source.slice(0, offset) + firstParagraph(source.slice(offset)), { keys: 'none' }).title
}

/** The text up to the first blank line after it begins. A heading never continues after one. */
function firstParagraph(text: string): string {
  const blank = /\n[ \t\r]*\n/g
  blank.lastIndex = Math.max(0, text.search(/\S/))
  return text.slice(0, blank.exec(text)?.index)
}

function readSource(
  source: string,
  offset: number,
  { isTitled, keys, map }: { isTitled: boolean; keys: BlockKeys; map?: SourceMap },
): Omit<ParsedPage, 'meta'> {
  const body = source.slice(offset)
  const made = (read: Body) => parsedDocument(read, offset, keys)
  const problem = bytesProblem(source)
  if (problem !== undefined) return made(showExcess(body, problem))
  return readOrElse(
    () => made(withinLimits(readBody(body, { isTitled, head: source.slice(0, offset), map }), body)),
    (reason) => made(showSource(body, reason)),
  )
}

function withinLimits(read: Body, source: string): Body {
  const problem = documentProblem({ nodes: read.placed.map(({ block }) => block) })
  return problem === undefined || read.unreadable !== undefined ? read : showExcess(source, problem)
}

function showExcess(source: string, problem: Reasoned): Body {
  return { ...showSource(source, problem), excess: problem }
}

function parsedDocument(
  { placed, conditions, hiding, ...body }: Body,
  offset: number,
  keys: BlockKeys,
): Omit<ParsedPage, 'meta'> {
  const document: Document = {
    object: 'document',
    data: { schemaVersion: SCHEMA },
    nodes: placed.map(({ block }) => block),
  }
  const blocks = allBlocks(document.nodes)
  if (keys === 'all') assignKeys(blocks)
  else if (keys === 'referring') assignKeysOf(blocks, referringBlocks(document))
  assignAnchors(blocks)
  const inSource = ({ start, end }: Span) => ({ start: start + offset, end: end + offset })
  const spans = placed.map(inSource)
  return {
    ...body,
    ...(conditions && { conditions: conditions.map(inSource) }),
    ...(hiding && { hiding: hiding.map((tag) => ({ ...tag, start: tag.start + offset })) }),
    document,
    spans,
  }
}

/** The version of the document model that `data.schemaVersion` names. */
const SCHEMA = 1

function readBody(
  source: string,
  { isTitled, head, map }: { isTitled: boolean; head: string; map: SourceMap | undefined },
): Body {
  const read = readMasked(source, head)
  if (!read) return showSource(source, because('too-long-to-parse'))

  const { nodes } = read
  const reading = readingOf(read, { origin: head.length, budget: source.length, map })
  settleCode(nodes, reading)
  noteFormulas(nodes, reading)
  noteRawCode(nodes, reading)
  const tags = unsettledTags(reading)
  gatherDefinitions(nodes, reading)
  const heading = isTitled ? leadingHeading(nodes) : undefined
  const blocks = readNodes(heading ? nodes.slice(1) : nodes, reading)
  const { title, open } = shownTitle(heading ? titlePhrases(heading, reading.masked) : [], reading)
  const { placed, conditions, faults } = placeConditions(blocks, open, reading)
  if (map) noteFootnotes(map, reading)
  const inCode = tagsInOpenCode(nodes, reading.masked)
  const { named } = read
  const found = { ...faults, inCode, inFormulas: reading.inFormulas.begun, named }
  const hiding = hidingTags(tags, found, heading && spanOf(heading), reading)
  return {
    ...(title === '' ? {} : { title }),
    placed,
    ...(conditions.length === 0 ? {} : { conditions }),
    ...(hiding.length === 0 ? {} : { hiding }),
  }
}

function hidingTags(
  tags: readonly Tag[],
  {
    unclosed,
    unopened,
    ignored,
    misbegun,
    inCode,
    inFormulas,
    named,
    placeOf,
  }: PairFaults & { inCode: readonly Tag[]; inFormulas: ReadonlyMap<Tag, number> } & Pick<
      MaskedTree,
      'named'
    >,
  title: Span | undefined,
  { masked, leftOut }: ReadingContext,
): HidingTag[] {
  const open = new Set(unclosed)
  const placedAs =
    (fault: NonNullable<HidingTag['fault']>) =>
    ([{ name, source }, start]: readonly [Tag, number]) => ({ start, name, source, fault })
  const taggedAs = (fault: NonNullable<HidingTag['fault']>) => (tag: Tag) =>
    placedAs(fault)([tag, masked.tags.get(tag) ?? placeOf(tag)])
  const others: HidingTag[] = [
    ...unopened.map(taggedAs('unopened')),
    ...ignored.map(taggedAs('ignored')),
    ...misbegun.map(taggedAs('misbegun')),
    ...inCode.map(taggedAs('code')),
    ...[...inFormulas].map(placedAs('formula')),
    ...named.map(placedAs('named')),
  ]
  const whole = (start: number) => (title && start < title.end ? 'title' : 'label')
  const openings = tags.map((tag): HidingTag => {
    const { name, source, argument } = tag
    const start = masked.tags.get(tag)!
    if (name !== 'if') return { start, name, source, fault: hasOwnCondition(tag) ? 'attribute' : 'value' }
    const fault = open.has(tag) ? 'unclosed' : leftOut.has(tag) ? whole(start) : undefined
    return { start, name, source, expression: argument, ...(fault && { fault }) }
  })
  return others.length === 0 ? openings : [...openings, ...others].toSorted((a, b) => a.start - b.start)
}

function readingOf(
  { masked, openInHead, settled, isCommented }: MaskedTree,
  { origin, budget, map }: { origin: number; budget: number; map?: SourceMap | undefined },
): ReadingContext {
  const reading: ReadingContext = {
    masked,
    ...(map && { map }),
    origin,
    openInHead,
    inFormulas: { begun: new Map(), open: new Map(), ends: new Map(), noted: new Set() },
    isConditional: hasConditions({ masked, openInHead }),
    isCommented,
    settled,
    leftOut: new Set(),
    inRawCode: new Set(),
    literal: new Set(),
    definitions: new Map(),
    footnotes: new Map(),
    bodies: new Map(),
    inFootnote: false,
    budget: { left: Math.max(LEAST_BUDGET, budget) },
    readFootnote: (identifier) => footnoteBody(identifier, reading),
    readInlineElement,
    readInner,
    readHtmlTable,
  }
  return reading
}

/** The phrases of a title. An id at its end, such as `{#id}`, is not part of it. */
function titlePhrases(heading: MdastNode, masked: Masked): MdastNode[] {
  const phrases = childrenOf(heading)
  const written = readIdAttribute(phrases, masked)
  return written ? [...phrases.slice(0, -1), ...written.rest] : phrases
}

/** The text of a title, and the tags of the conditions that do not end in it. */
function shownTitle(phrases: ReturnType<typeof childrenOf>, reading: ReadingContext) {
  const shown = phrases.slice(0, firstCommented(phrases, reading))
  const title = phraseText(shown, reading, 'title').trim()
  return { title, open: openTags(phrases, reading) }
}

/** The index of the first phrase with a comment in which a condition begins and does not end; undefined if there is none. */
function firstCommented(
  phrases: ReturnType<typeof childrenOf>,
  { masked, settled, isCommented }: ReadingContext,
): number | undefined {
  if (!isCommented) return undefined
  const [from, to] = [phrases[0], phrases.at(-1)].map((phrase) => phrase && spanOf(phrase))
  if (!from || !to) return undefined
  for (const [tag, start] of masked.tags) {
    if (start < from.start || start >= to.end || tag.name !== 'if' || tag.closes || settled.has(tag)) continue
    // A comment stands for a tag outside of comments.
    if (masked.text[start] !== '<') return phrases.findIndex((phrase) => spanOf(phrase).end > start)
  }
  return undefined
}

function leadingHeading(nodes: MdastNode[]): MdastNode | undefined {
  const [first] = nodes
  return first?.type === 'heading' && first.depth === 1 ? first : undefined
}

function gatherDefinitions(nodes: MdastNode[], reading: ReadingContext): void {
  const open = [...nodes].toReversed()
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'definition') {
      if (!reading.definitions.has(node.identifier)) reading.definitions.set(node.identifier, node)
      reading.map?.linkLabels.add(normalLabel(reading.masked.raw(node.label ?? node.identifier)))
    } else if (node.type === 'footnoteDefinition') {
      if (!reading.footnotes.has(node.identifier)) reading.footnotes.set(node.identifier, node)
    } else if (node.type === 'blockquote' || node.type === 'list' || node.type === 'listItem')
      for (const child of childrenOf(node).toReversed()) open.push(child)
  }
}

function noteFootnotes(map: SourceMap, { bodies, footnotes, masked, origin = 0 }: ReadingContext): void {
  for (const [identifier, body] of bodies) {
    const definition = footnotes.get(identifier)
    if (definition?.type !== 'footnoteDefinition') continue
    const label = masked.raw(definition.label ?? identifier)
    const { start, end } = spanOf(definition)
    map.labels.set(body, label)
    map.definitions.set(label, { start: origin + start, end: origin + end })
  }
}

function footnoteBody(identifier: string, reading: ReadingContext): Block[] {
  const known = reading.bodies.get(identifier)
  if (known) return known
  const definition = reading.footnotes.get(identifier)
  const inside = { ...reading, inFootnote: true }
  const body = definition ? readNodes(childrenOf(definition), inside).map(({ block }) => block) : []
  const blocks = body.length > 0 ? body : [paragraph()]
  reading.bodies.set(identifier, blocks)
  return blocks
}
