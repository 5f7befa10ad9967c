/** Reads MathML, as Temml writes it, into the few elements that a typesetter draws. */
import type { Element, ElementContent } from 'hast'
import type { MathNode } from './model.ts'

/** Formulas inside one another deeper than this are shown as their source. */
const MAX_DEPTH = 60

/** A formula that has an element without a counterpart here. */
class Unknown extends Error {}

/** The elements of a formula; undefined if it cannot be drawn. */
export function readMath(math: Element): MathNode[] | undefined {
  try {
    return mathRow(math.children, 0)
  } catch (error) {
    if (error instanceof Unknown) return undefined
    throw error
  }
}

function mathRow(children: readonly ElementContent[], depth: number): MathNode[] {
  return children.flatMap((child) => (child.type === 'element' ? nodesOf(child, depth) : []))
}

/** The children of an element as one node. */
function oneOf(children: readonly ElementContent[], depth: number): MathNode {
  return joinedRow(mathRow(children, depth))
}

function joinedRow(row: MathNode[]): MathNode {
  const [only, ...others] = row
  return only && others.length === 0 ? only : { t: 'row', c: row }
}

function nodesOf(element: Element, depth: number): MathNode[] {
  if (depth > MAX_DEPTH) throw new Unknown()
  const { tagName, children, properties } = element
  const deeper = depth + 1
  const parts = children.filter((child): child is Element => child.type === 'element')
  const part = (index: number): MathNode => {
    const child = parts[index]
    return child ? oneOf([child], deeper) : { t: 'row', c: [] }
  }

  switch (tagName) {
    case 'semantics':
      return parts[0] ? nodesOf(parts[0], deeper) : []
    case 'annotation':
    case 'mprescripts':
    case 'none':
      return []
    case 'mi':
    case 'mn':
    case 'mo':
    case 'mtext':
    case 'ms':
      return leaf(element)
    case 'mspace':
      return [{ t: 'space', em: emOf(properties.width ?? 0) }]
    case 'mrow':
    case 'mstyle':
    case 'mpadded':
    case 'merror':
    case 'mphantom':
    case 'maction':
      return wrapped(element, mathRow(children, deeper))
    case 'mfrac': {
      const bare = /^0(?:px|em|pt)?$/.test(String(properties.lineThickness ?? properties.linethickness ?? ''))
      return [{ t: 'frac', c: [part(0), part(1)], ...(bare ? { bare: true } : {}) }]
    }
    case 'msqrt':
      return [{ t: 'root', c: [oneOf(children, deeper)] }]
    case 'mroot':
      return [{ t: 'root', c: [part(0), part(1)] }]
    case 'msub':
      return [{ t: 'attach', base: part(0), sub: part(1) }]
    case 'msup':
      return [{ t: 'attach', base: part(0), sup: part(1) }]
    case 'msubsup':
      return [{ t: 'attach', base: part(0), sub: part(1), sup: part(2) }]
    case 'munderover':
      return [{ t: 'attach', base: part(0), under: part(1), over: part(2) }]
    case 'munder':
      return [accentOf(parts[1], part(0), true) ?? { t: 'attach', base: part(0), under: part(1) }]
    case 'mover':
      return [accentOf(parts[1], part(0), false) ?? { t: 'attach', base: part(0), over: part(1) }]
    case 'mtable':
      return [tableOf(element, parts, deeper)]
    default:
      throw new Unknown()
  }
}

function leaf(element: Element): MathNode[] {
  const text = mathText(element)
  // Invisible operators (function application, times, separator, plus) have no width.
  if (/^[\u2061-\u2064\u200b]*$/.test(text)) return []
  const variant = element.properties.mathVariant ?? element.properties.mathvariant
  const kind = element.tagName === 'mtext' || element.tagName === 'ms' ? 'mt' : element.tagName
  return [
    {
      t: kind as 'mi' | 'mn' | 'mo' | 'mt',
      s: text,
      ...(variant === undefined ? {} : { variant: String(variant) }),
      ...(String(element.properties.stretchy) === 'true' ? { stretchy: true } : {}),
    },
  ]
}

/** A line, hat or arrow over or under a formula; undefined for other scripts. */
function accentOf(script: Element | undefined, base: MathNode, below: boolean): MathNode | undefined {
  if (script?.tagName !== 'mo') return undefined
  const text = mathText(script)
  if (!ACCENTS.has(text)) return undefined
  return { t: 'accent', base, s: text, ...(below ? { below: true } : {}) }
}

const ACCENTS = new Set([...'^ˆ˜~¯‾_ˉ´ˊ`ˋ˙¨˘ˇ˚→←↔⃗⃖⃡⏞⏟︷︸⎴⎵', '\u20d1', '\u0302', '\u0303', '\u0304', '\u0305'])

function tableOf(element: Element, rows: Element[], depth: number): MathNode {
  const align = element.properties.columnAlign ?? element.properties.columnalign
  return {
    t: 'table',
    rows: rows.map((row) => ({
      c: row.children
        .filter((cell): cell is Element => cell.type === 'element')
        .map((cell) => oneOf(cell.children, depth)),
    })),
    ...(align === undefined ? {} : { align: String(align) }),
  }
}

function wrapped({ properties }: Element, row: MathNode[]): MathNode[] {
  const classes = [properties.className ?? []].flat().map(String)
  const content = joinedRow(row)
  if (classes.includes('math-box')) return [{ t: 'box', c: content }]
  if (classes.some((name) => name.startsWith('math-strike'))) return [{ t: 'cancel', c: content }]
  return row.length > 1 ? [{ t: 'row', c: row }] : row
}

function emOf(width: string | number): number {
  const [, value, unit] = /^(-?[\d.]+)(em|ex|px|pt)?$/.exec(String(width)) ?? []
  const em = Number(value ?? 0) * (unit === 'ex' ? 0.45 : unit === 'px' ? 1 / 16 : unit === 'pt' ? 1 / 12 : 1)
  return Number.isFinite(em) ? Math.min(Math.max(em, -2), 10) : 0
}

function mathText(element: Element): string {
  return element.children
    .map((child) => (child.type === 'text' ? child.value : child.type === 'element' ? mathText(child) : ''))
    .join('')
    .trim()
}
