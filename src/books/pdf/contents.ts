/** The entries of the table of contents as elements of structure that assistive software reads as one (ISO 32000-1, 14.8.4.3). */
import type { PdfObject } from './objects.ts'
import type { PdfWriter } from './writer.ts'

/** An entry: the paragraph with its link, and its level, 1 at the top. */
export interface ContentsEntry {
  element: number
  level: number
}

/** Which of the elements of a part are paragraphs that are a link and nothing else. */
export function linkParagraphs(
  children: readonly number[],
  objects: ReadonlyMap<number, PdfObject>,
): number[] {
  return children.filter((number) => {
    const { text } = objects.get(number) ?? { text: '' }
    const [, kid] = /\/S \/P\b/.test(text) ? (/\/K \[\s*(\d+) 0 R\s*\]/.exec(text) ?? []) : []
    return kid !== undefined && /\/S \/Link\b/.test(objects.get(Number(kid))?.text ?? '')
  })
}

/**
 * Adds the elements around the entries: a TOC with a TOCI for each, and another TOC in the TOCI of an entry that has others below it.
 * @returns the number of the outer TOC, and that of the TOCI around each entry
 */
export function addContents(
  writer: PdfWriter,
  parent: number,
  entries: readonly ContentsEntry[],
): { toc: number; around: Map<number, number> } {
  const toc = writer.allocate()
  const around = new Map<number, number>()
  addLevel(toc, parent, entries)
  return { toc, around }

  function addLevel(own: number, above: number, all: readonly ContentsEntry[]): void {
    const groups: ContentsEntry[][] = []
    const top = all.reduce((least, { level }) => Math.min(least, level), Infinity)
    for (const entry of all) {
      const group = groups.at(-1)
      if (group && entry.level > top) group.push(entry)
      else groups.push([entry])
    }
    const items = groups.map(([entry, ...below]) => {
      const item = writer.allocate()
      const kids = entry ? [entry.element] : []
      if (entry) around.set(entry.element, item)
      if (below.length > 0) {
        const inner = writer.allocate()
        kids.push(inner)
        addLevel(inner, item, below)
      }
      writer.add(item, element('TOCI', own, kids))
      return item
    })
    writer.add(own, element('TOC', above, items))
  }
}

function element(type: string, parent: number, kids: readonly number[]): string {
  return `<< /Type /StructElem /S /${type} /P ${parent} 0 R /K [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`
}
