/** Rewrites the addresses of a Markdown source. */
import type { MdastNode } from 'satteri'

import { frontMatterEnd } from '../front-matter/front-matter.ts'
import { mask } from '../markdown/mask.ts'
import { childrenOf, readTree, spanOf } from '../markdown/reading.ts'
import type { Span } from '../model.ts'
import { readOrElse } from '../show-source.ts'
import { type Edit, replaceSpans } from '../splice.ts'

/** The text before an address: the bracket of a link or image, a definition, an attribute of an element or tag. */
const BEFORE =
  /(?<!\\)\]\(\s*<?|^[ ]{0,3}\[[^\]\n]{1,200}\]:[ \t]*<?|[\s"'](?:href|src|srcset|url|page)=["']|\{%[ \t]*include[ \t]+["']/
/** Only an address in angle brackets or quotation marks may contain spaces. */
const ADDRESS = /(?<=<)[^<>\n]+(?=>)|(?<=")[^"\n]+(?=")|(?<=')[^'\n]+(?=')|[^\s"'<>)]+(?=[\s"'<>)]|$)/
const LINKS = new RegExp(`(${BEFORE.source})(${ADDRESS.source})`, 'gm')
const COVERS = new RegExp(`(^cover(?:Dark)?:[ \\t]*["']?)(${ADDRESS.source})`, 'gm')

/**
 * Replaces the addresses for which `map` returns another one. Every other byte is kept, and so is everything in code.
 */
export function mapAddresses(source: string, map: (address: string) => string | undefined): string {
  const body = frontMatterEnd(source)
  const covers = editsIn(source.slice(0, body), COVERS, 0, map)
  const links = editsIn(source.slice(body), LINKS, body, map)
  if (links.length === 0) return covers.length === 0 ? source : replaceSpans(source, covers)

  const code = codeIn(source.slice(body), body)
  const shown = ({ span }: Edit) => code.some(({ start, end }) => start <= span.start && span.end <= end)
  return replaceSpans(source, [...covers, ...links.filter((edit) => !shown(edit))])
}

function editsIn(
  text: string,
  pattern: RegExp,
  offset: number,
  map: (address: string) => string | undefined,
): Edit[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const [whole, before = '', written = ''] = match
    const address = map(written)
    if (address === undefined) return []
    const start = offset + match.index + before.length
    const end = offset + match.index + whole.length
    return [{ span: { start, end }, text: address }]
  })
}

const CODE = new Set(['code', 'inlineCode', 'math', 'inlineMath'])

/** The ranges of the source that are code. A source that cannot be parsed is shown as code, so all of it is. */
function codeIn(body: string, offset: number): Span[] {
  const masked = mask(body)
  const everything = [{ start: 0, end: offset + body.length }]
  if (!masked) return everything
  return readOrElse(
    () => codeAmong(readTree(masked.text), offset),
    () => everything,
  )
}

function codeAmong(nodes: MdastNode[], offset: number): Span[] {
  const found: Span[] = []
  const open = [...nodes]
  for (let node = open.pop(); node; node = open.pop()) {
    const { start, end } = spanOf(node)
    if (CODE.has(node.type)) found.push({ start: offset + start, end: offset + end })
    else for (const child of childrenOf(node)) open.push(child)
  }
  return found
}
