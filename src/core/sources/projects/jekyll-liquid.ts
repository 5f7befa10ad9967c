/** Liquid on pages of Jekyll: the tags and values that a page needs to be read without a program. */
import { because } from '../../languages/reasons.ts'
import type { NotUnderstood } from '../markdown/not-understood.ts'

/** The values and files that Liquid on a page refers to. */
export interface LiquidPage {
  /** The value of a name such as `site.title`; undefined if it is not known. */
  value(name: string): string | undefined
  /** The text of a file. @param kind `include` or `include_relative` */
  file(kind: string, path: string): string | undefined
}

/** Stands for the `{%` of raw text until it is known whether it is in code. */
export const RAW_TAG = '\ue0f0'

const LIQUID = /\{%-?[ \t\n]{0,9}(\w{1,30})([^%]{0,500}?)-?%\}|\{\{-?([^{}\n]{0,300}?)-?\}\}/g
/** Tags whose content is computed, so that it is left out with them. */
const COMPUTED = new Set(['for', 'tablerow', 'capture', 'comment'])
/** The most files in one another. */
const DEEPEST = 4
/** The characters that one page can include; longer pages are refused anyway. */
const MOST_CHARACTERS = 1_000_000

/**
 * Replaces the Liquid of a page. Tags and values that are not known are counted and left out.
 * @param line of the file at which the text begins, from 1
 */
export function replaceLiquid(
  source: string,
  page: LiquidPage,
  line: number,
  unknown: NotUnderstood,
): string {
  let left = MOST_CHARACTERS
  const replace = (text: string, depth: number, lineAt: (offset: number) => number): string => {
    let output = ''
    let at = 0
    let skipped: { name: string; depth: number } | undefined
    let isRaw = false
    for (const { 0: written, 1: name, 2: rest = '', 3: value, index } of text.matchAll(LIQUID)) {
      const before = text.slice(at, index)
      if (!skipped) output += isRaw ? before.replaceAll('{%', RAW_TAG) : before
      at = index + written.length
      if (isRaw) {
        if (name === 'endraw') isRaw = false
        else output += written.replaceAll('{%', RAW_TAG)
        continue
      }
      if (skipped) {
        if (name === skipped.name) skipped.depth += 1
        else if (name === `end${skipped.name}`) skipped.depth -= 1
        if (skipped.depth === 0) skipped = undefined
        continue
      }
      if (name === 'raw') isRaw = true
      else if (name !== undefined && COMPUTED.has(name)) {
        skipped = { name, depth: 1 }
        if (name !== 'comment') unknown.add(because('unknown-tag', { name }), lineAt(index))
      } else if (name === undefined) {
        const shown = liquidValue(value ?? '', page)
        if (shown === undefined)
          unknown.add(because('unknown-value', { name: (value ?? '').trim() }), lineAt(index))
        output += shown ?? ''
      } else {
        const included =
          name.startsWith('include') && depth < DEEPEST ? includedText(name, rest, page) : undefined
        if (included !== undefined && included.length <= left) {
          left -= included.length
          const here = lineAt(index)
          output += replace(included, depth + 1, () => here)
        } else {
          const shown = tagText(name, rest.trim())
          if (shown === undefined && !/^(?:end|els)/.test(name))
            unknown.add(because('unknown-tag', { name }), lineAt(index))
          output += shown ?? ''
        }
      }
    }
    const end = text.slice(at)
    return skipped ? output : output + (isRaw ? end.replaceAll('{%', RAW_TAG) : end)
  }
  let counted = 0
  let current = line
  return replace(source, 0, (offset) => {
    for (; counted < offset; counted += 1) if (source[counted] === '\n') current += 1
    return current
  })
}

function includedText(name: string, rest: string, page: LiquidPage): string | undefined {
  const path = /^\s{0,9}([\w./-]{1,300})/.exec(rest)?.[1]
  return path === undefined ? undefined : page.file(name, path)?.trim()
}

function tagText(name: string, rest: string): string | undefined {
  if (name === 'highlight') return `\`\`\`${/^[\w+#.-]{1,40}/.exec(rest)?.[0] ?? ''}`
  if (name === 'endhighlight') return '```'
  if (name === 'link' && rest !== '') return `/${encodeURI(rest.replace(/^\/|["']/g, ''))}`
  return undefined
}

/** `site.title`, or a text with filters that make it an address: `'/a' | relative_url`. */
function liquidValue(written: string, page: LiquidPage): string | undefined {
  const [first = '', ...filters] = written.split('|').map((one) => one.trim())
  if (!filters.every((one) => /^(?:relative_url|absolute_url|escape|strip)$/.test(one))) return undefined
  return (
    /^(?:"([^"]*)"|'([^']*)')$/
      .exec(first)
      ?.slice(1)
      .find((one) => one !== undefined) ?? page.value(first)
  )
}
