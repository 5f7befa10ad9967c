/** Projects of VitePress. */
import { type ConvertedSource, type SourceFiles, withoutSingleFolder } from '../converted.ts'
import { dialectLines, type DialectLine } from '../markdown/dialect.ts'
import { codeGroups, fencesIn, printFences } from '../markdown/fences.ts'
import { type IncludedFiles, withSnippets } from '../markdown/snippets.ts'
import { colonLines } from './colon-lines.ts'
import { convertProject } from './project.ts'

/** Converts a project of VitePress. */
export function convertVitePress(source: SourceFiles): ConvertedSource {
  const files = withoutSingleFolder(source)
  const config = [...files.keys()].find((path) => /(?:^|\/)\.vitepress\//.test(path)) ?? ''
  const root = config.slice(0, Math.max(0, config.indexOf('.vitepress/') - 1))
  const shared = [root === '' ? 'public' : `${root}/public`]
  return convertProject(files, 'vitepress', { root, shared, snippets: [root, ''], body: vitePressLines })
}

function vitePressLines(text: string, files: IncludedFiles): DialectLine[] {
  const lines = withSnippets(dialectLines(withoutVue(text)), files)
  return colonLines(printFences(codeGroups(fencesIn(lines))))
}

/** Scripts and styles of pages, which VitePress runs, and its mark for a table of contents. */
function withoutVue(text: string): string {
  let inside = ''
  const lines = dialectLines(text).flatMap(({ text: line, isCode }) => {
    if (isCode) return [line]
    const name = /^<(script|style)[\s>]/.exec(line)?.[1]
    if (inside === '' && name !== undefined) inside = name
    if (inside === '') return /^\[\[toc\]\]\s{0,9}$/i.test(line) ? [] : [line]
    if (line.includes(`</${inside}>`)) inside = ''
    return []
  })
  return lines.join('\n')
}
