/** Projects of DocFX. */
import { because } from '../../../languages/reasons.ts'
import { append } from '../../../data/lists.ts'
import { isRecord } from '../../../data/is-record.ts'
import { decodeText } from '../../../repository/decode-text.ts'
import type { Problem } from '../../../repository/model.ts'
import {
  folderOf,
  isBelow,
  isLeftAlone,
  isWebAddress,
  joinPath,
  lastSegment,
  titleOfName,
  pathBelow,
} from '../../../text/file-paths.ts'
import { onOneLine } from '../../../text/trimming.ts'
import { schemeOf } from '../../address-book.ts'
import { type ConvertedSource, type SourceFiles, withoutSingleFolder } from '../../converted.ts'
import { readModule } from '../../literals.ts'
import { mapAddressesIn } from '../../markdown/dialect.ts'
import { NotUnderstood } from '../../markdown/not-understood.ts'
import type { IncludedFiles } from '../../markdown/snippets.ts'
import type { ListedPage } from '../../page-list.ts'
import { type Head, headLines, pageSource, readHead } from '../addresses.ts'
import { patternBelow, pathMatcher } from '../globs.ts'
import { hidePages, unlistedPages } from '../hidden-pages.ts'
import { listedPage, settingsText } from '../mdx-project.ts'
import {
  addressFromTop,
  bareName,
  convertProject,
  inFolder,
  isProjectPage,
  pageTitleIn,
  settingsFolder,
} from '../project.ts'
import { docFxTree, isDocFxContents } from './contents.ts'
import type { DocFxLinks } from './inline.ts'
import { docFxLines } from './markdown.ts'

/** A page of a project. */
interface DocFxFile {
  head: Head
  /** Its address on the site, without the slash before it. */
  address: string
  title: string
}

/** Converts a project of DocFX, in the order of its tables of contents. */
export function convertDocFx(source: SourceFiles): ConvertedSource {
  const files = withoutSingleFolder(source)
  const folder = projectFolder(files)
  const problems: Problem[] = []
  const settings = docFxSettings(files, folder, problems)
  const named = filesOfContent(files, folder, settings.content)
  // Projects of classes alone have other Markdown, which is better than nothing.
  const all = named.size > 0 ? named : filesOfContent(files, '', [])
  const redirects = redirectsOf(files, folder, all)
  const pages = new Map([...all].filter(([, { head }]) => typeof head.redirect_url !== 'string'))
  const root = [...pages.keys()].every((path) => isBelow(path, folder)) ? folder : ''
  const uids = new Map(
    [...pages].flatMap(([path, { head }]) =>
      typeof head.uid === 'string' ? [[head.uid, path] as const] : [],
    ),
  )
  const listed = docFxTree({ files, root: folder, uids, problems })
  const tree = withFrontPage(files, folder, pages, listed)
  const hidden = listed.length > 0 ? unlistedPages(files, tree, pages.keys()) : []
  const alerts = new Set(Object.keys(settings.alerts).map((one) => one.toUpperCase()))
  const converted = convertProject(files, 'docfx', {
    root,
    shared: [folder],
    snippets: [folder],
    isPage: (path) => pages.has(path),
    // Without a table of contents, the folders are the tree.
    ...(listed.length > 0 ? { tree: [...tree, ...hidden] } : {}),
    title: settings.title,
    body(text, included, { path, line }) {
      const unknown = new NotUnderstood()
      const links = linksOf(pages, uids, included)
      const lines = docFxLines(text, { links, files: included, alerts, unknown }, line)
      append(problems, unknown.problems(path))
      return lines
    },
    addressOf: (path) => pages.get(path)?.address,
    redirects,
  })
  hidePages(converted, hidden)
  append(converted.problems, problems)
  return converted
}

/** The folder of `docfx.json`, or else of the table of contents that is nearest to the top. */
const projectFolder = (files: SourceFiles): string =>
  settingsFolder(files, /^docfx\.json$/) ?? settingsFolder(files, /^toc\.(?:ya?ml|md)$/i) ?? ''

interface DocFxSettings {
  title?: string
  content: unknown[]
  alerts: Record<string, unknown>
}

/** Reads `docfx.json`, which may have comments. */
function docFxSettings(files: SourceFiles, folder: string, problems: Problem[]): DocFxSettings {
  const path = inFolder(folder, 'docfx.json')
  const text = settingsText(files, path)
  const value = text === undefined ? {} : readModule(`export default ${text}`)
  if (!isRecord(value)) problems.push({ kind: 'setting', path, ...because('json-invalid') })
  const build = isRecord(value) && isRecord(value.build) ? value.build : {}
  const metadata = isRecord(build.globalMetadata) ? build.globalMetadata : {}
  const engine = isRecord(build.markdownEngineProperties) ? build.markdownEngineProperties : {}
  const title = [metadata._appTitle, metadata._appName].find((one) => typeof one === 'string' && one !== '')
  return {
    ...(typeof title === 'string' ? { title } : {}),
    content: [build.content ?? []].flat(),
    alerts: isRecord(engine.alerts) ? engine.alerts : {},
  }
}

/** A group of files in `build.content`. */
interface ContentGroup {
  source: string
  target: string
  has(path: string): boolean
}

/** The pages that the settings name; all Markdown of the folder if they name none. */
function filesOfContent(files: SourceFiles, folder: string, content: unknown[]): Map<string, DocFxFile> {
  const groups = content.flatMap((one) => groupOf(one, folder))
  const everything = { source: folder, target: '', has: (path: string) => isBelow(path, folder) }
  const pages = new Map<string, DocFxFile>()
  for (const [path, bytes] of files) {
    if (!isProjectPage(path) || isLeftAlone(path) || isDocFxContents(path) || /(?:^|\/)_site\//.test(path))
      continue
    const group = (groups.length === 0 ? [everything] : groups).find(({ has }) => has(path))
    if (!group) continue
    const text = pageSource(bytes) ?? ''
    const below = isBelow(path, group.source) ? pathBelow(path, group.source) : path
    pages.set(path, {
      head: readHead(headLines(text)),
      address: inFolder(group.target, below.replace(/\.\w+$/, '.html')),
      title: pageTitleIn(text) ?? titleOfName(bareName(path)),
    })
  }
  return pages
}

function groupOf(group: unknown, folder: string): ContentGroup[] {
  if (typeof group === 'string') return groupOf({ files: [group] }, folder)
  if (!isRecord(group)) return []
  const texts = (value: unknown) => [value ?? []].flat().filter((one) => typeof one === 'string')
  const source = joinPath(folder, texts(group.src ?? group.cwd)[0] ?? '')
  if (source === undefined) return []
  const below = (pattern: string) => patternBelow(source, pattern) ?? []
  const isNamed = pathMatcher(texts(group.files ?? '**').flatMap(below))
  const isExcluded = pathMatcher(texts(group.exclude).flatMap(below))
  return [
    {
      source,
      target: joinPath('', texts(group.dest)[0] ?? '') ?? '',
      has: (path) => isNamed(path) && !isExcluded(path),
    },
  ]
}

/** The front page, which is at the top even if no table of contents lists it. */
function withFrontPage(
  files: SourceFiles,
  folder: string,
  pages: ReadonlyMap<string, DocFxFile>,
  tree: ListedPage[],
): ListedPage[] {
  const front = ['index.md', 'Index.md', 'README.md']
    .map((name) => inFolder(folder, name))
    .find((one) => pages.has(one))
  const isListed = (list: readonly ListedPage[]): boolean =>
    list.some(({ file, children }) => file === front || isListed(children))
  return front === undefined || isListed(tree) ? tree : [listedPage(files, front), ...tree]
}

/** The most characters that one page includes within its lines. */
const MOST_INCLUDED = 500_000

function linksOf(
  pages: ReadonlyMap<string, DocFxFile>,
  uids: ReadonlyMap<string, string>,
  files: IncludedFiles,
): DocFxLinks {
  let left = MOST_INCLUDED
  return {
    page(uid) {
      const path = uids.get(uid)
      const page = path === undefined ? undefined : pages.get(path)
      return path === undefined || !page ? undefined : { address: addressFromTop(path), title: page.title }
    },
    inRoot: (path) => `/${path.replaceAll('\\', '/')}`,
    included(address) {
      const path = files.find(address.replace(/^~[\\/]/, '/'))
      const whole = path === undefined ? undefined : files.text(path)?.replace(/\r\n?/g, '\n')
      if (path === undefined || whole === undefined || whole.length > left) return undefined
      left -= whole.length
      // Addresses in the file are relative to it.
      const rebase = (one: string) => {
        const found = /^[/#~]/.test(one) || schemeOf(one) ? undefined : joinPath(folderOf(path), one)
        return found === undefined ? one : `/${found}`
      }
      return mapAddressesIn(onOneLine(whole.slice(headLines(whole).length).trim()), rebase)
    },
  }
}

/** The most characters of the target of a redirect. */
const LONGEST_TARGET = 2000

/** The redirects of pages with `redirect_url`, and those of `.openpublishing.redirection.json`. */
function redirectsOf(
  files: SourceFiles,
  folder: string,
  pages: ReadonlyMap<string, DocFxFile>,
): Map<string, string> {
  const redirects = new Map<string, string>()
  const known = new Map([...pages].map(([path, { address }]) => [address.toLowerCase(), path]))
  const targetOfRedirect = (written: string, from: string) => {
    if (isWebAddress(written) || written.length > LONGEST_TARGET) return written
    const bare = written.replace(/^~[\\/]/, '/').replace(/[?#].*$/s, '')
    const beside = joinPath(bare.startsWith('/') ? folder : folderOf(from), bare)
    if (beside !== undefined && pages.has(beside)) return beside
    // The address has the path of the site before that of the page.
    const segments = bare
      .replace(/\.\w{2,5}$/, '')
      .split('/')
      .filter(Boolean)
    for (let at = 0; at < segments.length; at += 1) {
      const path = known.get(`${segments.slice(at).join('/')}.html`.toLowerCase())
      if (path !== undefined) return path
    }
    return written
  }
  for (const [path, { head, address }] of pages)
    if (typeof head.redirect_url === 'string')
      redirects.set(address, targetOfRedirect(head.redirect_url, path))
  for (const [path, bytes] of files) {
    if (!/^\.openpublishing\.redirection.{0,100}\.json$/.test(lastSegment(path))) continue
    for (const { from, to } of publishedRedirects(decodeText(bytes) ?? '')) {
      const old = joinPath(folderOf(path), from)
      if (old === undefined) continue
      const inProject = isBelow(old, folder) ? pathBelow(old, folder) : old
      const target = targetOfRedirect(to, old)
      for (const ending of ['.html', '']) redirects.set(inProject.replace(/\.\w+$/, ending), target)
    }
  }
  return redirects
}

function publishedRedirects(text: string): { from: string; to: string }[] {
  const value = readModule(`export default ${text}`)
  const list = isRecord(value) && Array.isArray(value.redirections) ? value.redirections.filter(isRecord) : []
  return list.flatMap((one) => {
    const from = one.source_path_from_root ?? one.source_path
    const to = one.redirect_url
    return typeof from === 'string' && typeof to === 'string' ? [{ from: from.replace(/^\/+/, ''), to }] : []
  })
}
