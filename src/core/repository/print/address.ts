import { isBroken, resolveReference, type Targets } from '../../content/links.ts'
import { pathTargets } from '../../content/repository-paths.ts'
import { readAddress } from '../../document/markdown/addresses.ts'
import type { ContentRef } from '../../document/model.ts'
import { mapAddresses } from '../../document/links/map-addresses.ts'
import { decodeAddress, folderOf, isAbsoluteAddress, joinPath } from '../../text/file-paths.ts'
import type { PlacedContent } from './model.ts'

/** The address of a path of the repository, as a file in a folder writes it. */
export function addressOfPath(folder: string, path: string): string {
  const from = folder === '' ? [] : folder.split('/')
  const to = path.split('/')
  let same = 0
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same++
  const parts = [...from.slice(same).map(() => '..'), ...to.slice(same)]
  return parts.map(encoded).join('/')
}

/** Encodes what ends an address, or begins another part of one. */
function encoded(segment: string): string {
  return segment.replace(/[\s()<>"'`\\#?%[\]*:{}|^]/g, (one) =>
    one === "'" || one === '(' || one === ')' || one === '*'
      ? `%${one.charCodeAt(0).toString(16).toUpperCase()}`
      : encodeURIComponent(one),
  )
}

/** The address of a target in this content from a file; undefined if the target is not in it, or is elsewhere. */
export function addressFrom(folder: string, ref: ContentRef, content: PlacedContent): string | undefined {
  if ('space' in ref && ref.space !== undefined) return undefined
  if (ref.kind === 'file') {
    const path = content.files.get(ref.file)?.path
    return path === undefined ? undefined : addressOfPath(folder, path)
  }
  if (ref.kind === 'reusable-content') {
    const path = content.reusables.get(ref.reusableContent)?.path
    return path === undefined ? undefined : addressOfPath(folder, path)
  }
  const id = ref.kind === 'page' || ref.kind === 'anchor' ? ref.page : undefined
  const page = id === undefined ? undefined : content.pages.get(id)
  if (!page) return undefined
  const anchor = ref.kind === 'anchor' ? `#${encodeURI(ref.anchor)}` : ''
  if (page.file !== undefined) return addressOfPath(folder, page.file) + anchor
  return `/pages/${content.pages.path(page.id).split('/').map(encoded).join('/')}${anchor}`
}

/** Finds the targets of addresses in a content before its records got paths. */
export function targetsBefore({ before }: PlacedContent): Targets {
  return pathTargets(before)
}

const IDS = /\/(?:pages|files|reusable-contents)\//

/**
 * A source with the addresses that its file in the repository has: those of the ids of this content become relative, and so do
 * those that would lead elsewhere from its new path. Every other byte stays.
 */
export function withFileAddresses(
  source: string,
  { from, to }: { from: string | undefined; to: string },
  content: PlacedContent,
): string {
  if (from === to && !IDS.test(source)) return source
  const folder = folderOf(to)
  const targets = targetsBefore(content)
  return mapAddresses(source, (written) => {
    const address = newAddress(written)
    return address === written ? undefined : address
  })

  function newAddress(written: string): string | undefined {
    const ref = readAddress(written)
    if (ref.kind !== 'url') return addressFrom(folder, ref, content)
    if (from === to || isAbsoluteAddress(written) || /^[/#?]/.test(written) || written === '')
      return undefined
    // Only a file at the top has the same addresses as a page without a file.
    if (folder === '') return undefined
    const resolved = resolveReference(ref, from, targets)
    if (!isBroken(resolved)) {
      const address = addressFrom(folder, resolved, content)
      if (address !== undefined) return address
    }
    const [, bare = '', tail = ''] = /^([^?#]*)([^]*)$/.exec(written) ?? []
    const path = joinPath(from === undefined ? '' : folderOf(from), decodeAddress(bare))
    return path === undefined ? undefined : addressOfPath(folder, path) + tail
  }
}
