/** Resolves an open conflict in the own content, with the value of a side or with given content. */
import { need } from '../../data/lists.ts'
import { documentHash } from '../hash.ts'
import { withFreePaths } from '../repository-paths.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../revision.ts'
import { contentRefused, readFieldValue } from '../fields/values.ts'
import { FILE_FIELDS } from './fields.ts'
import type { Choice, Conflict, ContentChanges, Resolution, Snapshot } from './model.ts'
import { type Rewrite, rewriteSource, type Rewritten, type RewrittenRecord } from './resolve-source.ts'
import { restorePages, movePage, removePage, withFreeSlugs } from './resolve-tree.ts'
import type { PageRecords } from './valid-tree.ts'
import { isSourceField } from './source-fields.ts'
import { faultParameters, type Reasoned } from '../../languages/reasoned.ts'
import { because } from '../../languages/reasons.ts'

/** Hashes of the documents of the own content that resolving a conflict needs. */
export function sourcesToResolve(conflict: Conflict, own: Snapshot): string[] {
  const { kind, field = '' } = conflict
  const document = conflictRecord(conflict, own)?.document
  const needed = kind === 'body' || (kind === 'field' && isSourceField(field))
  return needed && document !== undefined ? [document] : []
}

/** A conflict, the choice of its resolution, and the current own content. */
export interface ChosenResolution {
  conflict: Conflict
  choice: Choice
  own: Snapshot
  /** The documents of `sourcesToResolve`. */
  sources: ReadonlyMap<string, string>
  /** The update time of the changed records (ISO 8601). */
  now: string
  /** Rewrites the source of a record: at once by default. */
  rewrite?: (rewrite: Rewrite) => Rewritten
}

/** Resolves a conflict in the current own content. The merge that found the conflict kept the own side. */
export function resolveConflict(chosen: ChosenResolution): Resolution {
  const { own } = chosen
  const resolution = resolutionOf(chosen)
  if ('refused' in resolution) return resolution
  // While a record was deleted, another record may have taken its path.
  return { ...resolution, changes: withFreePaths(own, resolution.changes) }
}

function resolutionOf(chosen: ChosenResolution): Resolution {
  const { conflict, choice, own, now } = chosen
  if ('side' in choice && choice.side === 'own') return settled({})
  if (conflict.kind === 'body') return resolveBody(chosen)
  if (conflict.kind === 'field') return resolveField(chosen)
  if ('content' in choice) return contentFault(contentRefused())
  if (conflict.kind === 'existence') return resolveExistence(conflict, own, now)

  const place = conflict.primary as { parent: string | null; order: string } | null
  if (!place || !own.pages.get(conflict.id)) return gone(conflict)
  return ofTree(movePage(own, conflict.id, place, now))
}

/** The given content is not valid for this conflict. */
const refusal = (refused: Reasoned): Resolution => ({ refused, because: 'content' })
const contentFault = (fault: Reasoned) => refusal(because('content-refused', faultParameters(fault)))
/** The current own content does not allow this resolution. */
const stale = (refused: Reasoned): Resolution => ({ refused, because: 'state' })

function gone({ object, title }: Conflict): Resolution {
  return stale(because(`conflict-gone-${object}`, { title }))
}

function settled(
  changes: Partial<ContentChanges>,
  documents: ReadonlyMap<string, string> = new Map(),
): Resolution {
  return { changes: { pages: new Map(), files: new Map(), reusables: new Map(), ...changes }, documents }
}

function ofTree(result: PageRecords | Reasoned): Resolution {
  return 'message' in result ? stale(result) : settled({ pages: result })
}

function conflictRecord({ object, id }: Conflict, own: Snapshot): RewrittenRecord | undefined {
  if (object === 'page') return own.pages.get(id)
  return object === 'reusable-content' ? own.reusables.get(id) : undefined
}

function resolveBody(chosen: ChosenResolution): Resolution {
  const { conflict, choice, own } = chosen
  const record = conflictRecord(conflict, own)
  const { place } = conflict
  if (!record || !place) return gone(conflict)
  const isGiven = 'content' in choice
  const wanted = isGiven ? choice.content : conflict.primary
  if (wanted !== null && typeof wanted !== 'string') return refusal(because('content-not-block'))
  const change = { kind: 'block', own: conflict.own as string | null, wanted, place, isGiven } as const
  return rewritten(chosen, record, change)
}

/** Returns the changes that rewrite the source of a record. */
function rewritten(chosen: ChosenResolution, record: RewrittenRecord, change: Rewrite['change']): Resolution {
  const { conflict, sources, now, rewrite = rewriteSource } = chosen
  const source = record.document === undefined ? '' : need(sources, record.document)
  const result = rewrite({ object: conflict.object, record, source, change })
  if ('refused' in result) return result
  const documents = result.source === '' ? [] : [[documentHash(result.source), result.source] as const]
  return changed(conflict, result.record, now, new Map(documents))
}

function changed(
  { object }: Conflict,
  record: RewrittenRecord,
  now: string,
  documents: ReadonlyMap<string, string> = new Map(),
): Resolution {
  if (object === 'reusable-content')
    return settled({ reusables: new Map([[record.id, record as ReusableRecord]]) }, documents)
  const page = { ...(record as PageRecord), updatedAt: now }
  return settled({ pages: new Map([[page.id, page]]) }, documents)
}

function resolveField(chosen: ChosenResolution): Resolution {
  const { conflict, choice, own, now } = chosen
  const { object, id, field = '', name = '' } = conflict
  const given = 'content' in choice ? readFieldValue(conflict, own.pages, choice.content) : undefined
  if (given && 'fault' in given) return contentFault(given.fault)
  const value: unknown = given ? given.value : conflict.primary

  if (object === 'space') {
    const key = field as 'variables' | 'redirects'
    const { [name]: _before, ...others } = own[key] as Record<string, never>
    return settled({ [key]: value === null ? others : { ...others, [name]: value } })
  }
  if (object === 'file') {
    const file = own.files.get(id)
    if (!file) return gone(conflict)
    return settled({
      files: new Map([[id, withField(file, FILE_FIELDS[field as keyof typeof FILE_FIELDS], value)]]),
    })
  }

  const record = conflictRecord(conflict, own)
  if (!record) return gone(conflict)
  const next = withField<RewrittenRecord>(record, [field], value)
  if (field === 'slug')
    return ofTree(withFreeSlugs(own, new Map([[id, { ...(next as PageRecord), updatedAt: now }]])))
  if (record.document === undefined || !isSourceField(field)) return changed(conflict, next, now)
  return rewritten(chosen, record, { kind: 'fields', record: next })
}

function withField<R extends object>(record: R, keys: readonly string[], value: unknown): R {
  const others = Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)))
  if (value === null) return others as R
  const [only, ...more] = keys
  const set = only !== undefined && more.length === 0 ? { [only]: value } : (value as object)
  return { ...others, ...set } as R
}

function resolveExistence(conflict: Conflict, own: Snapshot, now: string): Resolution {
  const { object, id } = conflict
  const primary = conflict.primary as {
    pages?: PageRecord[]
    file?: FileRecord
    reusable?: ReusableRecord
  } | null
  if (object === 'file') return settled({ files: new Map([[id, primary?.file ?? null]]) })
  if (object === 'reusable-content') return settled({ reusables: new Map([[id, primary?.reusable ?? null]]) })
  const { pages = [] } = (conflict.own ?? {}) as { pages?: PageRecord[] }
  return ofTree(primary ? restorePages(own, primary.pages ?? [], now) : removePage(own, id, pages))
}
