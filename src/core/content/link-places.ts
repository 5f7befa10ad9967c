/** The references of one page or reusable content, and the places that hold them. */
import type { DocumentLinks } from '../document/links/links-in.ts'
import { printAddress } from '../document/markdown/addresses.ts'
import type { ContentRef } from '../document/model.ts'
import type { ReferencePlace } from '../document/links/references.ts'
import type { PageRecord, ReusableRecord } from './revision.ts'

/** A record that holds references. */
export type LinkSource = PageRecord | ReusableRecord

/** A reference as it is stored, with where it is. */
export interface LinkPlace {
  ref: ContentRef
  place: ReferencePlace | 'cover' | 'source'
  /** The key of the block; absent for a reference of the page itself, such as its cover. */
  node?: string | undefined
  /** The text of a link, the label of a button, the alternative text of an image. */
  text?: string | undefined
  /** The line in the Markdown source, from 1; absent for a reference of the page itself. */
  line?: number
}

/** A place that refers to something. */
export interface LinkHolder {
  kind: 'page' | 'reusable-content'
  id: string
  /** The key of the block; absent for a reference of the page itself. */
  node?: string
  link: WrittenLink
}

/** A reference as the author wrote it. */
export interface WrittenLink {
  address?: string
  text?: string
  line?: number
}

/** References that display their target as part of the page. */
export const DEPENDS = new Set<LinkPlace['place']>([
  'image',
  'image-dark',
  'drawing',
  'reusable-content',
  'openapi',
  'cell-image',
  'cover',
  'source',
])

/** The references of a page or reusable content in reading order, those of the page itself first. */
export function placesIn(record: LinkSource, links: DocumentLinks): LinkPlace[] {
  const written = links.references.map(({ ref, place, key, text, line }) => ({
    ref,
    place,
    node: key,
    text,
    line,
  }))
  return isPage(record) ? [...placesOfPage(record), ...written] : written
}

function placesOfPage({ cover, computed, target }: PageRecord): LinkPlace[] {
  const places: LinkPlace[] = []
  for (const ref of [cover?.ref, cover?.refDark]) if (ref) places.push({ ref, place: 'cover' })
  for (const { ref } of Object.values(computed?.dependencies ?? {})) places.push({ ref, place: 'source' })
  if (target) places.push({ ref: target, place: 'link' })
  return places
}

/** The holder at a place. */
export function holderAt(record: LinkSource, { ref, node, text, line }: LinkPlace): LinkHolder {
  return {
    kind: kindOf(record),
    id: record.id,
    ...(node === undefined ? {} : { node }),
    link: {
      address: printAddress(ref),
      ...(text === undefined ? {} : { text }),
      ...(line === undefined ? {} : { line }),
    },
  }
}

/** Unique for each place, and the same in every revision. */
export function holderKey({ kind, id, node = '' }: Pick<LinkHolder, 'kind' | 'id' | 'node'>): string {
  return `${kind} ${id} ${node}`
}

/** The key of a source: unique within a revision, and the same in every revision. */
export function sourceKey(record: LinkSource): string {
  return `${kindOf(record)} ${record.id}`
}

/** Whether a record is a page; a reusable content has no slug. */
export function isPage(record: LinkSource): record is PageRecord {
  return 'slug' in record
}

/** The kind of the holders in a record. */
export function kindOf(record: LinkSource): LinkHolder['kind'] {
  return isPage(record) ? 'page' : 'reusable-content'
}

/** The repository path from which the relative references of a record are resolved. */
export function sourcePath(record: LinkSource): string | undefined {
  return isPage(record) ? record.file : record.path
}
