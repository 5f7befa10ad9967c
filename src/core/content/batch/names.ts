/** The names that a batch gives to what it creates. */
import type { ContentRef, Document } from '../../document/model.ts'
import { mapReferences } from '../../document/links/references.ts'

/** The kind of content that a name stands for. */
export type Kind = 'page' | 'file' | 'reusable-content'

/** The pages, files and reusable contents that a batch creates, by the names that it gives to them. */
export type Names = Map<string, { kind: Kind; id: string }>

/** The address of what has a name, for links; undefined for what nothing links to so. */
export function addressNamed(
  named: { kind: Kind; id: string } | undefined,
  isPage: boolean,
): string | undefined {
  if (named?.kind === 'page') return `/pages/${named.id}`
  if (!named || isPage) return undefined
  return named.kind === 'file' ? `/files/${named.id}` : `/reusable-contents/${named.id}`
}

/** The id of what has this name. */
export function idNamed(names: Names, name: string | undefined, kind: Kind): string | undefined {
  const named = name === undefined ? undefined : names.get(name)
  return named?.kind === kind ? named.id : undefined
}

const BY_NAME = /^\.\/([\w-]+)(\.md)?(?:#(.+))?$/

/** Replaces references by a batch name, written as an address or in place of an id, with references by id. */
export function linked(document: Document, names: Names): Document {
  return names.size === 0 ? document : mapReferences(document, (ref) => linkedRef(ref, names))
}

/** A reference by id in place of one by a batch name. */
export function linkedRef(ref: ContentRef, names: Names): ContentRef {
  const idOf = (name: string | undefined, kind: Kind) => idNamed(names, name, kind)
  if (ref.kind === 'reusable-content') {
    const id = idOf(ref.reusableContent, 'reusable-content')
    return id === undefined ? ref : { ...ref, reusableContent: id }
  }
  if (ref.kind === 'page' || ref.kind === 'anchor') {
    const page = idOf(ref.page, 'page')
    return page === undefined ? ref : { ...ref, page }
  }
  if (ref.kind === 'file') return { ...ref, file: idOf(ref.file, 'file') ?? ref.file }
  const [, name, extension, anchor] = (ref.kind === 'url' && BY_NAME.exec(ref.url)) || []
  const page = idOf(name, 'page')
  if (page !== undefined)
    return anchor === undefined ? { kind: 'page', page } : { kind: 'anchor', anchor, page }
  const file = extension === undefined && anchor === undefined ? idOf(name, 'file') : undefined
  return file === undefined ? ref : { kind: 'file', file }
}
