import { hash } from 'node:crypto'
import type { BodyPlace, Conflict, Json } from './model.ts'

const KEY_LENGTH = 20

/** A conflict; `nth` tells several apart that are about the same text of one object. */
export function conflictOf(
  object: Conflict['object'],
  { id, title }: { id: string; title: string },
  kind: Conflict['kind'],
  values: { base: Json; primary: Json; own: Json },
  more: { field?: string; name?: string; place?: BodyPlace; nth?: number } = {},
): Conflict {
  const { nth = 0, ...rest } = more
  const about = [
    object,
    id,
    kind,
    rest.field ?? '',
    rest.name ?? rest.place?.key ?? '',
    kind === 'body' ? values.base : '',
    nth,
  ]
  const key = hash('sha256', JSON.stringify(about)).slice(0, KEY_LENGTH)
  return { key, object, id, title, kind, ...rest, ...values }
}
