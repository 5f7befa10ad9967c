/** Books of mdBook. */
import { because } from '../../languages/reasons.ts'
import { append } from '../../data/lists.ts'
import { isRecord } from '../../data/is-record.ts'
import { decodeText } from '../../repository/decode-text.ts'
import type { Entry, Problem } from '../../repository/model.ts'
import { parseSummary } from '../../repository/contents/summary.ts'
import { folderOf, isAbsoluteAddress, joinPath, pathBelow } from '../../text/file-paths.ts'
import { withoutComments } from '../../text/html-comments.ts'
import { type ConvertedSource, type SourceFiles, withoutSingleFolder } from '../converted.ts'
import { blockOf } from '../markdown/admonitions.ts'
import { dialectLines, type DialectLine } from '../markdown/dialect.ts'
import { type Fence, fencesIn, printFences } from '../markdown/fences.ts'
import { withoutHeadingClasses } from '../markdown/heading-ids.ts'
import { NotUnderstood } from '../markdown/not-understood.ts'
import type { ListedPage } from '../page-list.ts'
import { bareAddress } from './addresses.ts'
import { BookIncludes } from './mdbook-includes.ts'
import { convertProject, inFolder, settingsFolder } from './project.ts'
import { readSettingsFile } from './settings-file.ts'

/** Converts a book of mdBook, in the order of its `SUMMARY.md`. */
export function convertMdBook(source: SourceFiles): ConvertedSource {
  const files = withoutSingleFolder(source)
  const folder = settingsFolder(files, /^book\.toml$/) ?? ''
  const problems: Problem[] = []
  const settings = readSettingsFile(files, inFolder(folder, 'book.toml'), problems)
  const named = isRecord(settings.book) ? settings.book.src : undefined
  const root = joinPath(folder, typeof named === 'string' ? named : 'src') ?? folder
  const contents = inFolder(root, 'SUMMARY.md')
  const summary = parseSummary(bulletedContents(decodeText(files.get(contents) ?? new Uint8Array()) ?? ''))
  // The lines of the book are not those of what was read.
  for (const { line: _, ...problem } of summary.problems)
    if (problem.kind === 'condition') problems.push({ path: contents, ...problem })
  const includes = new BookIncludes(files)
  const output = isRecord(settings.output) && isRecord(settings.output.html) ? settings.output.html : {}
  const converted = convertProject(files, 'mdbook', {
    root,
    shared: [],
    snippets: [],
    tree: contentsTree(summary.entries, root, files, problems),
    addressOf: (path) =>
      pathBelow(path, root)
        .replace(/\.\w+$/, '.html')
        .replace(/(?<=^|\/)readme\.html$/i, 'index.html'),
    site: typeof output['site-url'] === 'string' ? bareAddress(output['site-url']) : '',
    redirects: bookRedirects(output.redirect),
    body(text, _, { path, line }) {
      const unknown = new NotUnderstood()
      const whole = includes.expand(text, path, line, unknown)
      append(problems, unknown.problems(path))
      return bookLines(whole)
    },
  })
  append(converted.problems, problems)
  return converted
}

/** The redirects of `[output.html.redirect]`. A target is relative to the old address, unless it begins with `/`. */
function bookRedirects(redirect: unknown): Map<string, string> {
  const redirects = new Map<string, string>()
  for (const [from, to] of Object.entries(isRecord(redirect) ? redirect : {})) {
    if (typeof to !== 'string') continue
    const isRelative = !to.startsWith('/') && !isAbsoluteAddress(to)
    const target = isRelative ? joinPath(folderOf(bareAddress(from)), to) : to
    redirects.set(from, target ?? to)
  }
  return redirects
}

/** A table of contents whose chapters before and after the numbered ones, which have no bullet, have one as well. */
function bulletedContents(source: string): string {
  return withoutComments(source)
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => (/^ {0,3}\[.{0,1000}\]\(/.test(line) ? `---\n* ${line.trim()}` : line))
    .join('\n')
}

function contentsTree(
  entries: readonly Entry[],
  root: string,
  files: SourceFiles,
  problems: Problem[],
): ListedPage[] {
  return entries.flatMap((entry): ListedPage[] => {
    if (entry.kind === 'computed' || entry.kind === 'link') return []
    const { title } = entry
    const children = contentsTree(entry.children, root, files, problems)
    if (entry.kind === 'group') return [{ title, children, isGroup: true }]
    const file = entry.path === undefined ? undefined : joinPath(root, entry.path)
    if (file !== undefined && files.has(file)) return [{ title, file, children }]
    if (entry.path !== undefined) {
      problems.push({
        kind: 'missing-page',
        path: inFolder(root, 'SUMMARY.md'),
        address: entry.path,
        ...because('entry-empty', { name: entry.path }),
      })
    }
    return [{ title, children }]
  })
}

function bookLines(text: string): DialectLine[] {
  const parts = fencesIn(dialectLines(text)).flatMap((part): (DialectLine | Fence)[] =>
    'code' in part ? (admonishLines(part) ?? [bookFence(part)]) : [part],
  )
  return printFences(parts).map((line) =>
    line.isCode ? line : { ...line, text: withoutHeadingClasses(line.text) },
  )
}

/** ```` ```rust,ignore ```` with its hidden lines left out. */
function bookFence(fence: Fence): Fence {
  const [language = '', ...options] = fence.info.split(/[,\s]{1,9}/)
  const prefix = options.find((one) => one.startsWith('hidelines='))?.slice('hidelines='.length)
  const code = fence.code.flatMap((line) => {
    if (prefix !== undefined && prefix !== '') return line.trimStart().startsWith(prefix) ? [] : [line]
    return language === 'rust' ? shownRust(line) : [line]
  })
  return { ...fence, info: language.replace(/\{.{0,200}$/, ''), code }
}

/** A line of Rust as mdBook shows it: `# ` hides it, and `##` is a sign. */
function shownRust(line: string): string[] {
  const [, indent = '', next, rest = ''] = /^([\s>]{0,200})#(.?)(.*)$/s.exec(line) ?? []
  if (next === undefined) return [line]
  if (next === '#') return [`${indent}#${rest}`]
  return next === '' || next === ' ' ? [] : [line]
}

/** A block of the preprocessor mdbook-admonish: ```` ```admonish warning "Title" ````. */
function admonishLines({ info, code }: Fence): DialectLine[] | undefined {
  const [, kind = '', rest = ''] = /^admonish(?:[ \t]{1,9}([\w-]{1,30}))?(.{0,500})$/.exec(info) ?? []
  if (!/^admonish\b/.test(info)) return undefined
  const title = /"([^"]{0,300})"|'([^']{0,300})'/.exec(rest)?.slice(1).find(Boolean) ?? ''
  const { start, end } = blockOf(kind || 'note', title) ??
    blockOf('note', title || kind) ?? { start: [], end: [] }
  return dialectLines([...start, ...code, ...end].join('\n'))
}
