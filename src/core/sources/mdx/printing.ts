/** What the printers of components share. */
import { dedented } from './block-writer.ts'
import { isWrapper, type MdxElement, type MdxNode } from './tree.ts'

/** What a component becomes: a block, or a part of a line. */
export type PrintedComponent = { block: string } | { inline: string }

/** How the parts of a page are printed. */
export interface ComponentPage {
  /** Prints components and text as Markdown. */
  print(nodes: readonly MdxNode[]): string
  /** The include of a file that the page names; undefined if it does not exist. */
  include(address: string): string | undefined
}

/** Prints one kind of component. */
export type PrintComponent = (element: MdxElement, page: ComponentPage) => PrintedComponent

/** A block of some lines. */
export const blockLines = (lines: readonly string[]): PrintedComponent => ({ block: lines.join('\n') })

/** The Markdown in a component, without its indentation. */
export const componentContent = ({ children }: MdxElement, page: ComponentPage) =>
  dedented(page.print(children))

/** Prints a component that only groups, or that Lectern does not know: what is in it, in its line or as blocks. */
export const printInside: PrintComponent = (element, page) => {
  const content = page.print(element.children)
  return content.includes('\n') ? { block: dedented(content) } : { inline: content }
}

/** The components of a group with these names, also in wrappers, and what else is in it. */
export function groupedIn(
  { children }: MdxElement,
  names: RegExp,
): { items: MdxElement[]; others: MdxNode[] } {
  const items: MdxElement[] = []
  const others: MdxNode[] = []
  for (const child of children) {
    if (typeof child !== 'string' && names.test(child.name)) items.push(child)
    else if (typeof child !== 'string' && isWrapper(child)) {
      const inside = groupedIn(child, names)
      for (const item of inside.items) items.push(item)
      for (const other of inside.others) others.push(other)
    } else others.push(child)
  }
  return { items, others }
}

/** Prints a group as a block, after what else is in it; its content if it has none of its components. */
export function printGroup(
  element: MdxElement,
  page: ComponentPage,
  names: RegExp,
  print: (items: readonly MdxElement[]) => string,
): PrintedComponent {
  const { items, others } = groupedIn(element, names)
  if (items.length === 0) return printInside(element, page)
  const before = dedented(page.print(others)).trim()
  return blockLines([...(before === '' ? [] : [before, '']), print(items)])
}

/** A title as the value of an attribute of a tag. */
export const tagTitle = (title: string) => title.replace(/[\\"]/g, '').replace(/\s+/g, ' ')
