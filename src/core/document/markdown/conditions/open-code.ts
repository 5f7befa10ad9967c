/**
 * Blocks of code whose end their author wrote so that it is none: with a tag behind it, or not at all. What follows is code, so
 * that its conditions hide nothing. The end of code directly below HTML is the beginning of other code.
 */
import type { MdastNode } from 'satteri'

import type { Masked } from '../mask.ts'
import { childrenOf, spanOf } from '../reading.ts'
import type { Tag } from '../tags.ts'
import { codeInHtml } from './code-in-html.ts'

const BEGIN = /^(`{3,}(?=[^`]*$)|~{3,})/
/** What begins like the end of code, behind the markers of a quote. */
const END = /^[ \t>]*(`{3,}|~{3,})/

/**
 * The tags that begin conditions in code without an end, or behind what looks like its end, and the first tag below such code
 * of HTML.
 */
export function tagsInOpenCode(nodes: readonly MdastNode[], masked: Masked): Tag[] {
  if (masked.tags.size === 0) return []
  const tags: Tag[] = []
  let below = Infinity
  const open = nodes.toReversed()
  for (let node = open.pop(); node; node = open.pop()) {
    const { start, end } = spanOf(node)
    if (node.type === 'code')
      for (const tag of tagsIn(openPart(masked.text.slice(start, end)), masked)) tags.push(tag)
    if (node.type === 'html' && below === Infinity) {
      const isOpen = codeInHtml(node.value).some((code) => {
        const before = node.value.slice(node.value.lastIndexOf('\n', code.start - 1) + 1, code.start)
        return before.trim() === '' && isWithoutEnd(node.value.slice(code.start, code.end))
      })
      if (isOpen) below = end
    }
    for (const child of childrenOf(node).toReversed()) open.push(child)
  }
  const known = new Set(tags)
  for (const [tag, at] of below === Infinity ? [] : masked.tags) {
    if (at < below || tag.name !== 'if') continue
    if (!known.has(tag)) tags.push(tag)
    break
  }
  return tags
}

function opens({ name, closes }: Tag): boolean {
  return name === 'if' && !closes
}

function tagsIn(text: string, masked: Masked): Tag[] {
  return text === '' ? [] : masked.pieces(text).flatMap(({ tag }) => (tag && opens(tag) ? [tag] : []))
}

/** What is code although its author may have meant it to be behind the code. */
function openPart(source: string): string {
  const [first = '', ...lines] = source.split('\n')
  const sign = BEGIN.exec(first)?.[1]
  if (sign === undefined || !source.includes('<')) return ''
  if (isWithoutEnd(source)) return source
  const from = lines.findIndex((line) => END.exec(line)?.[1]?.startsWith(sign))
  return from === -1 || from === lines.length - 1 ? '' : lines.slice(from).join('\n')
}

function isWithoutEnd(source: string): boolean {
  const lines = source.trimEnd().split('\n')
  const sign = BEGIN.exec(lines[0]!)?.[1]
  if (sign === undefined) return false
  const last = lines.length === 1 ? '' : lines.at(-1)!
  return !(END.exec(last)?.[1]?.startsWith(sign) && /^[ \t>]*[`~]+$/.test(last))
}
