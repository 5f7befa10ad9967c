import {
  editFrontMatter,
  frontMatterEnd,
  hasMeantCondition,
  readFrontMatter,
} from './front-matter/front-matter.ts'
import { escapeLineStart } from './markdown/print/escape.ts'
import type { Span } from './model.ts'
import { titleConditions, titleSpan } from './parse.ts'
import { printTitle } from './print.ts'

/** A new text for a range of the source; the range may be empty. */
export interface Edit {
  span: Span
  text: string
}

/**
 * The source with ranges replaced; every byte outside of them stays. Ranges are those of the source as it is, in
 * any order; throws a RangeError if two overlap.
 */
export function replaceSpans(source: string, edits: readonly Edit[]): string {
  const ordered = edits.toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)
  const parts: string[] = []
  let done = 0
  for (const { span, text } of ordered) {
    if (span.start < done || span.end < span.start) throw new RangeError('The edited ranges overlap')
    parts.push(source.slice(done, span.start), text)
    done = span.end
  }
  parts.push(source.slice(done))
  return parts.join('')
}

/**
 * The source of a page with another title: in its leading heading, else in the front matter if that has one,
 * else as a new heading before the body. The title keeps the conditions that begin in it and hide what follows.
 */
export function retitle(source: string, title: string): string {
  const text = escapeLineStart(printTitle(title), true)
  const span = titleSpan(source)
  if (span) {
    const gap = source[span.start - 1] === '#' ? ' ' : ''
    // A condition that begins in the title hides what follows, whatever the title says.
    const open = titleConditions(source).map(({ start, end }) => ` ${source.slice(start, end)}`)
    return replaceSpans(source, [{ span, text: gap + text + open.join('') }])
  }
  const meta = readFrontMatter(source)
  const body = frontMatterEnd(source)
  // A heading above what was only meant as front matter would take away its condition.
  if (meta.title !== undefined || hasMeantCondition(source)) return editFrontMatter(source, { title })

  const rest = source.slice(body)
  const before = body > 1 && !rest.startsWith('\n') && !rest.startsWith('\r\n') ? '\n' : ''
  const newline = /^\s*\n/.test(rest) || rest === '' ? '\n' : '\n\n'
  const blank = /^(?:[ \t]*\r?\n)+/.exec(rest)?.[0] ?? ''
  return `${source.slice(0, body)}${before}${blank}# ${text}${blank === '' ? newline : '\n\n'}${rest.slice(blank.length)}`
}
