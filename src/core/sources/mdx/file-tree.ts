/** Trees of files: the list that Starlight writes, and the components of Nextra and Mintlify, as a list. */
import { attributeText } from './attributes.ts'
import { blockLines, componentContent, groupedIn, type PrintComponent } from './printing.ts'
import type { MdxElement } from './tree.ts'

const PART = /\.(?:Folder|File)$/

/** Prints a tree of files. */
export const fileTree: PrintComponent = (element, page) => {
  const lines = linesOfTree(element, '')
  return blockLines([...(lines.length > 0 ? lines : [componentContent(element, page)])])
}

function linesOfTree(element: MdxElement, indent: string): string[] {
  return groupedIn(element, PART).items.flatMap((item) => {
    const name = (attributeText(item.attributes, 'name') ?? '').replaceAll('`', '')
    const sign = item.name.endsWith('Folder') ? '/' : ''
    return [`${indent}* \`${name}${sign}\``, ...linesOfTree(item, `${indent}  `)]
  })
}
