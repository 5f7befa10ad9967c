/** Links between pages, files and reusable contents: from an address as written to what it means. */
import type { ContentRef } from './document/model.ts'

/** What relative addresses are looked up in. */
export interface Targets {
  pageByFile(path: string): string | undefined
  fileByPath(path: string): string | undefined
  reusableByPath(path: string): string | undefined
  /** A page by its path in the tree. */
  pageByPath(path: string): string | undefined
  /** A page by a path that it had in the tree, and that no page has now. */
  pageByOldPath?(path: string): string | undefined
}

const ABSOLUTE = /^([a-z][a-z0-9+.-]*:|\/\/)/i

/**
 * What a reference means, seen from a repository file. What cannot be found stays a relative `url`, which is how a
 * broken link is recognized.
 * @param from path in the repository of the page the reference stands in; absent if it has none
 */
export function resolveReference(ref: ContentRef, from: string | undefined, targets: Targets): ContentRef {
  if (ref.kind !== 'url' || ABSOLUTE.test(ref.url)) return ref

  const [address, anchor] = cut(ref.url, '#')
  if (address === '') return anchor ? { kind: 'anchor', anchor: decode(anchor) } : ref

  const path = repositoryPath(decode(cut(address, '?')[0]), from)
  if (path === undefined) return ref
  const toPage = (page: string): ContentRef =>
    anchor ? { kind: 'anchor', anchor: decode(anchor), page } : { kind: 'page', page }
  const isNamed = address.startsWith(PAGES)
  const page = findPage(path, targets) ?? (isNamed ? findNamed(path, targets) : undefined)
  if (page) return toPage(page)
  const reusableContent = targets.reusableByPath(path)
  if (reusableContent) return { kind: 'reusable-content', reusableContent }
  const file = targets.fileByPath(path)
  if (file) return { kind: 'file', file }
  const moved = findMoved(isNamed ? path.slice(PAGES.length - 1) : path, targets)
  return moved ? toPage(moved) : ref
}

/** True for a reference that resolving could not find: it leads nowhere. */
export function isBroken(ref: ContentRef): boolean {
  return ref.kind === 'url' && !ABSOLUTE.test(ref.url) && !ref.url.startsWith('#')
}

/** A relative address as a path from the top of the repository; undefined if it leaves it. */
export function repositoryPath(address: string, from: string | undefined): string | undefined {
  const parts = address.startsWith('/') || from === undefined ? [] : from.split('/').slice(0, -1)
  for (const part of address.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

const FOLDER_PAGE = /\/(?:readme|_?index)\.md$/i
const FOLDER_PAGES = ['README.md', 'index.md', '_index.md']

function findPage(path: string, targets: Targets): string | undefined {
  const folder = path === '' ? '' : `${path}/`
  const candidates = [path, `${path}.md`, ...FOLDER_PAGES.map((name) => folder + name)]
  for (const candidate of candidates) {
    const page = targets.pageByFile(candidate)
    if (page) return page
  }
  return targets.pageByPath(path) ?? folderPage(path, targets)
}

/** Whatever has the path now comes before the page that had it. */
function findMoved(path: string, targets: Targets): string | undefined {
  return targets.pageByOldPath?.(path) ?? targets.pageByOldPath?.(path.replace(FOLDER_PAGE, ''))
}

/** The page of a folder by its place in the tree: a page that has pages is called `guide/README.md` as often as `guide.md`. */
function folderPage(path: string, targets: Targets): string | undefined {
  const folder = path.replace(FOLDER_PAGE, '')
  return folder === path ? undefined : targets.pageByPath(folder)
}

/** What stands before a page's path where an address means a page and not a file. */
const PAGES = '/pages/'

/** A page by its path in the tree: `/pages/guide/setup`, `/pages/guide/setup.md`, `/pages/guide/README.md`. */
function findNamed(path: string, targets: Targets): string | undefined {
  const named = path.slice(PAGES.length - 1)
  return targets.pageByPath(named) ?? findPage(named, targets)
}

function cut(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A stray percent sign is a character of the name.
    return text
  }
}
