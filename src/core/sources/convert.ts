import { convertBookStack } from './bookstack.ts'
import { convertConfluence } from './confluence/confluence.ts'
import { convertDocFx } from './projects/docfx/docfx.ts'
import { convertDocusaurus } from './projects/docusaurus.ts'
import { convertHugo } from './projects/hugo/hugo.ts'
import { convertJekyll } from './projects/jekyll.ts'
import { convertMdBook } from './projects/mdbook.ts'
import { convertMintlify } from './projects/mintlify.ts'
import { convertMkDocs } from './projects/mkdocs.ts'
import { convertMyst, convertSphinx } from './projects/myst/myst.ts'
import { convertNextra } from './projects/nextra.ts'
import { convertStarlight } from './projects/starlight.ts'
import { convertVitePress } from './projects/vitepress.ts'
import { convertDocmost } from './docmost.ts'
import { convertDocx } from './office/docx.ts'
import { convertOdt } from './office/odt.ts'
import { convertGithubWiki } from './markdown/github-wiki.ts'
import { convertGoogleDocs } from './office/google-docs.ts'
import { convertHtml } from './html-site.ts'
import { convertNotion } from './notion/notion.ts'
import { convertOutline } from './outline.ts'
import { convertWebsite } from './website/convert.ts'
import { convertWikiJs } from './wiki-js.ts'
import { type ConvertedSource, outerFolder, type SourceFiles } from './converted.ts'

/** The sources of an import: what the file or address at its `url` is. */
export const IMPORT_SOURCES = [
  'zip',
  'markdown',
  'html',
  'website',
  'docx',
  'odt',
  'confluence',
  'notion',
  'google-docs',
  'github-wiki',
  'docusaurus',
  'mkdocs',
  'vitepress',
  'mdbook',
  'mintlify',
  'starlight',
  'nextra',
  'hugo',
  'jekyll',
  'docfx',
  'myst',
  'sphinx',
  'outline',
  'docmost',
  'bookstack',
  'wiki-js',
] as const

/** A source of an import. */
export type ImportSource = (typeof IMPORT_SOURCES)[number]

type Convert = (
  files: SourceFiles,
  name: string,
  chosen?: string,
) => ConvertedSource | Promise<ConvertedSource>

/** Sources that are not a repository of Markdown yet. */
const CONVERTERS: Partial<Record<ImportSource, Convert>> = {
  html: convertHtml,
  website: convertWebsite,
  docx: convertDocx,
  odt: convertOdt,
  confluence: convertConfluence,
  notion: convertNotion,
  'google-docs': convertGoogleDocs,
  'github-wiki': convertGithubWiki,
  docusaurus: convertDocusaurus,
  mkdocs: convertMkDocs,
  vitepress: convertVitePress,
  mdbook: convertMdBook,
  mintlify: convertMintlify,
  starlight: convertStarlight,
  nextra: convertNextra,
  hugo: convertHugo,
  jekyll: convertJekyll,
  docfx: convertDocFx,
  myst: convertMyst,
  sphinx: convertSphinx,
  outline: convertOutline,
  docmost: convertDocmost,
  bookstack: convertBookStack,
  'wiki-js': convertWikiJs,
}

/**
 * The repository that the files of a source become.
 * @param name the name of the file that was sent
 * @param tree the folder of one of several documentations of a project, as `projectTrees` has it
 * @throws ImportRefused if the source is not what it should be, or exceeds a limit
 */
export function convertSource(
  source: ImportSource,
  files: SourceFiles,
  name: string,
  tree?: string,
): ConvertedSource | Promise<ConvertedSource> {
  const convert = CONVERTERS[source]
  const chosen = tree?.slice(outerFolder(files).length)
  return convert ? convert(files, name, chosen) : { files: new Map(files), problems: [] }
}
