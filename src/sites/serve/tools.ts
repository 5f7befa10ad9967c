import type { Reader } from '../../db/schema.ts'
import type { ReadFileSpec } from '../../model/openapi/file-specs.ts'
import type { Urls } from '../../http/urls.ts'
import type { Highlighter } from '../../highlight/highlight.ts'

/** The services that composing a page uses. */
export interface Tools {
  db: Reader
  urls: Urls
  highlighter: Highlighter
  /** Reads specifications that spaces have as files. */
  readFile?: ReadFileSpec
  /** Whether events of visitors are stored. */
  countsVisits?: boolean
}
