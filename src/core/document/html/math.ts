import type { Element, Nodes } from 'hast'
import type { Schema } from 'hast-util-sanitize'

import { hastSanitize, hastToHtml, satteri, temml } from '../../runtime/libraries.ts'
import { FORMULA_SETTINGS, isBoundedFormula } from './formula-limits.ts'
import { type Html, html, raw } from '../../text/html.ts'
import type { Renderer } from './renderer.ts'

/** A TeX formula as MathML; its source where it cannot be read. */
export function math(formula: string, display: boolean, renderer: Pick<Renderer, 'needs' | 'words'>): Html {
  const markup = isBoundedFormula(formula) ? toMathMl(formula, display) : undefined
  if (markup === undefined) return html`<code class="math-source">${formula}</code>`
  renderer.needs.add('math')
  return display
    ? html`<div class="math" tabindex="0" role="group" aria-label="${renderer.words.formula}">${markup}</div>`
    : markup
}

function toMathMl(formula: string, display: boolean): Html | undefined {
  try {
    const markup = temml().renderToString(formula, {
      displayMode: display,
      ...FORMULA_SETTINGS,
    })
    const tree = satteri().htmlToHast(markup, { fragment: true })
    withoutStyles(tree)
    return raw(hastToHtml().toHtml(hastSanitize().sanitize(tree, SCHEMA)))
  } catch {
    // A formula that is not TeX is content like any other: it is not an error of the server.
    return undefined
  }
}

// Temml draws lines with inline styles, which the content security policy of a page refuses, and with `menclose`,
// which MathML Core does not have. The lines become accents, which are part of MathML Core, or classes of math.css.
function withoutStyles(node: Nodes): void {
  if (node.type !== 'root' && node.type !== 'element') return
  if (node.type === 'element') {
    const classes = classesOf(node)
    node.properties.className = classes.length > 0 ? classes : undefined
    if (node.tagName === 'menclose') enclose(node)
    if (node.tagName === 'mover') stretchArrow(node)
  }
  for (const child of node.children) withoutStyles(child)
}

/** The classes that math.css styles. */
const KNOWN_CLASS = /^(?:math-[a-z-]+|tml-(?:left|right|jot|small|tageqn|(?:hat|tilde)-[1-4])|mathscr)$/
const BORDER = /(?:^|;)border(?:-(top|right|bottom|left))?:[^;]*solid/g

function classesOf({ properties }: Element): string[] {
  const given = Array.isArray(properties.className) ? properties.className.map(String) : []
  const borders = [...(properties.style ?? '').matchAll(BORDER)]
  if (given.includes('tml-cancelto')) given.push('math-strike-up')
  const all = [
    ...given,
    ...borders.map(([, side]) => (side === undefined ? 'math-box' : `math-line-${side}`)),
  ]
  return all.filter((name) => KNOWN_CLASS.test(name))
}

/** Chromium stretches the combining arrows of the font, but draws the others too short or without their head. */
const STRETCHY_ARROWS: Record<string, string> = { '←': '\u20d6', '→': '\u20d7', '↔': '\u20e1', '⇀': '\u20d1' }

function stretchArrow({ children: [, over] }: Element): void {
  if (over?.type !== 'element' || over.tagName !== 'mo' || over.properties.stretchy !== 'true') return
  const [arrow] = over.children
  if (arrow?.type === 'text') arrow.value = STRETCHY_ARROWS[arrow.value] ?? arrow.value
}

/** The stretchy accents for a line over or under a formula. */
const LINES: Record<string, { tagName: string; attribute: string; character: string }> = {
  top: { tagName: 'mover', attribute: 'accent', character: '‾' },
  bottom: { tagName: 'munder', attribute: 'accentunder', character: '_' },
}

const CLASSES: Record<string, string> = {
  updiagonalstrike: 'math-strike-up',
  downdiagonalstrike: 'math-strike-down',
  'updiagonalstrike downdiagonalstrike': 'math-strike-both',
  horizontalstrike: 'math-strike',
  box: 'math-box',
  circle: 'math-circle',
  actuarial: 'math-line-top math-line-right',
  longdiv: 'math-line-top math-line-left',
  phasorangle: 'math-line-bottom math-line-left',
}

function enclose(element: Element): void {
  const notation = String(element.properties.notation ?? '')
  const line = LINES[notation]
  if (!line) {
    element.tagName = 'mrow'
    element.properties = { className: (CLASSES[notation] ?? '').split(' ') }
    return
  }
  element.tagName = line.tagName
  element.properties = { [line.attribute]: 'true' }
  const row: Element = { type: 'element', tagName: 'mrow', properties: {}, children: element.children }
  const stroke: Element = {
    type: 'element',
    tagName: 'mo',
    properties: { stretchy: 'true' },
    children: [{ type: 'text', value: line.character }],
  }
  element.children = [row, stroke]
}

const SCHEMA: Schema = {
  tagNames: (
    'math semantics annotation maction merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts ' +
    'mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none'
  ).split(' '),
  attributes: {
    '*': [
      ['className', KNOWN_CLASS],
      'accent',
      'accentUnder',
      'accentunder',
      'align',
      'columnAlign',
      'columnLines',
      'columnSpacing',
      'columnSpan',
      'depth',
      'display',
      'displayStyle',
      'displaystyle',
      'encoding',
      'fence',
      'form',
      'height',
      'lineThickness',
      'linethickness',
      'lspace',
      'mathVariant',
      'mathvariant',
      'maxSize',
      'maxsize',
      'minSize',
      'minsize',
      'movableLimits',
      'movablelimits',
      'rowAlign',
      'rowLines',
      'rowSpacing',
      'rowSpan',
      'rspace',
      'scriptLevel',
      'scriptlevel',
      'separator',
      'stretchy',
      'symmetric',
      'voffset',
      'width',
    ],
  },
  strip: ['script', 'style'],
}
