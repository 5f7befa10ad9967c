/** Changes an existing table of contents line by line, so that the lines of everything that did not change stay as they are. */
import { compare, MOST_STEPS } from '../../content/myers-diff.ts'
import { append, need, needItem } from '../../data/lists.ts'
import type { EntryLines, ImportPlan, PageReading, PlannedPage } from '../model.ts'
import { indentWidth } from '../contents/summary.ts'

/** A table of contents, and the plan of an import that read it. */
export interface ReadSummary {
  text: string
  plan: Pick<ImportPlan<PageReading>, 'pages' | 'lines'>
}

/** A page of the tree, with its lines. */
interface Listed extends EntryLines {
  kind: PlannedPage<PageReading>['kind']
  /** Everything that its lines state but its place. */
  meaning: string
  depth: number
  parent: Listed | undefined
  /** Whether it is a group or in one. */
  isGrouped: boolean
}

/** The relation of two neighbours, which determines what is between their lines. */
type GapKind = 'start' | 'group' | 'first' | 'rule' | 'entry' | 'end'

/** The lines between two neighbours of the table of contents. */
interface Gap {
  kind: GapKind
  lines: string[]
}

const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,})$/
const BULLET = /^([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+)/

/**
 * The table of contents `before`, changed to list what `after` lists. Lines of pages in both keep their bytes, also when
 * the page moves, and so do comments and other text. A new line is that of `after`, with the bullets and the
 * indentation of `before`. Takes linear time, apart from the bounded search for the lines that both have.
 * @returns undefined if one of both does not come from a file
 */
export function patchSummary(before: ReadSummary, after: ReadSummary): string | undefined {
  const [old, wanted] = [listedPages(before.plan), listedPages(after.plan)]
  if (!old || !wanted) return undefined
  const [oldLines, newLines] = [linesOfText(before.text), linesOfText(after.text)]
  const oldGaps = gapsBetween(old, oldLines)
  const { inPlace, sources } = matchedPages(old, wanted)
  const style = styleOfSummary(old, oldLines, oldGaps)
  const gaps = patchedGaps(old, wanted, inPlace, oldGaps, style)
  const place = placer(wanted, (page) => {
    const source = sources.get(page)
    return source && indentOfLine(needItem(oldLines, source.start))
  })

  const lines: string[] = []
  for (const [nth, page] of wanted.entries()) {
    append(lines, needItem(gaps, nth))
    const source = sources.get(page)
    const own = source ? oldLines.slice(source.start, source.end) : newLines.slice(page.start, page.end)
    append(lines, place(page, source ? own : styledLines(own, style), style.unit))
  }
  append(lines, needItem(gaps, wanted.length))
  return lines
    .map((line, nth) => (nth === lines.length - 1 || /[\r\n]$/.test(line) ? line : line + style.end))
    .join('')
}

/** The pages of a plan in the order of their lines; undefined if one has none. */
function listedPages({ pages, lines }: ReadSummary['plan']): Listed[] | undefined {
  const listed: Listed[] = []
  let isComplete = true
  const list = (some: readonly PlannedPage<PageReading>[], parent: Listed | undefined) => {
    for (const page of some) {
      const own = lines.get(page)
      if (!own) isComplete = false
      const one: Listed = {
        start: own?.start ?? 0,
        end: own?.end ?? 0,
        kind: page.kind,
        meaning: meaningOfLine(page),
        depth: (parent?.depth ?? 0) + 1,
        parent,
        isGrouped: page.kind === 'group' || (parent?.isGrouped ?? false),
      }
      listed.push(one)
      if ('children' in page) list(page.children, one)
    }
  }
  list(pages, undefined)
  return isComplete ? listed : undefined
}

function meaningOfLine(page: PlannedPage<PageReading>): string {
  const { kind, title } = page
  if (kind === 'link') return JSON.stringify([kind, title, page.target])
  if (kind === 'computed') return JSON.stringify([kind, title, page.computed])
  if (kind === 'group' || page.file === undefined) return JSON.stringify([kind, title, page.slug])
  return JSON.stringify([kind, title, page.file, page.linkTitle ?? null])
}

/** The lines of a text with their ends. */
const linesOfText = (text: string): string[] => text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? []

const withoutLineEnd = (line: string) => line.replace(/[\r\n]+$/, '')

const indentOfLine = (line: string) => /^[ \t]*/.exec(line)?.[0] ?? ''

function gapKind(from: Listed | undefined, to: Listed | undefined): GapKind {
  if (!from) return 'start'
  if (!to) return 'end'
  if (to.kind === 'group') return 'group'
  if (from.kind === 'group' && to.isGrouped) return 'first'
  return from.isGrouped && !to.isGrouped ? 'rule' : 'entry'
}

/** The gaps before each page, and the one after the last page. */
function gapsBetween(pages: readonly Listed[], lines: readonly string[]): Gap[] {
  const ends: (Listed | undefined)[] = [...pages, undefined]
  return ends.map((to, nth) => {
    const from = pages[nth - 1]
    return { kind: gapKind(from, to), lines: lines.slice(from?.end ?? 0, to?.start ?? lines.length) }
  })
}

/** The pages of both tables of contents that are the same. */
interface Matches {
  /** By the place of a wanted page, the place of the old page that stays where it is. */
  inPlace: Map<number, number>
  /** The old pages whose lines the wanted pages have. */
  sources: Map<Listed, Listed>
}

function matchedPages(old: readonly Listed[], wanted: readonly Listed[]): Matches {
  const numbers = new Map<string, number>()
  const numbered = ({ depth, meaning }: Listed) => {
    const key = `${depth} ${meaning}`
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return number
  }
  const [a, b] = [Int32Array.from(old, numbered), Int32Array.from(wanted, numbered)]
  const changed = compare(a, b, numbers.size, MOST_STEPS, { left: MOST_STEPS })
  const staying = old.flatMap((_, nth) => (changed.a[nth] ? [] : [nth])).values()
  const left = Map.groupBy(old.filter((_, nth) => changed.a[nth]).toReversed(), ({ meaning }) => meaning)
  const matches: Matches = { inPlace: new Map(), sources: new Map() }
  for (const [nth, page] of wanted.entries()) {
    if (changed.b[nth]) {
      const source = left.get(page.meaning)?.pop()
      if (source) matches.sources.set(page, source)
    } else {
      const place = staying.next().value ?? 0
      matches.inPlace.set(nth, place)
      matches.sources.set(page, needItem(old, place))
    }
  }
  return matches
}

/** How a table of contents is written. */
interface SummaryStyle {
  /** The bullet of a page with the space behind it. */
  bullet: string
  /** The additional indentation of a page below another page. */
  unit: string
  /** The signs before the title of a group. */
  hashes: string
  /** The end of a line. */
  end: string
  /** The lines between neighbours. */
  gaps: ReadonlyMap<GapKind, string[]>
}

function styleOfSummary(
  pages: readonly Listed[],
  lines: readonly string[],
  gaps: readonly Gap[],
): SummaryStyle {
  const firstLine = ({ start }: Listed) => needItem(lines, start)
  const entry = pages.find(({ kind }) => kind !== 'group')
  const bullet = BULLET.exec(entry ? firstLine(entry) : '')
  const nested = pages.find(({ parent }) => parent && parent.kind !== 'group')
  const unit = nested?.parent
    ? indentOfLine(firstLine(nested)).slice(indentOfLine(firstLine(nested.parent)).length)
    : ''
  const group = pages.find(({ kind }) => kind === 'group')
  const end = /[\r\n]+$/.exec(lines[0] ?? '')?.[0] ?? '\n'
  const samples = new Map<GapKind, string[]>([
    ['start', ['# Table of contents', ''].map((line) => line + end)],
    ['group', [end]],
    ['first', [end]],
    ['rule', ['', '---', ''].map((line) => line + end)],
  ])
  for (const gap of gaps.toReversed()) {
    const isSample = gap.kind === 'group' || gap.kind === 'first' || gap.kind === 'rule'
    if (isSample && otherText(gap).length === 0) samples.set(gap.kind, gap.lines)
  }
  return {
    bullet: bullet ? `${bullet[2]}${bullet[3]}` : '* ',
    unit: unit || '  ',
    hashes: /^ {0,3}(#+)/.exec(group ? firstLine(group) : '')?.[1] ?? '##',
    end,
    gaps: samples,
  }
}

/** The lines of a gap that has other text than the signs of the structure, without these; otherwise none. */
function otherText({ lines }: Gap): string[] {
  const isOther = (line: string) => !RULE.test(line) && !/^ {0,3}#{1,6}[ \t]*$/.test(line)
  const texts = lines.filter((line) => isOther(withoutLineEnd(line)))
  const isBlank = (line: string | undefined) => line?.trim() === ''
  if (texts.every(isBlank)) return []
  return texts.filter((line, nth) => !isBlank(line) || !isBlank(texts[nth - 1]))
}

/**
 * The gaps before each wanted page and after the last one. Between two pages that stay, an old gap goes where its
 * neighbours have the same relation; other gaps lose what is not text.
 */
function patchedGaps(
  old: readonly Listed[],
  wanted: readonly Listed[],
  inPlace: Matches['inPlace'],
  oldGaps: readonly Gap[],
  style: SummaryStyle,
): string[][] {
  const gaps: string[][] = []
  let [fromOld, from] = [0, 0]
  for (let nth = 0; nth <= wanted.length; nth++) {
    const place = nth === wanted.length ? old.length : inPlace.get(nth)
    if (place === undefined) continue
    const kinds: GapKind[] = []
    for (let slot = from; slot <= nth; slot++) kinds.push(gapKind(wanted[slot - 1], wanted[slot]))
    append(gaps, fittedGaps(oldGaps.slice(fromOld, place + 1), kinds, style))
    ;[fromOld, from] = [place + 1, nth + 1]
  }
  return gaps
}

function fittedGaps(old: readonly Gap[], kinds: readonly GapKind[], style: SummaryStyle): string[][] {
  const places = Map.groupBy(old.keys(), (nth) => needItem(old, nth).kind)
  const used: (number | undefined)[] = []
  let next = old.length
  for (const [slot, kind] of [...kinds.entries()].toReversed()) {
    const free = places.get(kind) ?? []
    while ((free.at(-1) ?? -1) >= next) free.pop()
    const found = free.pop()
    used[slot] = found
    next = found ?? next
  }
  let passed = 0
  return kinds.map((kind, slot) => {
    const own = used[slot]
    const isLast = slot === kinds.length - 1
    const until = own ?? (isLast ? old.length : passed)
    const lines = old.slice(passed, until).flatMap(otherText)
    append(lines, own === undefined ? (style.gaps.get(kind) ?? []) : needItem(old, own).lines)
    if (own !== undefined) passed = own + 1
    if (isLast && own !== undefined) append(lines, old.slice(passed).flatMap(otherText))
    return lines
  })
}

/** New lines in the style of the others. */
function styledLines(lines: readonly string[], { bullet, hashes, end }: SummaryStyle): string[] {
  return lines.map((line, nth) => {
    const text = withoutLineEnd(line)
    return (nth > 0 ? text : text.replace(/^([ \t]*)\* /, `$1${bullet}`).replace(/^##/, hashes)) + end
  })
}

/**
 * Places the lines of pages, one page after the other. A page keeps its indentation if a reader finds the right page above it;
 * otherwise it has that of a sibling, or one more than that of the page above it.
 * @param ownIndent the indentation that a page had before
 */
function placer(wanted: readonly Listed[], ownIndent: (page: Listed) => string | undefined) {
  /** The indentation of the first of the pages below a page that has one. */
  const ofChildren = new Map<Listed | undefined, string>()
  for (const page of wanted) {
    const indent = ownIndent(page)
    if (indent !== undefined && !ofChildren.has(page.parent)) ofChildren.set(page.parent, indent)
  }
  let open: { page: Listed; indent: string }[] = []
  const given = new Map<Listed, string>()

  /** Whether a reader finds the page above at an indentation. Pages below a link are read as its siblings. */
  const fits = (page: Listed, indent: string) => {
    const width = indentWidth(indent)
    let above = open.findLast((one) => indentWidth(one.indent) < width)?.page
    while (above?.kind === 'link') above = above.parent
    return above === undefined ? !page.parent || page.parent.kind === 'group' : above === page.parent
  }

  return (page: Listed, lines: readonly string[], unit: string): string[] => {
    if (page.kind === 'group') {
      open = []
      return [...lines]
    }
    if (!page.parent && open[0]?.page.isGrouped) open = []
    const { parent } = page
    const above = parent && parent.kind !== 'group' ? need(given, parent) + unit : ''
    const candidates = [ownIndent(page), open.findLast((one) => one.page.parent === parent)?.indent]
    const indent =
      [...candidates, ofChildren.get(parent)].find((one) => one !== undefined && fits(page, one)) ?? above
    given.set(page, indent)
    while (indentWidth(open.at(-1)?.indent ?? '') >= indentWidth(indent) && open.length > 0) open.pop()
    if (page.kind !== 'computed') open.push({ page, indent })
    const before = indentOfLine(lines[0] ?? '')
    return lines.map((line) => (line.startsWith(before) ? indent + line.slice(before.length) : line))
  }
}
