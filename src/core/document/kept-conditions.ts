/**
 * Whether conditions hide the same in a document and in its Markdown. HTML is printed as it is, so a tag, a comment or a sign
 * of Markdown in it can end a condition too early, or make its tags text.
 */
import { block, paragraph, text, voidInline } from './build.ts'
import { decodeEntities } from './markdown/entities.ts'
import { beginningsOfTags } from './markdown/beginnings.ts'
import { firstCondition, lookalikeReader } from './markdown/lookalikes.ts'
import { cutConditions } from './markdown/mask.ts'
import type { Block, Document, Inline, Text } from './model.ts'
import { normal } from './normal-form.ts'
import { parseMarkdown } from './parse.ts'
import { printDocument } from './print.ts'

type Node = Block | Inline | Text

/**
 * The path of HTML because of which conditions would not hide what they hide; undefined if all do.
 * @param isPart whether the document is a part of a page, whose other blocks may be within conditions
 */
export function htmlAgainstConditions(document: Document, isPart: boolean): string | undefined {
  const html = [...htmlIn(document.nodes, 'nodes')]
  const tagged = html.find(({ source }) => firstCondition(source) !== -1)
  const first = tagged ?? html[0]
  if (!first || !(isPart || tagged || hasCondition(document.nodes))) return undefined
  const whole = withoutOpenings(isPart ? { ...document, nodes: amongConditions(document.nodes) } : document)
  const printed = parseMarkdown(printDocument(whole)).document
  const [meant, read] = [wordsIn(whole, 'hidden'), wordsIn(printed, 'hidden')]
  return meant === read || (!tagged && hidesAll(meant, read)) ? undefined : first.path
}

/**
 * Whether the blocks of a page that was read show all words that others show, under the same conditions. HTML without an
 * end takes the blocks behind it, and the ends of conditions among them.
 */
export function showsAll(meant: Document, read: Document): boolean {
  return hidesAll(wordsIn(meant, 'text'), wordsIn(read, 'text'))
}

/** A condition that begins in the definition of a link hides what follows once more, each time that it is read. */
function withoutOpenings(document: Document): Document {
  return JSON.parse(
    JSON.stringify(document, (name, value: unknown) =>
      name === 'markdown' &&
      typeof value === 'string' &&
      /^\[[^\]\n]*\]:[^\n]*$/.test(value) &&
      opensOnly(value)
        ? cutConditions(value)
        : value,
    ),
  ) as Document
}

function opensOnly(source: string): boolean {
  const read = lookalikeReader(source)
  return [...beginningsOfTags(source)].every((at) => !read(at)?.tag.closes)
}

/** Whether the same conditions hide the same words, and maybe others: the names in an address of HTML can be read as words. */
function hidesAll(meant: string, read: string): boolean {
  const [before, after] = [meant, read].map((all) => all.split(/(\{[^:]*:|\})/)) as [string[], string[]]
  return before.length === after.length && before.every((part, i) => isIn(part, after[i]!))
}

function isIn(part: string, whole: string): boolean {
  let at = 0
  for (const char of part) {
    at = whole.indexOf(char, at) + 1
    if (at === 0) return false
  }
  return true
}

/** The blocks within a condition, and before one that HTML without an end would reach with the comment in between. */
function amongConditions(nodes: Block[]): Block[] {
  const comment = paragraph([text('x'), voidInline('inline-html', { html: '<!--' })])
  return [
    block('if', { expression: 'a' }, nodes),
    comment,
    block('if', { expression: 'b' }, [paragraph('x')]),
  ]
}

/** All HTML in nodes, with its path. */
function* htmlIn(nodes: readonly Node[], path: string): Generator<{ path: string; source: string }> {
  for (const [i, node] of nodes.entries()) {
    if (node.object === 'text') continue
    const at = `${path}.${i}`
    if (node.type === 'html' || node.type === 'inline-html')
      for (const [name, source] of Object.entries(node.data)) yield { path: `${at}.data.${name}`, source }
    yield* htmlIn(node.nodes ?? [], `${at}.nodes`)
    for (const [j, inner] of (node.fragments ?? []).entries())
      yield* htmlIn(inner.nodes, `${at}.fragments.${j}.nodes`)
  }
}

function hasCondition(nodes: readonly Node[]): boolean {
  return nodes.some(
    (node) =>
      node.object !== 'text' &&
      (node.type === 'if' ||
        node.type === 'inline-if' ||
        hasCondition(node.nodes ?? []) ||
        node.fragments?.some((inner) => hasCondition(inner.nodes))),
  )
}

/**
 * The conditions of a document with the words that each one hides, in order, those in data included; or with all its text,
 * also outside of conditions.
 */
function wordsIn(document: Document, which: 'hidden' | 'text'): string {
  const parts: string[] = []
  const addAll = (nodes: readonly Node[], isHidden: boolean) => {
    for (const node of nodes) add(node, isHidden)
  }
  const add = (node: Node, isHidden: boolean) => {
    if (node.object === 'text') {
      if (isHidden || which === 'text') for (const leaf of node.leaves) parts.push(words(leaf.text))
      return
    }
    const isCondition = node.type === 'if' || node.type === 'inline-if'
    if (isCondition) parts.push(`{${words(node.data.expression)}:`)
    else if (isHidden && which === 'hidden') parts.push(wordsOfData(node))
    addAll(node.nodes ?? [], isHidden || isCondition)
    for (const { nodes } of node.fragments ?? []) addAll(nodes, isHidden || isCondition)
    if (isCondition) parts.push('}')
  }
  addAll(normal(document).nodes, false)
  return parts.join('')
}

/** HTML can be read as other blocks, of which only the text is the same. Data with a tag stays data. */
function wordsOfData({ type, data }: Block | Inline): string {
  const json = JSON.stringify(data)
  if (firstCondition(json) !== -1) return words(json)
  if (type !== 'html' && type !== 'inline-html') return ''
  return words(
    decodeEntities(
      Object.values(data)
        .join(' ')
        .replace(/<[^<>]*>/g, ''),
    ),
  )
}

function words(written: string): string {
  return written.replace(/[^\p{L}\p{N}]+/gu, '')
}
