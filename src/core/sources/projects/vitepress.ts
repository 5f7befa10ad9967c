/** Projects of VitePress. */
import { isRecord } from '../../data/is-record.ts'
import { type ConvertedSource, type SourceFiles, withoutSingleFolder } from '../converted.ts'
import { unwrapped } from '../literals.ts'
import { dialectLines, type DialectLine } from '../markdown/dialect.ts'
import { codeGroups, fencesIn, printFences } from '../markdown/fences.ts'
import { type IncludedFiles, withSnippets } from '../markdown/snippets.ts'
import { colonLines } from './colon-lines.ts'
import { firstFile, settingsValue } from './mdx-project.ts'
import { convertProject, inFolder } from './project.ts'

const CONFIG = /^config\.[cm]?[jt]s$/

/** Converts a project of VitePress. */
export function convertVitePress(source: SourceFiles): ConvertedSource {
  const files = withoutSingleFolder(source)
  const config = [...files.keys()].find((path) => /(?:^|\/)\.vitepress\//.test(path)) ?? ''
  const root = config.slice(0, Math.max(0, config.indexOf('.vitepress/') - 1))
  const shared = [root === '' ? 'public' : `${root}/public`]
  const settings = unwrapped(
    settingsValue(files, firstFile(files, inFolder(root, '.vitepress'), CONFIG) ?? ''),
  )
  const title = isRecord(settings) && typeof settings.title === 'string' ? settings.title : undefined
  const snippets = [root, '']
  return convertProject(files, 'vitepress', { root, shared, snippets, body: vitePressLines, title })
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
