import { block, defined, text } from '../../document/build.ts'
import type { BlockOf } from '../../document/model.ts'
import { markupClassesOf, findFirst, hasMarkupClass } from './markup.ts'
import type { MarkupElement, MarkupNode } from './markup.ts'
import type { MarkupContext } from './markup-context.ts'

/** A block of code of these lines. */
function sourceBlock(source: string, syntax?: string, title?: string): BlockOf<'code'> {
  const lines = source.replace(/\r\n?/g, '\n').replace(/^\n/, '').trimEnd().split('\n')
  return block(
    'code',
    defined({ syntax: syntax || undefined, title: title || undefined }),
    lines.map((one) => block('code-line', {}, [text(one)])),
  )
}

/** A `<pre>`, or an element around one that only highlights it. */
export function readCodeElement(
  pre: MarkupElement,
  around: readonly MarkupElement[],
  context: MarkupContext,
): BlockOf<'code'> {
  const code = findFirst(pre, ({ name }) => name === 'code')
  const elements = [...(code ? [code] : []), pre, ...around]
  const syntax = elements.map((element) => elementLanguage(element, context)).find(Boolean)
  return sourceBlock(sourceIn(pre.children), syntax)
}

const PREFIXES = /^(?:language|lang|highlight-source|highlight|sourcecode|brush|code)[-:]\s*([\w+#.-]+);?$/
/** Words beside `language-…` in classes, and names for code without a language. */
const NO_LANGUAGE = new Set(
  'highlight hljs default none text plain plaintext txt notranslate source sourcecode code nohighlight prettyprint chroma block'.split(
    ' ',
  ),
)

function elementLanguage(element: MarkupElement, context: MarkupContext): string | undefined {
  const own = context.language?.(element)
  if (own !== undefined) return own
  const { attributes } = element
  const named = attributes['data-lang'] ?? attributes['data-language'] ?? attributes.lang
  const classes = (attributes.class ?? '').replace(/brush:\s+/gi, 'brush:').split(/\s+/)
  for (const one of classes) {
    const language = PREFIXES.exec(one.toLowerCase())?.[1]
    if (language !== undefined && !NO_LANGUAGE.has(language)) return language
  }
  // Pandoc and highlight.js write the language beside their class names.
  if (classes.some((one) => /^(?:sourceCode|hljs|prettyprint)$/.test(one))) {
    const bare = classes.find(
      (one) => /^[a-z][\w+#-]{0,20}$/.test(one) && !NO_LANGUAGE.has(one.toLowerCase()),
    )
    if (bare !== undefined) return bare.toLowerCase()
  }
  const isNamed = named !== undefined && named !== '' && element.name !== 'html'
  return isNamed && !NO_LANGUAGE.has(named.toLowerCase()) ? named.toLowerCase() : undefined
}

const LINE_NUMBERS = /(?:^|[\s_-])(?:linenos?|line-?numbers?(?:-rows)?|gutter|lnt?)(?:$|[\s_-])/i

/** The text of code as written, without line numbers and buttons. */
function sourceIn(nodes: readonly MarkupNode[]): string {
  const texts: string[] = []
  const open = nodes.toReversed()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node === 'string') {
      texts.push(node)
      continue
    }
    const { name, attributes, children } = node
    if (name === 'br') texts.push('\n')
    else if (name === 'script' || name === 'style' || name === 'button') continue
    else if (LINE_NUMBERS.test(attributes.class ?? '') && !hasMarkupClass(node, 'line')) continue
    else {
      // A line that is a block ends with a line break.
      if (name === 'div' || name === 'p' || name === 'li' || name === 'tr') open.push('\n')
      for (const child of children.toReversed()) open.push(child)
    }
  }
  return texts.join('').replaceAll('\u00a0', ' ').replaceAll('\u200b', '')
}

/**
 * The `<pre>` of an element that only frames it: highlighters put a `<pre>` in `<div>`s with its language, or beside one
 * with line numbers in a table.
 */
export function framedPre(element: MarkupElement): MarkupElement | undefined {
  const classes = markupClassesOf(element).join(' ')
  if (!/(?:^|[\s_-])(?:highlight|code|codehilite|sourcecode|prism|listing)/.test(classes)) return undefined
  const pres: MarkupElement[] = []
  const open = [...element.children]
  for (let node = open.pop(), seen = 0; node !== undefined; node = open.pop()) {
    if (typeof node === 'string') {
      if (node.trim() !== '') return undefined
      continue
    }
    seen += 1
    if (seen > MOST_IN_FRAME) return undefined
    if (node.name === 'button' || LINE_NUMBERS.test(node.attributes.class ?? '')) continue
    if (node.name !== 'pre') for (const child of node.children) open.push(child)
    else if (!/^[\s\d]*$/.test(sourceIn(node.children))) pres.push(node)
  }
  return pres.length === 1 ? pres[0] : undefined
}

/** Elements around a `<pre>`, so that a page of frames takes no longer than its length. */
const MOST_IN_FRAME = 40
