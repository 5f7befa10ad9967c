import { sanitize, type Schema } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { htmlToHast } from 'satteri'
import temml from 'temml'

import { type Html, html, raw } from '../../html.ts'

/** Longer formulas are shown as their source. */
const MAX_FORMULA = 10_000

/** A TeX formula as MathML; its source where it cannot be read. */
export function math(formula: string, display: boolean): Html {
  const markup = formula.length > MAX_FORMULA ? undefined : toMathMl(formula, display)
  if (markup === undefined) return html`<code class="math-source">${formula}</code>`
  return display
    ? html`<div class="math" tabindex="0" role="group" aria-label="Formula">${markup}</div>`
    : markup
}

function toMathMl(formula: string, display: boolean): Html | undefined {
  try {
    const markup = temml.renderToString(formula, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      maxExpand: 500,
    })
    // It writes inline styles, which the content security policy of a page refuses; and it is a second pair of eyes.
    const tree = sanitize(htmlToHast(markup, { fragment: true }), SCHEMA)
    return raw(toHtml(tree))
  } catch {
    // A formula that is not TeX is content like any other, not an error of ours.
    return undefined
  }
}

const SCHEMA: Schema = {
  tagNames: (
    'math semantics annotation maction menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts ' +
    'mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none'
  ).split(' '),
  attributes: {
    '*': [
      'accent',
      'accentUnder',
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
      'notation',
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
