/** Addresses of pages of Hugo by the patterns in its settings: `permalinks`. */
import { isRecord } from '../../../data/is-record.ts'
import { folderOf } from '../../../text/file-paths.ts'
import { slugify } from '../../../text/slug.ts'
import type { Head } from '../addresses.ts'

/** A page whose address a pattern makes. */
interface PatternPage {
  /** The path of its file below the folder of the pages. */
  path: string
  /** The name of its file or bundle. */
  name: string
  head: Head
}

/** The patterns of settings by section: those for pages may be in a map of their own. */
export function permalinksIn(settings: Readonly<Record<string, unknown>>): Map<string, string> {
  const { permalinks } = settings
  if (!isRecord(permalinks)) return new Map()
  const all = { ...permalinks, ...(isRecord(permalinks.page) ? permalinks.page : {}) }
  return new Map(
    Object.entries(all).flatMap(([section, pattern]): [string, string][] =>
      typeof pattern === 'string' ? [[section, pattern]] : [],
    ),
  )
}

/** The address of a page by the pattern of its section; undefined without a pattern. */
export function permalinkOf(page: PatternPage, patterns: ReadonlyMap<string, string>): string | undefined {
  const [section = ''] = page.path.split('/', 1)
  const pattern = patterns.get(page.path.includes('/') ? section : '/')
  return pattern?.replace(/:(\w{1,40})/g, (written, name: string) => patternPart(name, page) ?? written)
}

function patternPart(name: string, { path, name: fileName, head }: PatternPage): string | undefined {
  const [year = '', month = '', day = ''] = dateParts(head.date)
  const title = typeof head.title === 'string' ? slugify(head.title) : fileName
  const slug = typeof head.slug === 'string' ? head.slug : undefined
  switch (name) {
    case 'year':
      return year
    case 'month':
      return month
    case 'day':
      return day
    case 'section':
      return path.split('/', 1)[0]
    case 'sections':
      return folderOf(path)
    case 'title':
      return title
    case 'slug':
      return slug ?? title
    case 'filename':
    case 'contentbasename':
      return fileName
    case 'slugorfilename':
    case 'slugorcontentbasename':
      return slug ?? fileName
    default:
      return undefined
  }
}

function dateParts(date: unknown): string[] {
  const text = date instanceof Date ? date.toISOString() : typeof date === 'string' ? date : ''
  return /^(\d{4})-(\d{2})-(\d{2})/.exec(text)?.slice(1) ?? []
}
