import { isMarkdown, decodeAddress, folderOf, joinPath } from '../text/file-paths.ts'
import { importedAnchor } from './anchor.ts'

/** Where the pages and files of a source are in the repository that it becomes. */
export interface AddressBook {
  /** New paths by the paths in the source. A page or file that is not in it is not imported. */
  paths: ReadonlyMap<string, string>
}

/** Schemes that a link may have. Other addresses, such as `javascript:`, lose their link. */
const SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:', 'ftp:', 'sms:', 'irc:', 'xmpp:', 'geo:'])

/** An address without what browsers ignore in it. */
export function cleanAddress(address: string): string {
  // oxlint-disable-next-line no-control-regex -- browsers ignore these, so `java\nscript:` is a scheme
  return address.replace(/[\u0000-\u001f\u007f]/g, '').trim()
}

/** The scheme of an absolute address, in lower case; undefined for a relative one. */
export function schemeOf(address: string): string | undefined {
  return /^([a-z][a-z0-9+.-]*:)/i.exec(address)?.[1]?.toLowerCase()
}

/**
 * The address to write for a link in a page of a source.
 * @param from the path of the page in the source
 * @returns undefined for an address that may not be a link
 */
export function linkAddress(book: AddressBook, from: string, written: string): string | undefined {
  const address = cleanAddress(written)
  if (address === '') return undefined
  const scheme = schemeOf(address)
  if (scheme !== undefined) return SCHEMES.has(scheme) ? address : undefined
  if (address.startsWith('//')) return `https:${address}`
  if (address.startsWith('#')) return address === '#' ? undefined : `#${importedAnchor(address.slice(1))}`

  const hash = address.indexOf('#')
  const anchor = hash === -1 ? '' : address.slice(hash + 1)
  const target = bookTarget(book, from, hash === -1 ? address : address.slice(0, hash))
  if (target === undefined) return address
  const suffix = anchor === '' ? '' : `#${isMarkdown(target) ? importedAnchor(anchor) : anchor}`
  return `${relativeAddress(book.paths.get(from) ?? from, target)}${suffix}`
}

/** The address to write for an image in a page of a source; undefined if it is left out. */
export function imageAddressIn(book: AddressBook, from: string, written: string): string | undefined {
  const address = cleanAddress(written)
  if (address === '') return undefined
  const scheme = schemeOf(address)
  if (scheme !== undefined) return scheme === 'http:' || scheme === 'https:' ? address : undefined
  if (address.startsWith('//')) return `https:${address}`
  const target = bookTarget(book, from, address)
  return target === undefined ? address : relativeAddress(book.paths.get(from) ?? from, target)
}

/** The new path of what an address refers to; undefined if it is not in the source. */
export function bookTarget({ paths }: AddressBook, from: string, address: string): string | undefined {
  const bare = address.replace(/[?#].*$/s, '')
  for (const form of new Set([decodeAddress(bare), bare])) {
    const path = joinPath(form.startsWith('/') ? '' : folderOf(from), form.normalize('NFC'))
    if (path === undefined) continue
    for (const one of candidates(path)) {
      const found = paths.get(one)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** The paths of files that an address can stand for: servers leave out extensions and the names of index files. */
function candidates(path: string): string[] {
  const folder = path === '' ? '' : `${path}/`
  const indexes = ['index.html', 'index.htm', 'index.xhtml', 'README.md', 'index.md', '_index.md'].map(
    (name) => folder + name,
  )
  return path === ''
    ? indexes
    : [path, `${path}.html`, `${path}.htm`, `${path}.md`, `${path}.mdx`, ...indexes]
}

/** The address of a path in another file, relative and encoded. */
export function relativeAddress(from: string, to: string): string {
  const folder = folderOf(from) === '' ? [] : folderOf(from).split('/')
  const parts = to.split('/')
  let shared = 0
  while (shared < folder.length && shared < parts.length - 1 && folder[shared] === parts[shared]) shared += 1
  const up = folder.slice(shared).map(() => '..')
  return [...up, ...parts.slice(shared).map(encodeSegment)].join('/')
}

/** Encodes what would end an address in Markdown or mean something else in it; letters of every script stay. */
function encodeSegment(segment: string): string {
  return segment.replace(/[\s%?#()<>[\]\\"`{}|^&:]/g, (sign) =>
    encodeURIComponent(sign).replace('(', '%28').replace(')', '%29'),
  )
}
