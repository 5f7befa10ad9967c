import { convertSource, type ImportSource } from '../../../src/core/sources/convert.ts'
import type { ConvertedSource } from '../../../src/core/sources/converted.ts'
import { projectTrees } from '../../../src/core/sources/project-trees.ts'
import { planImport } from '../../../src/core/repository/plan.ts'

/** The files of a source, from texts by path. */
export function bytesIn(texts: Record<string, string | Uint8Array>): Map<string, Uint8Array> {
  return new Map(
    Object.entries(texts).map(([path, text]) => [path, typeof text === 'string' ? Buffer.from(text) : text]),
  )
}

/** The files of a converted source as texts. */
export function textsOf({ files }: ConvertedSource): Record<string, string> {
  return Object.fromEntries([...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString()]))
}

/** The redirects that an import of a project writes, as sorted lines `from > file`. */
export async function redirectsIn(source: Parameters<typeof planImport>[0]): Promise<string[]> {
  const { redirects } = await planImport(source, () => ({ references: [] }))
  return redirects
    .map(({ from, target }) => `${from} > ${'url' in target ? target.url : target.file}`)
    .toSorted()
}

/** The trees of a project: what they are, and their marks `front` and `main`. */
export function treesIn(source: ImportSource, texts: Record<string, string>): string[] {
  return projectTrees(source, bytesIn(texts)).map(
    ({ folder, language, version, base, isFront, isMain }) =>
      `${folder}: ${[language, version].filter(Boolean).join(' ')} at /${base}${isFront ? ' front' : ''}${isMain ? ' main' : ''}`,
  )
}

/** What a tree of a project becomes: the paths of its pages, its table of contents, and its texts. */
export async function convertedTree(source: ImportSource, texts: Record<string, string>, tree?: string) {
  const converted = await convertSource(source, bytesIn(texts), 'docs.zip', tree)
  const files = textsOf(converted)
  const contents = Object.entries(files).find(([path]) => path.endsWith('SUMMARY.md'))?.[1] ?? ''
  const entries = contents.split('\n').filter((line) => /^\s*\* /.test(line))
  const pages = Object.keys(files).filter((path) => path.endsWith('.md') && !path.endsWith('SUMMARY.md'))
  return {
    files,
    entries,
    pages: pages.toSorted(),
    title: converted.title,
    source: converted.files,
    problems: converted.problems,
  }
}
