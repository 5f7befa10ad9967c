/** Pages of MDX: Markdown with components, of which those that Lectern knows become blocks. */
import { because } from '../../languages/reasons.ts'
import type { WithReason } from '../../languages/reasoned.ts'
import type { IncludedFiles } from '../markdown/snippets.ts'
import { BlockWriter } from './block-writer.ts'
import { COMPONENTS } from './components.ts'
import { pageModules } from './modules.ts'
import { type ComponentPage, printInside, type PrintedComponent } from './printing.ts'
import { isWrapper, type MdxElement, readMdx } from './tree.ts'

/** Takes a part of a page that is not converted, with its line from 1. */
export type ReportPart = (why: WithReason, line: number) => void

/** What the conversion of a page of MDX needs. */
export interface MdxSource {
  files: IncludedFiles
  report: ReportPart
  /** Texts that every page can insert with `{{name}}`. */
  texts?: ReadonlyMap<string, string>
}

/**
 * Converts a page of MDX to Markdown, without its imports and exports. An unknown component is replaced by what is in it, and
 * reported once with the number of its uses. Takes linear time.
 */
export function mdxMarkdown(source: string, { files, report, texts }: MdxSource): string {
  const modules = pageModules(source, files)
  const known = new Map([...(texts ?? []), ...modules.texts])
  const unknown = new Map<string, { line: number; count: number }>()
  const page: ComponentPage = {
    print(nodes) {
      const output = new BlockWriter()
      for (const node of nodes) {
        if (typeof node === 'string') {
          output.text(node)
          continue
        }
        const printed = printElement(node)
        if ('inline' in printed) output.text(printed.inline)
        else output.block(printed.block)
      }
      return output.toString()
    },
    include(address) {
      const path = files.find(address)
      return path === undefined ? undefined : `{% include "${files.address(path)}" %}`
    },
  }
  const printElement = (element: MdxElement): PrintedComponent => {
    if (isWrapper(element)) return printInside(element, page)
    const imported = modules.imports.get(element.name) ?? ''
    const included = /\.mdx?$/.test(imported) ? page.include(imported) : undefined
    if (included !== undefined) return { block: included }
    const print = COMPONENTS.get(element.name)
    if (print) return print(element, page)
    const use = unknown.get(element.name)
    if (use) use.count += 1
    else unknown.set(element.name, { line: element.line, count: 1 })
    return printInside(element, page)
  }
  const text = page.print(readMdx({ ...modules, texts: known }))
  for (const [name, { line, count }] of unknown) report(because('component-unwrapped', { name, count }), line)
  return text
}
