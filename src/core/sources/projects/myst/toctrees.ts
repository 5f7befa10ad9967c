/** The directives `toctree` of the pages of Sphinx, in MyST and in reStructuredText. */
import { needItem } from '../../../data/lists.ts'

/** A table of contents in a page. */
export interface Toctree {
  caption: string
  entries: ToctreeEntry[]
  isHidden: boolean
  /** Whether entries are patterns of paths. */
  isGlob: boolean
  isReversed: boolean
}

/** An entry of a table of contents: a path, a pattern or a URL, and perhaps a title. */
export interface ToctreeEntry {
  target: string
  title?: string
}

const MYST = /^[ \t]{0,99}(`{3,}|~{3,}|:{3,})[ \t]{0,9}\{toctree\}[ \t]{0,9}(.{0,500})$/
const CODE = /^[ \t]{0,99}(`{3,}|~{3,})(?![ \t]{0,9}\{[\w:.+-]{1,80}\})[^`]*$/
const RST = /^([ \t]{0,99})\.\.[ \t]{1,9}toctree::[ \t]{0,99}$/

/** The tables of contents of a page. @param text with line feeds as the ends of its lines */
export function toctreesIn(text: string): Toctree[] {
  if (!text.includes('toctree')) return []
  const lines = text.split('\n')
  const found: Toctree[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const sign = MYST.exec(needItem(lines, at))?.[1]
    if (sign !== undefined) {
      const end = lines.findIndex((line, next) => next > at && isEnd(line.trim(), sign))
      const body = lines.slice(at + 1, end === -1 ? undefined : end)
      found.push(readToctree(body))
      at += body.length + 1
      continue
    }
    // The content of other directives is Markdown too, but that of code is not.
    const code = CODE.exec(needItem(lines, at))?.[1]
    if (code !== undefined) {
      const end = lines.findIndex((line, next) => next > at && isEnd(line.trim(), code))
      at = end === -1 ? lines.length : end
      continue
    }
    const indent = RST.exec(needItem(lines, at))?.[1]?.length
    if (indent === undefined) continue
    const start = at + 1
    while (at + 1 < lines.length && isInside(needItem(lines, at + 1), indent)) at += 1
    found.push(readToctree(lines.slice(start, at + 1)))
  }
  return found
}

const isEnd = (line: string, sign: string) =>
  line.startsWith(sign) && line === sign.charAt(0).repeat(line.length)
const isInside = (line: string, indent: number) =>
  line.trim() === '' || line.length - line.trimStart().length > indent

/** Reads the options and entries of a table of contents. */
export function readToctree(body: readonly string[]): Toctree {
  const options = new Map<string, string>()
  const entries: ToctreeEntry[] = []
  let dashes = 0
  for (const line of body) {
    const text = line.trim()
    if (text === '' || text.startsWith('%')) continue
    if (text === '---' && entries.length === 0 && dashes < 2) {
      dashes += 1
      continue
    }
    const [, key, value = ''] =
      (dashes === 1 ? /^([\w-]{1,60}):[ \t]{0,9}(.*)$/ : /^:([\w-]{1,60}):[ \t]{0,9}(.*)$/).exec(text) ?? []
    if (key !== undefined) {
      options.set(key, value.replace(/^(["'])(.*)\1$/, '$2'))
      continue
    }
    const [, title, target] = /^([^<>]{1,300}?)\s{0,99}<([^<>]{1,1000})>$/.exec(text) ?? []
    entries.push(target === undefined ? { target: text } : { target, title: title?.trim() ?? '' })
  }
  return {
    caption: options.get('caption') ?? '',
    entries,
    isHidden: options.has('hidden'),
    isGlob: options.has('glob'),
    isReversed: options.has('reversed'),
  }
}
