import { hash } from 'node:crypto'
import type { BodyPlace, Conflict, JsonValue } from './model.ts'

const KEY_LENGTH = 20

/** Creates a conflict. `nth` distinguishes conflicts that concern the same text of one object. */
export function makeConflict(
  object: Conflict['object'],
  { id, title }: { id: string; title: string },
  kind: Conflict['kind'],
  values: { base: JsonValue; primary: JsonValue; own: JsonValue },
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
