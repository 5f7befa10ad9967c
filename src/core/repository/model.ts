/** What is wrong with one file of a repository, or with one line of it; the rest is imported. */
export interface Problem {
  path: string
  message: string
}

/** A line of the table of contents, before any page is read. */
export type Entry = GroupEntry | PageEntry | LinkEntry | ComputedEntry

export interface GroupEntry {
  kind: 'group'
  title: string
  /** The custom slug: `## Group <a href="#slug" id="slug"></a>`. */
  anchor?: string
  children: Entry[]
}

export interface PageEntry {
  kind: 'page'
  title: string
  /** `[Title](page.md "Link title")` */
  linkTitle?: string
  /** Path as written, percent-decoded, without its anchor; absent for a line without a link, which is an empty page. */
  path?: string
  /** `[Title](page.md#anchor)` */
  anchor?: string
  /** The slug where the file's name does not give it. */
  slug?: string
  children: Entry[]
}

export interface LinkEntry {
  kind: 'link'
  title: string
  linkTitle?: string
  url: string
  children: Entry[]
}

export interface ComputedEntry {
  kind: 'computed'
  title: string
  /** The source as written: `type`, `props`, `dependencies`. */
  computed: Record<string, unknown>
}

/** What the plan needs to know of a page; the reader may return more, and the plan hands it on. */
export interface PageReading {
  /** From the leading heading, else from the front matter. */
  title?: string
  /** Every address that the page links to or shows, as written. */
  references: string[]
  /** Every path that the page includes, as written. */
  includes?: string[]
}

/** Reads one Markdown source. It is awaited, so that it may let other work run in between. */
export type ReadPage<R extends PageReading> = (source: string, path: string) => R | Promise<R>

export type PlannedPage<R extends PageReading> =
  | PlannedDocument<R>
  | PlannedGroup<R>
  | PlannedLink
  | PlannedComputed

export interface PlannedDocument<R extends PageReading> {
  kind: 'document'
  title: string
  /** Shown in the table of contents in place of the title. */
  linkTitle?: string
  /** Unique among its siblings, lower case. */
  slug: string
  /** The slugs of its ancestors, groups included, and its own. */
  path: string
  /** Path in the repository; absent for a page that has no file. */
  file?: string
  source: string
  reading: R
  children: PlannedPage<R>[]
}

export interface PlannedGroup<R extends PageReading> {
  kind: 'group'
  title: string
  slug: string
  path: string
  children: PlannedPage<R>[]
}

export interface PlannedLink {
  kind: 'link'
  title: string
  /** `file` is the path of a document or of a file of the same plan. */
  target: { url: string } | { file: string; anchor?: string }
}

export interface PlannedComputed {
  kind: 'computed'
  title: string
  computed: Record<string, unknown>
}

export interface PlannedFile {
  path: string
  name: string
  contentType: string
  bytes: Uint8Array
}

export interface PlannedReusable<R extends PageReading> {
  path: string
  title: string
  source: string
  reading: R
}

/** `from` is a path of the published site without its leading slash; `file` the path of a planned document. */
export interface PlannedRedirect {
  from: string
  target: { url: string } | { file: string; anchor?: string }
}

/** Everything an import writes, decided before anything is written. */
export interface ImportPlan<R extends PageReading> {
  /** The folder that `.gitbook.yaml` names as root; empty for the repository itself. */
  root: string
  /** Where the tree comes from. */
  tree: 'summary' | 'folders'
  pages: PlannedPage<R>[]
  files: PlannedFile[]
  reusableContents: PlannedReusable<R>[]
  variables: Record<string, string | number | boolean>
  redirects: PlannedRedirect[]
  problems: Problem[]
  /** Markdown files that the table of contents does not list; they are not imported. */
  leftOut: string[]
  /** Pages, files and reusable contents that the repository names, whether or not it holds them. */
  totalResources: number
  /** Those of them that are there. */
  importedResources: number
}

/** The bounds of CONTENT.md that concern a repository. */
export const repositoryLimits = {
  documentBytes: 5 * 1024 * 1024,
  depth: 32,
  pages: 50_000,
  configurationBytes: 1024 * 1024,
}
