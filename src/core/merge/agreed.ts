/** Whether two contents agree by now about what they once conflicted in. */
import { entriesOf } from './entries.ts'
import { frontMatterEnd } from '../document/front-matter.ts'
import { standsIn } from './body-place.ts'
import { FILE_FIELDS, same, valueOf } from './fields.ts'
import type { Conflict, Snapshot } from './model.ts'

/** Hashes of the documents of both contents that `agree` needs. */
export function sourcesToAgree(conflict: Conflict, primary: Snapshot, own: Snapshot): string[] {
  if (conflict.kind !== 'body') return []
  return [primary, own].flatMap((content) => documentIn(conflict, content) ?? [])
}

/** Whether the primary content has by now what the own one has; `sources` has what `sourcesToAgree` names. */
export function agree(
  conflict: Conflict,
  primary: Snapshot,
  own: Snapshot,
  sources: ReadonlyMap<string, string>,
): boolean {
  const { kind, object, field = '', name = '' } = conflict
  if (object === 'space') {
    const key = field as 'variables' | 'redirects'
    return same(valueOf(primary[key], [name]), valueOf(own[key], [name]))
  }
  const [theirs, mine] = [recordIn(conflict, primary), recordIn(conflict, own)]
  if (kind === 'existence') return (theirs === undefined) === (mine === undefined)
  if (!theirs || !mine) return false
  if (kind === 'place') return same(valueOf(theirs, ['parent', 'order']), valueOf(mine, ['parent', 'order']))
  if (kind === 'field') {
    const keys = object === 'file' ? FILE_FIELDS[field as keyof typeof FILE_FIELDS] : [field]
    return same(valueOf(theirs, keys), valueOf(mine, keys))
  }

  const [primarySource, ownSource] = [primary, own].map(
    (content) => sources.get(documentIn(conflict, content) ?? '') ?? '',
  )
  return agreeInBody(conflict, primarySource!, ownSource!)
}

function agreeInBody({ place, ...conflict }: Conflict, primarySource: string, ownSource: string): boolean {
  if (primarySource === ownSource) return true
  if (place?.key !== undefined) {
    const { key } = place
    const [theirs, mine] = [primarySource, ownSource].map((source) =>
      entriesOf(source.slice(source.startsWith('\ufeff') ? 1 : 0, frontMatterEnd(source)))
        .entries.get(key)
        ?.trim(),
    )
    return theirs === mine
  }
  // What the primary content had is gone from it, and it has what the own one has.
  const [was, is] = [conflict.primary as string | null, conflict.own as string | null]
  if (was !== null && standsIn(primarySource, was)) return false
  return is === null || (standsIn(primarySource, is) && standsIn(ownSource, is))
}

function recordIn({ object, id }: Conflict, { pages, files, reusables }: Snapshot): object | undefined {
  if (object === 'page') return pages.get(id)
  return object === 'file' ? files.get(id) : reusables.get(id)
}

function documentIn(conflict: Conflict, content: Snapshot): string | undefined {
  const record = recordIn(conflict, content)
  return record && 'document' in record && typeof record.document === 'string' ? record.document : undefined
}
