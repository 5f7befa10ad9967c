/** Copies content under new ids. References within the content point to the copy. */
import { need } from '../data/lists.ts'
import { type OldPlaces, cloneOldPlaces } from './old-places.ts'
import type { FileRecord, PageRecord, ReusableRecord } from './revision.ts'

/** Pages, files and reusable contents of one revision, by id. */
export interface RevisionRecords {
  pages: ReadonlyMap<string, PageRecord>
  files: ReadonlyMap<string, FileRecord>
  reusables: ReadonlyMap<string, ReusableRecord>
}

/** The copied content, and a function that updates the ids in a Markdown source. */
export interface ClonedContent extends RevisionRecords {
  renewSource(source: string): string
  renewPlaces(places: OldPlaces): ReadonlyMap<string, string>
}

const ID = '([0-9a-zA-Z]{20,26})(?![0-9a-zA-Z])'
const ADDRESS = new RegExp(`(?:/spaces/${ID})?/(pages|files|reusable-contents)/${ID}|/spaces/${ID}(?!/)`, 'g')

/**
 * Gives every object a new id, and updates covers, targets, computed content and sources. Paths stay the same, so links
 * by path stay valid. References to other spaces also stay.
 * @param space the ids of the source space and of the target space
 */
export function cloneWithNewIds(
  records: RevisionRecords,
  space: { from: string; to: string },
  newId: () => string,
): ClonedContent {
  const renewed = (ids: Iterable<string>) => new Map([...ids].map((id) => [id, newId()]))
  const ids = {
    pages: renewed(records.pages.keys()),
    files: renewed(records.files.keys()),
    'reusable-contents': renewed(records.reusables.keys()),
  }
  const fields: Record<string, Map<string, string>> = {
    page: ids.pages,
    file: ids.files,
    reusableContent: ids['reusable-contents'],
    space: new Map([[space.from, space.to]]),
  }

  const followRef = (ref: object) => {
    if ('space' in ref && ref.space !== space.from) return ref
    return Object.fromEntries(
      Object.entries(ref).map(([key, value]) => [key, fields[key]?.get(String(value)) ?? value]),
    )
  }
  const follow = <T>(value: T): T => {
    if (Array.isArray(value)) return value.map(follow) as T
    if (typeof value !== 'object' || value === null) return value
    // The `kind` field identifies a reference. A page also has a field `file`, which is a path, but that is no
    // reference.
    if ('kind' in value) return followRef(value) as T
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, follow(item)])) as T
  }
  const copy = <R extends { id: string }>(all: ReadonlyMap<string, R>, to: Map<string, string>) =>
    new Map(
      [...all.values()].map((record) => {
        const id = need(to, record.id)
        return [id, { ...follow(record), id }]
      }),
    )

  const pages = copy(records.pages, ids.pages)
  return {
    pages: new Map(
      [...pages].map(([id, page]) => [
        id,
        { ...page, parent: page.parent === null ? null : (ids.pages.get(page.parent) ?? page.parent) },
      ]),
    ),
    files: copy(records.files, ids.files),
    reusables: copy(records.reusables, ids['reusable-contents']),
    renewPlaces: (places) => cloneOldPlaces(places, (id) => ids.pages.get(id)),
    renewSource: (source) =>
      source.replace(
        ADDRESS,
        (address, within?: string, kind?: keyof typeof ids, id?: string, alone?: string) => {
          if (alone !== undefined) return alone === space.from ? `/spaces/${space.to}` : address
          const next = kind && id && ids[kind].get(id)
          if (!next || (within !== undefined && within !== space.from)) return address
          return `${within === undefined ? '' : `/spaces/${space.to}`}/${kind}/${next}`
        },
      ),
  }
}
