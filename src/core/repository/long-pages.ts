/** Pages that are longer than a page may be, as several pages. */
import { because } from '../languages/reasons.ts'
import { decodeText } from './decode-text.ts'
import { conditionOf, frontMatterEnd } from '../document/front-matter/front-matter.ts'
import { firstCondition } from '../document/markdown/lookalikes.ts'
import { mostPageBytes } from '../document/shape/limits.ts'
import { quickTitle } from '../document/parse.ts'
import { lastSegment, titleOfName } from '../text/file-paths.ts'
import { freeName } from '../text/slug.ts'
import type { Problem } from './model.ts'

/** The long pages of a repository. */
export interface LongPages {
  /** The sources of the parts by path: the first one has the path of the page. */
  sources: ReadonlyMap<string, string>
  /** The pages by path. */
  pages: ReadonlyMap<string, LongPage>
}

/** A page that was divided. */
export interface LongPage {
  /** Its own title, or else the name of its file. */
  title: string
  /** The paths of the parts that follow the first one. */
  following: readonly string[]
  problem: Problem
}

/**
 * Divides the pages of a repository that have more bytes than a page may have.
 * @param isPage whether a file is imported as a page if something refers to it
 */
export function divideLongPages(
  files: ReadonlyMap<string, Uint8Array>,
  isPage: (path: string) => boolean,
): LongPages {
  const most = mostPageBytes()
  const sources = new Map<string, string>()
  const pages = new Map<string, LongPage>()
  for (const [path, bytes] of files) {
    // Text in UTF-16 can become half as long again in UTF-8.
    const source = bytes.length * 1.5 > most && isPage(path) ? decodeText(bytes) : undefined
    const length = source === undefined ? 0 : Buffer.byteLength(source)
    if (source === undefined || length <= most) continue
    const { parts, isHidden } = partsOfLongPage(source, most)
    const stem = path.replace(/\.\w+$/, '')
    const paths = parts.map((part, nth) => {
      const isTaken = (name: string) => files.has(name) || sources.has(name)
      const name = nth === 0 ? path : freeName(`${stem}-${nth + 1}`, isTaken, { after: '.md' })
      sources.set(name, part)
      return name
    })
    const size = { bytes: length, limit: most, count: parts.length }
    const why = isHidden ? because('page-divided-hidden', size) : because('page-divided', size)
    pages.set(path, {
      title: quickTitle(parts[0] ?? '') ?? titleOfName(lastSegment(path)),
      following: paths.slice(1),
      problem: { kind: 'conversion', path, ...why },
    })
  }
  return { sources, pages }
}

/** The front matter of a part that nobody may read, because a condition of the page may hide it. */
const HIDDEN = "---\nif: 'false'\n---\n\n"

interface DividedPage {
  parts: string[]
  /** Whether parts are hidden from everybody. */
  isHidden: boolean
}

/**
 * Divides a source into parts of at most `most` bytes. Together, the parts have every character of the source, in its order.
 * A part ends before a heading, or else after a block, a line or a character. Parts that follow a condition are hidden, because
 * the condition may hide more than the part in which it is.
 */
export function partsOfLongPage(source: string, most: number): DividedPage {
  const head = frontMatterEnd(source)
  const condition = firstCondition(source.slice(head))
  const hidden = conditionOf(source) ? 0 : condition === -1 ? Infinity : head + condition
  const parts: string[] = []
  let start = 0
  // The front matter of a hidden part counts too.
  for (const end of cuts(source, head, most - HIDDEN.length)) {
    parts.push((start > hidden ? HIDDEN : '') + source.slice(start, end))
    start = end
  }
  return { parts, isHidden: parts.some((part, nth) => nth > 0 && part.startsWith(HIDDEN)) }
}

/** A place where a source may be divided, and the fence that is open there. */
interface Cut {
  end: number
  fence: string
}

/** What may be before a fence of code, and the fence. */
const FENCE = /^[ \t>]{0,40}(`{3,}|~{3,})(.*)$/s

/** The ends of the parts of a source. Each part has at least half of the bytes that it may have, but for the last one. */
function* cuts(source: string, head: number, most: number): Generator<number> {
  let start = 0
  let fence = ''
  while (start < source.length) {
    const longest = endWithin(source, start, most)
    if (longest === source.length) break
    const least = start + (longest - start) / 2
    const found = lastCut(source, { start: Math.max(start, head), least, longest, fence })
    yield found.end
    ;({ end: start, fence } = found)
  }
  yield source.length
}

/** The end of the longest part from `start` that has at most so many bytes in UTF-8. */
function endWithin(source: string, start: number, most: number): number {
  let bytes = 0
  for (let at = start; at < source.length; at += 1) {
    const code = source.codePointAt(at) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    if (bytes > most) return at
    if (code >= 0x10000) at += 1
  }
  return source.length
}

/** The best place to end a part between `least` and `longest`. */
function lastCut(
  source: string,
  { start, least, longest, fence }: { start: number; least: number; longest: number; fence: string },
): Cut {
  let [beforeHeading, afterBlock, afterLine]: (Cut | undefined)[] = []
  let open = fence
  let isBlankAbove = false
  for (let at = start; at < longest;) {
    const next = source.indexOf('\n', at) + 1 || source.length
    const line = source.slice(at, Math.min(next, longest))
    if (at > least) {
      const cut = { end: at, fence: open }
      afterLine = cut
      // A part that begins with a rule would have it read as front matter.
      if (open === '' && isBlankAbove && /^[^\s\-+>|:]/.test(line)) {
        afterBlock = cut
        if (/^#{1,3} /.test(line)) beforeHeading = cut
      }
    }
    isBlankAbove = /^\s*$/.test(line)
    open = fenceAfter(line, open)
    at = next
  }
  return beforeHeading ?? afterBlock ?? afterLine ?? { end: longest, fence: open }
}

/** The fence of code that is open after a line; empty for none. */
function fenceAfter(line: string, open: string): string {
  const [, fence = '', rest = ''] = FENCE.exec(line.trimEnd()) ?? []
  if (fence === '') return open
  if (open === '') return fence.startsWith('`') && rest.includes('`') ? '' : fence
  return rest.trim() === '' && fence.startsWith(open) ? '' : open
}
