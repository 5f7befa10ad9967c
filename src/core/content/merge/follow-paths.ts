/**
 * Keeps the targets of links when a merge gives a record another path. If both sides add a record at one path, one of
 * them gets the next path that is free. The links of its side then name its new path.
 */
import { need, needValue } from '../../data/lists.ts'
import { mapAddresses } from '../../document/links/map-addresses.ts'
import { documentHash, gitObjectId } from '../hash.ts'
import { resolveReference, type Targets } from '../links.ts'
import { pathTargets, type FreedPaths, type PathContent } from '../repository-paths.ts'
import type { PageRecord, ReusableRecord } from '../revision.ts'
import type { Side, Snapshot } from './model.ts'

type WithDocument = PageRecord | ReusableRecord

/** For each side, its records whose links may have to follow. Both lists are empty if no path changed. */
export interface Following {
  /** The new paths by the ids of their records. */
  readonly paths: ReadonlyMap<string, string>
  readonly linking: readonly {
    readonly side: Side
    readonly record: WithDocument
    readonly document: string
  }[]
}

/** The records that a side changed, if it has a record that gets another path. */
export function recordsToFollow(sides: readonly Side[], freed: FreedPaths): Following {
  const paths = new Map<string, string>()
  for (const page of freed.pages.values()) paths.set(page.id, needValue(page.file, 'the new path of a page'))
  for (const one of [...freed.files.values(), ...freed.reusables.values()])
    paths.set(one.id, needValue(one.path, 'the new path of a record'))
  const losing = sides.filter(({ pages, files, reusables }) =>
    [...paths.keys()].some((id) => pages.get(id) ?? files.get(id) ?? reusables.get(id)),
  )
  const linking = losing.flatMap((side) =>
    [...side.changes.pages, ...side.changes.reusables].flatMap(({ before, after }) =>
      after?.document === undefined || after.document === before?.document
        ? []
        : [{ side, record: after, document: after.document }],
    ),
  )
  return { paths, linking }
}

/** Records whose links follow, with their new documents. */
export interface Followed {
  /** A side's record with its new document; the record as it is if its links stay. */
  follow<R extends WithDocument>(side: Side, record: R): R
  /** The new sources by hash. */
  readonly sources: ReadonlyMap<string, string>
}

/** Rewrites the links of a side that would lead to a record of the other side. `merged` is the content after the merge. */
export function followPaths(
  { paths, linking }: Following,
  sources: ReadonlyMap<string, string>,
  merged: () => PathContent & Pick<Snapshot, 'pages'>,
): Followed {
  const documents = new Map<Side, Map<string, string>>()
  const rewritten = new Map<string, string>()
  let targets: ReturnType<typeof pathTargets> | undefined
  for (const { side, record, document } of linking) {
    const source = need(sources, document)
    const from = 'slug' in record ? record.file : record.path
    targets ??= pathTargets(merged())
    const next = withNewPaths(source, from, { before: pathTargets(side), after: targets }, paths)
    if (next === source) continue
    rewritten.set(documentHash(next), next)
    const known = documents.get(side) ?? new Map<string, string>()
    documents.set(side, known.set(record.id, documentHash(next)))
  }
  return {
    sources: rewritten,
    follow(side, record) {
      const document = documents.get(side)?.get(record.id)
      if (document === undefined) return record
      const oid = record.oid === undefined ? {} : { oid: gitObjectId(Buffer.from(need(rewritten, document))) }
      return { ...record, document, ...oid }
    },
  }
}

function withNewPaths(
  source: string,
  from: string | undefined,
  targets: { before: Targets; after: Targets },
  paths: ReadonlyMap<string, string>,
): string {
  const targetId = (url: string, among: Targets) =>
    referencedId(resolveReference({ kind: 'url', url }, from, among)) ?? ''
  return mapAddresses(source, (address) => {
    const id = targetId(address, targets.before)
    const path = paths.get(id)
    if (path === undefined || targetId(address, targets.after) === id) return undefined
    const next = withFileName(address, path)
    return targetId(next, targets.after) === id ? next : undefined
  })
}

function referencedId(ref: ReturnType<typeof resolveReference>): string | undefined {
  if (ref.kind === 'page' || ref.kind === 'anchor') return ref.page
  if (ref.kind === 'file') return ref.file
  return ref.kind === 'reusable-content' ? ref.reusableContent : undefined
}

/** An address with the name of a file in the same folder: `../a/setup#part` becomes `../a/setup-1.md#part`. */
function withFileName(address: string, path: string): string {
  const [, before = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(address) ?? []
  const name = path.slice(path.lastIndexOf('/') + 1)
  const encoded = before.includes(' ') ? name : name.replace(/[ %?#()<>"']/g, encodeURIComponent)
  const isFolder = FOLDER_PAGE.test(name) && !FOLDER_PAGE.test(before.slice(before.lastIndexOf('/') + 1))
  const folder = isFolder ? before.replace(/(?<=[^/])$/, '/') : before.slice(0, before.lastIndexOf('/') + 1)
  return folder + encoded + rest
}

/** The page of a folder, with a number if the name was taken. */
const FOLDER_PAGE = /^(?:readme|_?index)(?:-\d+)?(?:\.md)?$/i
