/** Finds the parts of a page that a site does not show as their author meant them. */
import { textsInValue } from '../../data/texts-in.ts'
import { allBlocks } from '../identify.ts'
import type { Block, BlockOf, HidingTag, Inline, ParsedPage, Text } from '../model.ts'
import { checkExpression, CONDITION_VARIABLES } from '../../expression/check.ts'
import { wordsOfLookalike } from '../markdown/lookalikes.ts'
import { conditionOf, frontMatterFields, frontMatterEnd } from '../front-matter/front-matter.ts'
import { literalExpressions } from './literal-expressions.ts'
import { lineFinder } from '../links/reference-lines.ts'
import { hidingTagIn, withoutHiddenIn } from '../markdown/hiding-tags.ts'
import { meantConditions } from './meant-conditions.ts'
import { publicConditions } from './public-conditions.ts'
import { isShownElement, safeUrl } from '../sanitize.ts'
import { unreadableMessage } from '../show-source.ts'
import { withoutComments } from '../../text/html-comments.ts'
import { because } from '../../languages/reasons.ts'
import { faultParameters, type Reasoned, type WithReason } from '../../languages/reasoned.ts'

/** A part of a page that is not shown, or only as its source; or that a condition hides, of which its author may know nothing. */
export interface UnshownPart extends WithReason {
  kind: 'block' | 'condition'
  /** The line of the source, from 1. */
  line: number
}

/** The most parts that are found in one page. */
const MOST = 20
/** The most different conditions of one page that are checked. */
const MOST_CHECKED = 1000
const LONGEST_NAME = 60
/** The beginning of a tag or an element. */
const SIGN = /[{\uff5b].{0,3}[%\uff05]|<[a-z]/isu

/** Elements of HTML without which something is missing. Others only arrange the text in them. */
const MISSED = new Set('script form input select textarea button object embed canvas svg frameset'.split(' '))

/** A part of a block that is not shown, and the beginning of its source, such as `<Name` or `{% name`. */
interface Unshown extends WithReason {
  start: string
}

/** Markdown that was read: a page, or a part of one, which has no front matter. */
type ReadPage = Pick<ParsedPage, 'title' | 'document' | 'spans' | 'hiding'> &
  Partial<Pick<ParsedPage, 'meta'>>

/** Something that Markdown does not show as its author meant it. */
export interface ReadingProblem extends WithReason {
  /** The line of the source, from 1; absent if it is about all of it. */
  line?: number
}

/**
 * The parts of a page that a site does not show: `hiddenParts`, and elements that it removes, components of other programs,
 * tags that it does not know, and blocks of integrations without a text or an address, each kind once.
 */
export function unshownParts(page: ReadPage, source: string): UnshownPart[] {
  const parts = hiddenParts(page, source)
  const known = new Set<string>()
  for (const part of [...literalParts(page, source), ...unshown(page, source)]) {
    if (parts.length === MOST) break
    if (!known.has(part.message)) parts.push(part)
    known.add(part.message)
  }
  return parts
}

/**
 * The parts that are hidden although their author may not have meant it: from everybody, because a condition never holds or is
 * in a text where nothing evaluates it, or up to the end of the page, because a condition has no end. And the ends that end no
 * condition, so that nothing is hidden.
 */
export function hiddenParts(page: ReadPage, source: string): UnshownPart[] {
  const parts: UnshownPart[] = []
  for (const part of hidden(page, source)) if (parts.push({ kind: 'condition', ...part }) === MOST) break
  return parts
}

/** The expressions that readers see as their source. */
function literalParts(page: ReadPage, source: string): UnshownPart[] {
  const lineOf = lineFinder(source)
  return [...literalExpressions(page, source)].slice(0, MOST).map(({ start, expression, place }) => {
    const shown = JSON.stringify(short(expression))
    const reason = place === 'title' ? 'expression-in-title' : 'expression-in-label'
    return { kind: 'block', line: lineOf(start), ...because(reason, { expression: shown }) }
  })
}

/** What a page does not show as its author meant it: that it is shown as its source, or else its `hiddenParts` and the expressions that are shown as their source. */
export function readingProblems(
  page: ReadPage & Pick<ParsedPage, 'unreadable'>,
  source: string,
): ReadingProblem[] {
  if (page.unreadable !== undefined) return [unreadableMessage(page.unreadable)]
  return [...hiddenParts(page, source), ...literalParts(page, source)].map(({ kind: _kind, ...part }) => part)
}

function* hidden(page: ReadPage, source: string): Generator<Omit<UnshownPart, 'kind'>> {
  const { meta, hiding = [] } = page
  const lineOf = lineFinder(source)
  if (meta && SIGN_OR_VARIABLE.test(source.slice(0, frontMatterEnd(source)))) yield* inFrontMatter(source)
  const faultOf = expressionChecker()
  const own = meta && conditionOf(source)
  const { condition = '', line = 1, refused } = own ?? {}
  const fault = faultOf(condition)
  if (refused !== undefined)
    yield { line, ...because('condition-of-page-misspelled', { entry: JSON.stringify(short(refused)) }) }
  else if (fault !== undefined)
    yield { line, ...because('condition-of-page-invalid', faultParameters(fault)) }
  for (const tag of hiding) {
    const why = reasonOfTag(tag, faultOf)
    if (why) yield { line: lineOf(tag.start), ...why }
  }
  for (const { start, text, isFenced } of publicConditions(page, source, own?.line)) {
    const reason = isFenced ? 'condition-in-html-fence' : 'condition-public'
    yield { line: lineOf(start), ...because(reason, { text: `"${short(text)}"` }) }
  }
}

/** The fields of front matter with conditions, which nothing evaluates there. */
function* inFrontMatter(source: string): Generator<Omit<UnshownPart, 'kind'>> {
  for (const { name, value, line } of frontMatterFields(source)) {
    const tag = name === 'if' ? undefined : hidingTagIn(value)
    if (tag !== undefined)
      yield { line, ...because('condition-in-front-matter', { key: name, tag: JSON.stringify(short(tag)) }) }
    for (const text of SHOWN_FIELDS.has(name) ? textsInValue(withoutHiddenIn(value)) : [])
      for (const meant of meantConditions(text))
        yield { line, ...because('condition-public', { text: `"${short(meant)}"` }) }
  }
}

/** The fields of front matter whose texts readers see. */
const SHOWN_FIELDS = new Set(['title', 'description', 'tags', 'vars'])
/** What front matter with a condition has: the sign of a tag, an escape of YAML, or a variable. */
const SIGN_OR_VARIABLE = /[{\uff5b%\uff05\\]|visitor|vars/i

/** Finds the faults of expressions, each once. */
function expressionChecker(): (expression: string) => Reasoned | undefined {
  const known = new Map<string, Reasoned | undefined>()
  return (expression) => {
    // An empty condition is true.
    if (expression.trim() === '') return undefined
    if (!known.has(expression) && known.size < MOST_CHECKED) {
      const checked = checkExpression(expression, CONDITION_VARIABLES)
      known.set(expression, checked.ok ? undefined : checked.error)
    }
    return known.get(expression)
  }
}

/** Why a tag hides or shows what its author may not have meant; undefined if it does not. */
function reasonOfTag(
  { name, source, expression, fault }: HidingTag,
  faultOf: (expression: string) => Reasoned | undefined,
): WithReason | undefined {
  const shown = `"${short(source)}"`
  if (fault === 'unopened') return because('condition-unopened', { tag: shown })
  if (fault === 'ignored') return because('condition-end-ignored', { tag: shown })
  if (fault === 'misbegun') return because('condition-misbegun', { tag: shown })
  if (fault === 'code') return because('condition-in-open-code', { tag: shown })
  if (fault === 'formula') return because('condition-in-formula', { tag: shown })
  if (fault === 'named') return because('condition-named', { tag: shown })
  if (fault === 'attribute') return because('condition-in-attribute', { tag: shown })
  if (expression === undefined) return because('condition-in-value', { tag: `{% ${short(name)} … %}` })
  if (wordsOfLookalike(expression) !== undefined)
    return WHOLE_TAG.test(source)
      ? because('condition-lookalike', { tag: shown })
      : because('condition-tag-open')
  const invalid = faultOf(expression)
  if (invalid !== undefined)
    return because('condition-invalid-in-page', { tag: shown, ...faultParameters(invalid) })
  if (fault === 'title') return because('condition-in-title', { tag: shown })
  if (fault === 'label') return because('condition-in-label', { tag: shown })
  // An empty condition hides nothing.
  if (fault === 'unclosed' && expression !== '') return because('condition-unclosed', { tag: shown })
  return undefined
}

const WHOLE_TAG = /^[^\p{L}].*[}\uff5d)\]>\uff09\uff3d\uff1e]$/su

function* unshown({ document, spans }: ReadPage, source: string): Generator<UnshownPart> {
  const lineOf = lineFinder(source)
  for (const [i, block] of document.nodes.entries()) {
    const { start: from, end } = spans[i]!
    const written = source.slice(from, end)
    // Most blocks are plain text, and code shows whatever is in it.
    if (block.type === 'code' || !SIGN.test(written)) continue
    for (const { start, ...why } of unshownIn(block))
      yield { kind: 'block', line: lineOf(from + Math.max(0, written.indexOf(start))), ...why }
  }
}

function* unshownIn(top: Block): Generator<Unshown> {
  for (const block of allBlocks([top])) {
    if (block.type === 'integration') yield* unshownIntegration(block)
    else if (block.type === 'html') yield* unshownElements(block.data.html)
    else if (block.type !== 'code-line') for (const node of block.nodes ?? []) yield* unshownInLine(node)
  }
}

function* unshownInLine(node: Block | Inline | Text): Generator<Unshown> {
  if (node.object === 'text') {
    for (const { text, marks } of node.leaves)
      if (!marks?.some(({ type }) => type === 'code')) yield* unknownTags(text)
  } else if (node.object === 'inline') {
    if (node.type === 'inline-html') yield* unshownElements(node.data.html)
    for (const inner of node.nodes ?? []) yield* unshownInLine(inner)
  }
}

function* unshownIntegration({ data }: BlockOf<'integration'>): Generator<Unshown> {
  const { integration, block, props, url } = data
  const href = url === undefined ? undefined : safeUrl(url)
  if (typeof props.content === 'string' || (href !== undefined && /^https?:/i.test(href))) return
  const name = short(`@${integration}/${block}`)
  const reason = Object.keys(props).length > 0 ? 'integration-shown-as-settings' : 'integration-not-shown'
  yield { start: `@${integration}/${block}`, ...because(reason, { name }) }
}

/** Words of conditions. A tag with one of them is reported as such, or has a backslash before it. */
const NAMED = /^(?:unless|case|switch|when)$/i
const TAG = /\{%[-\s]{0,3}([a-z][\w-]{0,80})/gi

function* unknownTags(text: string): Generator<Unshown> {
  for (const [start, name = ''] of text.matchAll(TAG))
    if (!NAMED.test(name)) yield { start, ...because('tag-shown-as-text', { tag: `{% ${short(name)} %}` }) }
}

const ELEMENT = /<([a-z][\w.-]{0,80})/gi

function* unshownElements(html: string): Generator<Unshown> {
  for (const [start, name = ''] of withoutComments(html).matchAll(ELEMENT)) {
    const isComponent = /^[A-Z].*[a-z]|[.-]/.test(name)
    if (isShownElement(name)) continue
    if (isComponent) yield { start, ...because('component-not-shown', { name: short(name) }) }
    else if (MISSED.has(name.toLowerCase()))
      yield { start, ...because('element-not-shown', { name: short(name.toLowerCase()) }) }
  }
}

const short = (name: string) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name)
