/** Generators of sites, and hosted documentation that is written in a repository. */
import { folderOf } from '../../text/file-paths.ts'
import type { MarkedArchive, Tool } from './model.ts'

/** The generators. If an archive has marks of several at the same depth, the first of them is recognized. */
export const GENERATORS = [
  {
    id: 'docusaurus',
    name: 'Docusaurus',
    source: 'docusaurus',
    mark: ({ find }) => find(/^docusaurus\.config\.[cm]?[jt]s$/),
  },
  {
    id: 'vitepress',
    name: 'VitePress',
    source: 'vitepress',
    mark: ({ paths }) =>
      paths.find((path) => /(?:^|\/)\.vitepress\/config(?:\.[cm]?[jt]s|\/index\.[cm]?[jt]s)$/.test(path)),
  },
  { id: 'mkdocs', name: 'MkDocs', source: 'mkdocs', mark: ({ find }) => find(/^mkdocs\.ya?ml$/) },
  {
    id: 'mintlify',
    name: 'Mintlify',
    source: 'mintlify',
    mark: ({ find }) => find(/^(?:docs|mint)\.json$/, /"navigation"\s{0,99}:/),
  },
  {
    id: 'starlight',
    name: 'Starlight',
    source: 'starlight',
    mark: ({ find }) => find(/^astro\.config\.[cm]?[jt]s$/, /@astrojs\/starlight/),
  },
  {
    id: 'nextra',
    name: 'Nextra',
    source: 'nextra',
    mark: ({ find }) =>
      find(/^next\.config\.[cm]?[jt]s$/, /['"]nextra['"]/) ?? find(/^_meta\.(?:[jt]sx?|json)$/),
  },
  {
    id: 'mdbook',
    name: 'mdBook',
    source: 'mdbook',
    mark: ({ find }) => find(/^book\.toml$/),
  },
  {
    id: 'hugo',
    name: 'Hugo',
    source: 'hugo',
    mark: (archive) => archive.find(/^hugo\.(?:toml|ya?ml|json)$/) ?? configBesideContent(archive),
  },
  {
    id: 'docfx',
    name: 'DocFX',
    source: 'docfx',
    mark: ({ find }) => find(/^docfx\.json$/) ?? find(/^toc\.ya?ml$/, /^- (?:name|href): /m),
    isVague: true,
  },
  {
    id: 'myst',
    name: 'MyST',
    source: 'myst',
    mark: ({ find }) => find(/^myst\.yml$/) ?? find(/^_toc\.yml$/, /^format: jb-/m),
    isVague: true,
  },
  {
    id: 'sphinx',
    name: 'Sphinx',
    source: 'sphinx',
    mark: ({ find }) => find(/^conf\.py$/, /^extensions\s{0,9}=|^project\s{0,9}=/m),
    isVague: true,
  },
  {
    id: 'jekyll',
    name: 'Jekyll',
    source: 'jekyll',
    mark: ({ find }) => find(/^_config\.ya?ml$/),
    isVague: true,
  },
] as const satisfies readonly Tool[]

/** A file of settings in a folder that has the folder `content`. */
function configBesideContent({ files, paths }: MarkedArchive): string | undefined {
  // An archive may have thousands of these settings, so its files are looked through only once.
  const folders = [...files.keys()].flatMap((path) =>
    [...path.matchAll(/(?<![^/])content\//g)].map(({ index }) => path.slice(0, Math.max(0, index - 1))),
  )
  const beside = new Set(folders)
  return paths.find((path) => /(?:^|\/)config\.(?:toml|ya?ml)$/.test(path) && beside.has(folderOf(path)))
}
