/** Resolves links between pages, files and reusable contents: from an address as written to its target. */
import type { ContentRef } from '../document/model.ts'

/** The lookups that resolve relative addresses. */
export interface Targets {
  pageByFile(path: string): string | undefined
  fileByPath(path: string): string | undefined
  reusableByPath(path: string): string | undefined
  /** A page by its path in the tree. */
  pageByPath(path: string): string | undefined
  /** Finds a page by a former path in the tree that no page has now. */
  pageByOldPath?(path: string): string | undefined
}

const ABSOLUTE = /^([a-z][a-z0-9+.-]*:|\/\/)/i

/**
 * Resolves a reference as seen from a repository file. If no target is found, the reference stays a relative `url`,
 * which marks it as broken.
 * @param from the repository path of the page that holds the reference; absent if it has none
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
  if (moved) return toPage(moved)
  return findBelowRoot(path, { from, isAbsolute: address.startsWith('/') }, { targets, toPage }) ?? ref
}

/** The most folders above a page that may be the root of its documentation. */
const MOST_ROOTS = 8

/**
 * Finds a target in documentation that has a root of its own, such as a folder of a monorepo. The root is one of the
 * folders above the page. A leading slash means the root, and paths in the page tree do not have it.
 */
function findBelowRoot(
  path: string,
  { from, isAbsolute }: { from: string | undefined; isAbsolute: boolean },
  { targets, toPage }: { targets: Targets; toPage: (page: string) => ContentRef },
): ContentRef | undefined {
  const folders = from?.split('/').slice(0, -1).slice(0, MOST_ROOTS) ?? []
  let root = ''
  for (const folder of folders) {
    root += `${folder}/`
    const inTree = path.startsWith(root) ? targets.pageByPath(path.slice(root.length)) : undefined
    const page = inTree ?? (isAbsolute ? findPage(root + path, targets) : undefined)
    if (page) return toPage(page)
    if (!isAbsolute) continue
    const reusableContent = targets.reusableByPath(root + path)
    if (reusableContent) return { kind: 'reusable-content', reusableContent }
    const file = targets.fileByPath(root + path)
    if (file) return { kind: 'file', file }
  }
  return undefined
}

/** True for a reference that resolving found no target for. */
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

/** A page or file with the path now takes precedence over a page that had it before. */
function findMoved(path: string, targets: Targets): string | undefined {
  return targets.pageByOldPath?.(path) ?? targets.pageByOldPath?.(path.replace(FOLDER_PAGE, ''))
}

/**
 * Finds the page of a folder by its path in the tree: authors write `guide/README.md` as often as `guide.md` for a page
 * that has subpages.
 */
function folderPage(path: string, targets: Targets): string | undefined {
  const folder = path.replace(FOLDER_PAGE, '')
  return folder === path ? undefined : targets.pageByPath(folder)
}

/** The prefix of an address that names a page by its path, not a file. */
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
    // A stray percent sign is part of the name.
    return text
  }
}
