import { hidingTag, hidingTagInAddress, withoutHidden } from '../../document/markdown/hiding-tags.ts'
import { meantConditions } from '../../document/shown/meant-conditions.ts'
import { readAddress } from '../../document/markdown/addresses.ts'
import { readComputed } from './computed.ts'
import { type InlineLink, plainTitle, readInlineLink } from './inline-link.ts'
import { outsideOfCode, summaryConditions } from './summary-conditions.ts'
import type { SummaryConditions, TagPlace } from './summary-conditions.ts'
import type { Entry, EntryLines, GroupEntry, Problem } from '../model.ts'
import type { WithReason } from '../../languages/reasoned.ts'
import { because } from '../../languages/reasons.ts'
import { decodeAddress, isAbsoluteAddress } from '../../text/file-paths.ts'
import { blankComments } from '../../text/html-comments.ts'

/** The entries and problems of a table of contents. */
export interface Summary {
  entries: Entry[]
  lines: Map<Entry, EntryLines>
  problems: Omit<Problem, 'path'>[]
}

/**
 * Reads a `SUMMARY.md` in linear time. It never fails: lines that are not entries are skipped.
 *
 * `## Group` starts a group at the top level and a rule (`---`) ends it. A bullet is a page. Its parent is the nearest
 * bullet above it with less indentation, whatever the width. A bullet without a link is an empty page. What is between the
 * tags of a condition is no entry, and has none: nothing evaluates a condition there.
 */
export function parseSummary(source: string): Summary {
  const summary: Summary = { entries: [], lines: new Map(), problems: [] }
  const lines = blankComments(source).split(/\r\n|\n|\r/)
  const conditions = summaryConditions(source, (line) => HEADING.test(line) || BULLET.test(line))
  const { noteHiding, noteAddress, cutting } = conditionNotes(summary, conditions)
  let group: GroupEntry | undefined
  let open: { indent: number; children: Entry[] }[] = []
  let titled = false

  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const heading = HEADING.exec(line)
    if (heading) {
      open = []
      // The first heading of level one is the title of the table of contents, not a group.
      if (heading[1] === '#' && !titled && summary.entries.length === 0) {
        titled = true
        continue
      }
      group = readGroup(heading[2] ?? '', cutting(at))
      if (group && !isHidden(at, [heading[2] ?? ''])) {
        summary.entries.push(group)
        summary.lines.set(group, { start: at, end: at + 1 })
      }
      continue
    }

    if (/^ {0,3}(?:-[ \t]*){3,}$/.test(line) || /^ {0,3}(?:\*[ \t]*){3,}$/.test(line)) {
      group = undefined
      open = []
      continue
    }

    const bullet = BULLET.exec(line)
    if (!bullet) continue

    const indent = indentWidth(bullet[1] ?? '')
    const content = (bullet[2] ?? '').replace(/^\[[ xX]\][ \t]+/, '').trimEnd()
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop()
    const siblings = open.at(-1)?.children ?? group?.children ?? summary.entries

    const fence = /^(`{3,}|~{3,})/.exec(content)
    if (fence) {
      const end = endOfFence(lines, at, fence[1] ?? '', indent)
      const computed = readComputed(lines.slice(at + 1, end.line).join('\n'))
      if (computed && !isHidden(at, [])) {
        siblings.push(computed)
        summary.lines.set(computed, { start: at, end: end.closed ? end.line + 1 : end.line })
      } else if (!computed) {
        summary.problems.push(because('contents-computed', { line: at + 1 }))
      }
      at = end.closed ? end.line : end.line - 1
      continue
    }

    const link = readInlineLink(content)
    const entry = readEntry(content, link, cutting(at))
    if (!entry) continue
    const tag = entry.kind === 'link' ? hidingTagInAddress(entry.url) : undefined
    if (tag !== undefined) noteAddress(at, tag)
    // The entries below one that is hidden are hidden with it.
    if (tag === undefined && !isHidden(at, link ? [link.text, link.linkTitle ?? ''] : [content])) {
      siblings.push(entry)
      summary.lines.set(entry, { start: at, end: at + 1 })
    }
    if ('children' in entry) open.push({ indent, children: entry.children })
  }

  return summary

  /** Whether a condition hides an entry, rather than a part of its texts. */
  function isHidden(at: number, texts: readonly string[]): boolean {
    if (conditions.isWithin(at)) return true
    const end = (lines[at] ?? '').lastIndexOf(')')
    const around = conditions
      .beginningAt(at)
      .find(({ tag, column }) => column < end && !texts.some((text) => text.includes(tag.source)))
    if (around) noteHiding(around)
    return around !== undefined
  }
}

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/
const BULLET = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(\S.*)$/

/** Reports the conditions of a table of contents, each line with one once. */
function conditionNotes({ problems }: Summary, { long, unopened }: SummaryConditions) {
  const noted = new Set<number>()
  const note = (at: number, why: WithReason) => {
    if (!noted.has(at)) problems.push({ kind: 'condition', line: at + 1, ...why })
    noted.add(at)
  }
  const noteHiding = ({ tag, at }: TagPlace) => note(at, because('contents-condition', { tag: tag.source }))
  const noteAddress = (at: number, tag: string) => note(at, because('contents-address-condition', { tag }))
  long.forEach(noteHiding)
  for (const { tag, at } of unopened) note(at, because('contents-condition-unopened', { tag: tag.source }))

  /** Cuts what conditions hide from the titles of a line. */
  const cutting = (at: number) => (markdown: string) => {
    const isTag = outsideOfCode(markdown)
    const tag = hidingTag(markdown, isTag)
    if (tag !== undefined) note(at, because('contents-title-condition', { tag }))
    const shown = withoutHidden(markdown, isTag)
    const [meant] = meantConditions(shown.replace(CODE, ' '))
    if (meant !== undefined) note(at, because('contents-title-public', { text: meant }))
    return shown
  }
  return { noteHiding, noteAddress, cutting }
}

const CODE = /(`{1,4})[^`]+\1/g

type CutTitle = (markdown: string) => string

function readGroup(heading: string, cut: CutTitle): GroupEntry | undefined {
  const text = heading.slice(0, 1000).replace(/[ \t]+#+[ \t]*$/, '')
  const anchor = /<a\s[^<>]*\bid="([^"<>]+)"/i.exec(text)?.[1]
  const title = plainTitle(cut(text))
  if (title === '') return undefined

  return anchor === undefined
    ? { kind: 'group', title, children: [] }
    : { kind: 'group', title, anchor, children: [] }
}

function readEntry(content: string, link: InlineLink | undefined, cut: CutTitle): Entry | undefined {
  if (!link) {
    const title = plainTitle(cut(content))
    return title === '' ? undefined : { kind: 'page', title, children: [] }
  }

  const title = plainTitle(cut(link.text))
  const shown = cut(link.linkTitle ?? '')
  const linkTitle = shown === '' ? {} : { linkTitle: shown }
  // The exporter writes this address if the target page of a link was deleted.
  if (
    isAbsoluteAddress(link.address) ||
    link.address === 'broken-reference' ||
    (link.address.startsWith('/') && readAddress(link.address).kind !== 'url')
  ) {
    return { kind: 'link', title: title || link.address, ...linkTitle, url: link.address, children: [] }
  }

  const hash = link.address.indexOf('#')
  const path = decodeAddress(hash === -1 ? link.address : link.address.slice(0, hash))
  const anchor = hash === -1 ? '' : link.address.slice(hash + 1)

  return {
    kind: 'page',
    title,
    ...linkTitle,
    ...(path === '' ? {} : { path }),
    ...(hash === -1 ? {} : { anchor }),
    children: [],
  }
}

/** The width of an indentation, in which a tab reaches to the next multiple of four. */
export function indentWidth(indent: string): number {
  let width = 0
  for (const character of indent) width += character === '\t' ? 4 - (width % 4) : 1

  return width
}

/** Returns the line after the block: after its closing fence, or the next entry if there is no closing fence. */
function endOfFence(
  lines: string[],
  at: number,
  fence: string,
  indent: number,
): { line: number; closed: boolean } {
  for (let line = at + 1; line < lines.length; line++) {
    const text = lines[line] ?? ''
    if (text.trim().startsWith(fence)) return { line, closed: true }
    if (text.trim() !== '' && indentWidth(/^[ \t]*/.exec(text)?.[0] ?? '') <= indent)
      return { line, closed: false }
  }

  return { line: lines.length, closed: false }
}
