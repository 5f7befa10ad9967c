/** The documentations of projects that have several, in languages and versions, by the source of their import. */
import { withoutEnd } from '../text/trimming.ts'
import type { ImportSource } from './convert.ts'
import { outerFolder, type SourceFiles } from './converted.ts'
import { docusaurusTrees } from './projects/docusaurus.ts'
import { hugoTrees } from './projects/hugo/hugo.ts'
import { mintlifyTrees } from './projects/mintlify.ts'
import { mkDocsTrees } from './projects/mkdocs.ts'
import { nextraTrees } from './projects/nextra.ts'
import type { ProjectTree } from './projects/project-tree.ts'
import { starlightTrees } from './projects/starlight.ts'
import { vitePressTrees } from './projects/vitepress.ts'

const TREES: Partial<Record<ImportSource, (files: SourceFiles) => ProjectTree[]>> = {
  docusaurus: docusaurusTrees,
  vitepress: vitePressTrees,
  mkdocs: mkDocsTrees,
  mintlify: mintlifyTrees,
  starlight: starlightTrees,
  nextra: nextraTrees,
  hugo: hugoTrees,
}

const SETTINGS =
  /(?:^|\/)(?:(?:docusaurus|astro|next|hugo|config|languages)(?:\.config)?\.\w{2,4}|(?:[^/]{1,100}_)?versions\.json|mkdocs\.ya?ml|(?:docs|mint)\.json|\.vitepress\/.{1,200}\.[cm]?[jt]s)$/

/** Whether the file of a path may have settings that `projectTrees` reads. */
export const hasSettingsName = (path: string): boolean => SETTINGS.test(path)

/** Whether projects of a source can have several documentations. */
export const canHaveTrees = (source: ImportSource): boolean => source in TREES

/**
 * The documentations of a project. Needs the bytes of its settings, and only the names of its other files.
 * @returns an empty list if it has only one
 */
export function projectTrees(source: ImportSource, files: SourceFiles): ProjectTree[] {
  const trees = TREES[source]?.(files) ?? []
  if (trees.length < 2) return []
  const outer = outerFolder(files)
  return trees.map((tree) => ({ ...tree, folder: withoutEnd(outer + tree.folder, '/') }))
}
