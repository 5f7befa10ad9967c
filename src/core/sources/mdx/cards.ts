/** Cards of MDX as a table of Lectern that is shown as cards. */
import { filled, fragment, paragraph, text, voidBlock } from '../../document/build.ts'
import type { Block, CellValue, ColumnDefinition, Fragment, TableRecord } from '../../document/model.ts'
import { parseMarkdown } from '../../document/parse.ts'
import { printDocument } from '../../document/print.ts'
import { attributeText } from './attributes.ts'
import { type ComponentPage, componentContent } from './printing.ts'
import type { MdxElement } from './tree.ts'

/** The most cards of one table; a page may not have more cells. */
const MOST_CARDS = 500

const TARGET: ColumnDefinition = { id: 'target', title: '', type: 'content-ref' }
const PICTURE: ColumnDefinition = { id: 'picture', title: '', type: 'image' }

/** Prints cards as a table: their titles, their content, and the addresses of their targets and pictures. */
export function cardTable(elements: readonly MdxElement[], page: ComponentPage): string {
  const columns = new Set<string>()
  const fragments: Fragment[] = []
  const records: Record<string, TableRecord> = {}
  for (const [at, element] of elements.slice(0, MOST_CARDS).entries()) {
    const values: Record<string, CellValue> = {}
    const addText = (column: string, nodes: Block[]) => {
      if (nodes.length === 0) return
      columns.add(column)
      values[column] = `r${at}${column}`
      fragments.push(fragment(`r${at}${column}`, filled(nodes)))
    }
    const addAddress = (column: string, url: string | undefined) => {
      if (url === undefined) return
      columns.add(column)
      values[column] = { kind: 'url', url }
    }
    const { attributes } = element
    const title = attributeText(attributes, 'title') ?? ''
    addText('title', title === '' ? [] : [paragraph([text(title, [{ object: 'mark', type: 'bold' }])])])
    const description = attributeText(attributes, 'description') ?? ''
    const content = [description, componentContent(element, page)].filter(Boolean).join('\n\n')
    addText('content', content === '' ? [] : parseMarkdown(content).document.nodes)
    addAddress('target', attributeText(attributes, 'href'))
    addAddress('picture', attributeText(attributes, 'img'))
    records[`r${at}`] = { orderIndex: String(at).padStart(6, '0'), values }
  }
  const shown = ['title', 'content'].filter((one) => columns.has(one))
  const definition: Record<string, ColumnDefinition> = {}
  for (const id of shown) definition[id] = { id, title: '', type: 'text', textAlignment: 'left' }
  const hidden = [TARGET, PICTURE].filter(({ id }) => columns.has(id))
  for (const column of hidden) definition[column.id] = column
  const view = {
    type: 'cards' as const,
    cardSize: 'medium' as const,
    columns: shown,
    ...(columns.has('target') ? { targetDefinition: 'target' } : {}),
    ...(columns.has('picture') ? { coverDefinition: 'picture' } : {}),
  }
  const table = voidBlock('table', { view, records, definition }, fragments)
  return printDocument({ object: 'document', data: {}, nodes: [table] }).trimEnd()
}
