/** Projects of MkDocs. */
import { isRecord } from '../../data/is-record.ts'
import { because } from '../../languages/reasons.ts'
import { decodeText } from '../../repository/decode-text.ts'
import { ImportRefused } from '../../repository/refused.ts'
import { readRepositoryYaml } from '../../repository/yaml.ts'
import { joinPath, titleOfName } from '../../text/file-paths.ts'
import { type ConvertedSource, type SourceFiles, withoutSingleFolder } from '../converted.ts'
import { indentedBlocks } from '../markdown/admonitions.ts'
import { dialectLines, type DialectLine, mapOutsideCode } from '../markdown/dialect.ts'
import { fencesIn, printFences } from '../markdown/fences.ts'
import { type IncludedFiles, withSnippets } from '../markdown/snippets.ts'
import type { ListedPage } from '../page-list.ts'
import { pageBeginning } from './addresses.ts'
import { convertProject, inFolder, settingsFolder, pageTitleIn, bareName } from './project.ts'

/** Converts a project of MkDocs, in the order of `nav` in its `mkdocs.yml`. */
export function convertMkDocs(source: SourceFiles): ConvertedSource {
  const files = withoutSingleFolder(source)
  const folder = settingsFolder(files, /^mkdocs\.ya?ml$/) ?? ''
  const { settings, fault } = settingsOf(files, folder)
  const named = typeof settings.docs_dir === 'string' ? settings.docs_dir : 'docs'
  const root = joinPath(folder, named) ?? inFolder(folder, 'docs')
  const tree = Array.isArray(settings.nav) ? navTree(settings.nav, root, files, 1) : undefined
  const converted = convertProject(files, 'mkdocs', {
    root,
    shared: [],
    snippets: [folder, root, ...snippetFolders(settings.markdown_extensions, folder)],
    body: mkDocsLines,
    ...(tree ? { tree } : {}),
  })
  if (fault === undefined) return converted
  const message = `${fault}; the page tree is generated from the folders`
  const problem = { kind: 'setting' as const, path: inFolder(folder, 'mkdocs.yml'), message }
  return { ...converted, problems: [problem, ...converted.problems] }
}

function mkDocsLines(text: string, files: IncludedFiles): DialectLine[] {
  const blocks = dialectLines(indentedBlocks(text.split('\n')).join('\n'))
  return printFences(fencesIn(withSnippets(blocks, files))).map(({ text: one, isCode }) => ({
    text: isCode ? one : mapOutsideCode(one, withoutAttributes),
    isCode,
  }))
}

/** The folders of `pymdownx.snippets` in `mkdocs.yml`. */
function snippetFolders(extensions: unknown, folder: string): string[] {
  const settings = Array.isArray(extensions) ? extensions.filter(isRecord) : []
  const paths = settings.flatMap((one) => {
    const options = one['pymdownx.snippets']
    return isRecord(options) ? [options.base_path].flat() : []
  })
  return paths.flatMap((path) => (typeof path === 'string' ? (joinPath(folder, path) ?? []) : []))
}

/** Icons, and lists of attributes after links, pictures and headings: `{ .md-button }`. */
function withoutAttributes(text: string): string {
  return text
    .replace(/:(?:material|octicons|fontawesome|simple)-[\w-]{1,80}:(?:\{[^{}]{0,100}\})?/g, '')
    .replace(/\)\{[:\s]{0,3}[.#\w][^{}]{0,200}\}/g, ')')
    .replace(/^\s{0,40}\{:[^{}]{0,200}\}\s{0,9}$/, '')
}

function settingsOf(
  files: SourceFiles,
  folder: string,
): { settings: Record<string, unknown>; fault?: string | undefined } {
  const bytes = files.get(inFolder(folder, 'mkdocs.yml')) ?? files.get(inFolder(folder, 'mkdocs.yaml'))
  if (!bytes) throw new ImportRefused(because('import-not-mkdocs'))
  // Extensions are often named with tags such as `!!python/name:`, which are not needed here.
  const text = (decodeText(bytes) ?? '').replace(/!!?[\w/:.-]{1,200}/g, '')
  const { value, fault } = readRepositoryYaml(text)
  return { settings: fault === undefined && isRecord(value) ? value : {}, fault }
}

/** The most levels of `nav`; the reader of YAML allows no more. */
const DEEPEST_NAV = 16

function navTree(nav: readonly unknown[], root: string, files: SourceFiles, depth: number): ListedPage[] {
  if (depth > DEEPEST_NAV) return []
  const file = (path: string) => (root === '' ? path : `${root}/${path}`)
  return nav.flatMap((item): ListedPage[] => {
    if (typeof item === 'string') return pageAt(file(item), undefined, files)
    if (!isRecord(item)) return []
    return Object.entries(item).flatMap(([title, target]): ListedPage[] => {
      if (typeof target === 'string') return pageAt(file(target), title, files)
      if (!Array.isArray(target)) return []
      return [{ title, children: navTree(target, root, files, depth + 1) }]
    })
  })
}

function pageAt(file: string, title: string | undefined, files: SourceFiles): ListedPage[] {
  const bytes = files.get(file)
  if (!bytes) return []
  const own = title ?? pageTitleIn(pageBeginning(bytes)) ?? titleOfName(bareName(file))
  return [{ title: own, file, children: [] }]
}
