/** The styles of an OpenDocument text that mean more than their look (ODF 1.3, part 3, section 16). */
import { findAll, isElement, type MarkupElement } from '../html/markup.ts'

/** What a style means, with what it inherits from its parents. */
export interface OdtStyle {
  /** The names of the style and of its parents, nearest first. */
  names: string[]
  /** The elements of HTML for its marks, such as `strong`. */
  marks: string[]
}

/** The styles of a document by name. */
export interface OdtStyles {
  styleNamed(name: string | undefined): OdtStyle
  /** Whether a list of this style is numbered at a level, from 1. */
  isNumbered(style: string | undefined, level: number): boolean
}

/** The longest chain of parents that is followed. */
const MOST_PARENTS = 20

/** Collects the styles of the roots of `styles.xml` and `content.xml`. */
export function readOdtStyles(roots: readonly MarkupElement[]): OdtStyles {
  const styles = new Map<string, { parent: string | undefined; marks: string[] }>()
  const numbered = new Map<string, Set<number>>()
  for (const root of roots) {
    for (const style of findAll(root, ({ name }) => name === 'style:style')) {
      const { 'style:name': name = '', 'style:parent-style-name': parent } = style.attributes
      styles.set(name, { parent, marks: marksIn(style) })
    }
    for (const list of findAll(root, ({ name }) => name === 'text:list-style'))
      numbered.set(list.attributes['style:name'] ?? '', numberedLevels(list))
  }
  const known = new Map<string, OdtStyle>()
  const styleNamed = (name = ''): OdtStyle => {
    const before = known.get(name)
    if (before) return before
    const names: string[] = []
    const marks = new Set<string>()
    for (let at: string | undefined = name; at !== undefined && names.length < MOST_PARENTS;) {
      names.push(at)
      const style = styles.get(at)
      for (const mark of style?.marks ?? []) marks.add(mark)
      at = style?.parent
    }
    const style = { names, marks: [...marks] }
    known.set(name, style)
    return style
  }
  return { styleNamed, isNumbered: (style = '', level) => numbered.get(style)?.has(level) ?? false }
}

function marksIn(style: MarkupElement): string[] {
  const properties = style.children.find((child) => isElement(child, 'style:text-properties'))
  if (!isElement(properties)) return []
  const { attributes } = properties
  const position = attributes['style:text-position'] ?? ''
  const line = attributes['style:text-line-through-style'] ?? 'none'
  return [
    ...(/^(?:bold|[6-9]00)$/.test(attributes['fo:font-weight'] ?? '') ? ['strong'] : []),
    ...(attributes['fo:font-style'] === 'italic' ? ['em'] : []),
    ...(line === 'none' ? [] : ['s']),
    ...(/^(?:super|[1-9])/.test(position) ? ['sup'] : []),
    ...(/^(?:sub|-)/.test(position) ? ['sub'] : []),
  ]
}

function numberedLevels(list: MarkupElement): Set<number> {
  const levels = list.children.flatMap((child) =>
    isElement(child, 'text:list-level-style-number') && (child.attributes['style:num-format'] ?? '') !== ''
      ? [Number(child.attributes['text:level'])]
      : [],
  )
  return new Set(levels)
}
