/** Whether two contents now agree about an earlier conflict. */
import { entriesOf } from './entries.ts'
import { frontMatterEnd } from '../../document/front-matter/front-matter.ts'
import { isInBody } from './body-place.ts'
import { FILE_FIELDS, keyedValue } from './fields.ts'
import { jsonEqual } from '../../data/json.ts'
import type { Conflict, Snapshot } from './model.ts'

/** The hashes of the documents that `agree` needs, in both contents. */
export function sourcesToAgree(conflict: Conflict, primary: Snapshot, own: Snapshot): string[] {
  if (conflict.kind !== 'body') return []
  return [primary, own].flatMap((content) => documentIn(conflict, content) ?? [])
}

/**
 * Whether the primary content now equals the own content where they conflicted. `sources` holds the documents of
 * `sourcesToAgree`.
 */
export function agree(
  conflict: Conflict,
  primary: Snapshot,
  own: Snapshot,
  sources: ReadonlyMap<string, string>,
): boolean {
  const { kind, object, field = '', name = '' } = conflict
  if (object === 'space') {
    const key = field as 'variables' | 'redirects'
    return jsonEqual(keyedValue(primary[key], [name]), keyedValue(own[key], [name]))
  }
  const [theirs, mine] = [recordIn(conflict, primary), recordIn(conflict, own)]
  if (kind === 'existence') return (theirs === undefined) === (mine === undefined)
  if (!theirs || !mine) return false
  if (kind === 'place')
    return jsonEqual(keyedValue(theirs, ['parent', 'order']), keyedValue(mine, ['parent', 'order']))
  if (kind === 'field') {
    const keys = object === 'file' ? FILE_FIELDS[field as keyof typeof FILE_FIELDS] : [field]
    return jsonEqual(keyedValue(theirs, keys), keyedValue(mine, keys))
  }

  const sourceIn = (content: Snapshot) => sources.get(documentIn(conflict, content) ?? '') ?? ''
  return agreeInBody(conflict, sourceIn(primary), sourceIn(own))
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
  // The two agree if the primary source has the own block of the conflict in place of its former one.
  const [was, is] = [conflict.primary as string | null, conflict.own as string | null]
  if (was !== null && isInBody(primarySource, was)) return false
  return is === null || (isInBody(primarySource, is) && isInBody(ownSource, is))
}

function recordIn({ object, id }: Conflict, { pages, files, reusables }: Snapshot): object | undefined {
  if (object === 'page') return pages.get(id)
  return object === 'file' ? files.get(id) : reusables.get(id)
}

function documentIn(conflict: Conflict, content: Snapshot): string | undefined {
  const record = recordIn(conflict, content)
  return record && 'document' in record && typeof record.document === 'string' ? record.document : undefined
}
