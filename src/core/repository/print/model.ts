import type { FileRecord, ReusableRecord, Variables } from '../../content/revision.ts'
import type { PageTree } from '../../content/tree/tree.ts'

/** The content of a revision without its bodies. */
export interface PrintableContent {
  readonly pages: PageTree
  readonly files: ReadonlyMap<string, FileRecord>
  readonly reusables: ReadonlyMap<string, ReusableRecord>
  readonly variables: Variables
  /** Old paths of the site, each with its target: a URL, or the path of a page in the repository. */
  readonly redirects: Readonly<Record<string, string>>
}

/** Where a repository has its settings and its table of contents. */
export interface RepositoryLayout {
  /** The folder of `.gitbook.yaml`; empty for the top. */
  readonly folder: string
  /** The folder that `.gitbook.yaml` names as root. */
  readonly root: string
  /** The path of the table of contents. */
  readonly summary: string
}

/** A content whose records have repository paths. */
export interface PlacedContent extends PrintableContent {
  readonly layout: RepositoryLayout
  /** The content before: its pages, files and reusable contents may have no path. */
  readonly before: PrintableContent
  /** The ids of the records that had no path, by the path that they have now. */
  readonly fresh: ReadonlyMap<string, string>
}
