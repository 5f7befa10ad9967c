import { LIMITS } from '../content/limits.ts'
import type { UnshownPart } from '../document/shown/unshown.ts'
import type { Reasoned, WithReason } from '../languages/reasoned.ts'

/** The kinds of problems of an import. */
export const PROBLEM_KINDS = [
  /** The table of contents lists a page that does not exist. */
  'missing-page',
  /** A page refers to a picture or another file that does not exist. */
  'missing-file',
  /** The table of contents lists a page again, which becomes a link. */
  'repeated-page',
  /** No table of contents lists the Markdown file. */
  'unlisted-page',
  /** A file of MDX, which is not Markdown. */
  'mdx',
  /** A condition hides more than its author may have meant. */
  'condition',
  /** The page is shown as its source. */
  'unreadable',
  /** A part of the page is not shown, or only as its source. */
  'block',
  /** A page shows pictures from other servers, which are not imported. */
  'outside-picture',
  /** No page uses the file, which is kept. */
  'unused-file',
  'setting',
  'redirect',
  /** Anything else that another format than Markdown loses. */
  'conversion',
] as const

/** A kind of problem. */
export type ProblemKind = (typeof PROBLEM_KINDS)[number]

/** A fault in one file of a repository or in one line of it. The rest of the repository is imported. */
export interface Problem extends WithReason {
  path: string
  /** Without it, the problem is one of the conversion from another format. */
  kind?: ProblemKind
  /** The line of the file, from 1. */
  line?: number
  /** The address that the problem is about, as it is written. */
  address?: string
}

/** An entry of the table of contents, before its page is read. */
export type Entry = GroupEntry | PageEntry | LinkEntry | ComputedEntry

/** The lines of an entry in the file of the table of contents, from 0; `end` is the line after the last one. */
export interface EntryLines {
  start: number
  end: number
}

export interface GroupEntry {
  kind: 'group'
  title: string
  /** A custom slug: `## Group <a href="#slug" id="slug"></a>`. */
  anchor?: string
  children: Entry[]
}

export interface PageEntry {
  kind: 'page'
  title: string
  /** `[Title](page.md "Link title")` */
  linkTitle?: string
  /** Path as written, percent-decoded, without its anchor. Absent for a line without a link, which is an empty page. */
  path?: string
  /** The path of its file, if nothing has to look for it: that of a part of a long page. */
  file?: string
  /** `[Title](page.md#anchor)`. Empty for `[Title](page.md#)`, a link to a page that is listed elsewhere. */
  anchor?: string
  /** Overrides the slug that comes from the file name. */
  slug?: string
  /** Whether no navigation shows the page. */
  isHidden?: boolean
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

/** The facts about a page that the plan needs. The reader may return more, which the plan passes on. */
export interface PageReading {
  /** From the leading heading, or else from the front matter. */
  title?: string
  /** Every address that the page links to or embeds, as written. */
  references: string[]
  /** The first line of each address. */
  lines?: ReadonlyMap<string, number>
  /** The addresses of pictures that the page shows from other servers, each once. */
  outside?: string[]
  /** Every path that the page includes, as written. */
  includes?: string[]
  /** The parts of the page that are not shown. */
  unshown?: UnshownPart[]
  /** The reason if the body is not readable as Markdown. The page then shows its source. */
  unreadable?: Reasoned
  /** The limit that the page exceeds. It is then shown as its source, or its title is cut. */
  excess?: Reasoned
}

/** Reads one Markdown source. May be asynchronous, so that a long import can yield to other work. */
export type ReadPage<R extends PageReading> = (source: string, path: string) => R | Promise<R>

export type PlannedPage<R extends PageReading> =
  | PlannedDocument<R>
  | PlannedGroup<R>
  | PlannedLink
  | PlannedComputed

export interface PlannedDocument<R extends PageReading> {
  kind: 'document'
  title: string
  /** Shown in the table of contents instead of the title. */
  linkTitle?: string
  /** Unique among its siblings, lower case. */
  slug: string
  /** Its own slug after the slugs of its ancestors, including groups. */
  path: string
  /** Path in the repository; absent for a page that has no file. */
  file?: string
  /** Whether no navigation shows the page. Its front matter may say so too. */
  isHidden?: boolean
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
  /** `file` is the path of a document or file of the same plan. */
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

/** `from` is a path of the published site without a leading slash. `file` is the path of a planned document. */
export interface PlannedRedirect {
  from: string
  target: { url: string } | { file: string; anchor?: string }
}

/** The content that an import writes, and its report. The plan is complete before the first write. */
export interface ImportPlan<R extends PageReading> {
  /** The folder that `.gitbook.yaml` names as root. Empty for the root of the repository. */
  root: string
  /** The source of the page tree. */
  tree: 'summary' | 'folders'
  /** The file of the table of contents, or the folder that it was generated from. */
  contents: string
  pages: PlannedPage<R>[]
  /** The lines of the pages in `SUMMARY.md`. Empty if the page tree comes from the folders. */
  lines: ReadonlyMap<PlannedPage<R>, EntryLines>
  files: PlannedFile[]
  reusableContents: PlannedReusable<R>[]
  variables: Record<string, string | number | boolean>
  redirects: PlannedRedirect[]
  problems: Problem[]
  /** Markdown files that the table of contents does not list. They are not imported. */
  leftOut: string[]
  /** The number of pages, files and reusable contents that the repository refers to, including missing ones. */
  totalResources: number
  /** The number of them that exist. */
  importedResources: number
}

/** The limits of a repository: the limits of content, and a limit for its settings. */
export const repositoryLimits = {
  /** Of the table of contents. */
  contentsBytes: 5_000_000,
  depth: LIMITS.treeDepth,
  pages: LIMITS.pages,
  configurationBytes: 1_000_000,
}
