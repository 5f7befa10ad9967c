/** Reads the elements and attributes of HTML. */
import type { Element, ElementContent } from 'hast'
import type { ImageWidth } from './model.ts'

/** The classes of an element. */
export function classNamesOf({ properties }: Element): string[] {
  return [properties.className ?? properties.class ?? []]
    .flat()
    .flatMap((name) => String(name).split(/\s+/))
    .filter(Boolean)
}

/** Whether a node is an element with a class. */
export function hasClass(node: ElementContent, name: string): boolean {
  return node.type === 'element' && classNamesOf(node).includes(name)
}

export function elementOf(element: Element, name: string): Element | undefined {
  return element.children.find(
    (child): child is Element => child.type === 'element' && child.tagName === name,
  )
}

/** The text of a node, as it is written. */
export function inlineText(node: ElementContent): string {
  if (node.type === 'text') return node.value
  return node.type === 'element' ? node.children.map(inlineText).join('') : ''
}

/** How the text of an element is aligned, unless at its start. */
export function alignOf(element: Element): 'center' | 'end' | undefined {
  const classes = classNamesOf(element)
  const value = element.properties.align
  if (classes.includes('align-center') || value === 'center') return 'center'
  return classes.includes('align-end') || classes.includes('align-right') || value === 'right'
    ? 'end'
    : undefined
}

/** The number of the first item of a list. */
export function startOf(start: unknown): number {
  const value = Number(start ?? 1)
  return Number.isSafeInteger(value) && value >= 0 && value < 1e9 ? value : 1
}

/** The address and the description of an image. */
export function imageAttributes({ properties }: Element): { src: string; alt: string } {
  return { src: properties.src ?? '', alt: (properties.alt ?? '').trim() }
}

/** The width that an attribute gives to an image. */
export function widthOf(width: string | number | undefined): ImageWidth | undefined {
  const [, value, unit] = /^([\d.]+)(%|px)?$/.exec(String(width ?? '')) ?? []
  const size = Number(value)
  if (value === undefined || !(size > 0)) return undefined
  return unit === '%' ? { percent: Math.min(size, 100) } : { px: size }
}

/** The name of a colour among classes such as `ink-red`. */
export function colourIn(classes: readonly string[], prefix: string): string | undefined {
  return classes.find((name) => name.startsWith(`${prefix}-`))?.slice(prefix.length + 1)
}

/** The nodes with a space after each. */
export function spaced(children: readonly ElementContent[]): ElementContent[] {
  return children.flatMap((child) => [child, { type: 'text' as const, value: ' ' }])
}
