/** Copies who may use collections and spaces. */
import { type Copying, doneOnce, reading, reportOn, writeSettings, writing } from './copying.ts'
import { fieldsIn, type JsonRecord, jsonRecord, segment, someText, jsonText } from './json.ts'
import { listed } from './patient-calls.ts'

const GRANTED_AT_ONCE = 100

/** A collection or a space of the source, and its copy. */
export interface GrantPlace {
  kind: 'collections' | 'spaces'
  id: string
  target: string
  what: string
  fields: JsonRecord
}

/** Copies the default level, which decides who can use a place without a role there. */
export async function copyLevel(copying: Copying, place: GrantPlace): Promise<void> {
  const path = `/${place.kind}/${segment(place.target)}`
  await doneOnce(copying, levelStep(place), () =>
    writeSettings(copying, place.what, { path }, fieldsIn(place.fields, ['defaultLevel'])),
  )
}

const levelStep = ({ kind, id }: Pick<GrantPlace, 'kind' | 'id'>) => `level of ${kind} ${id}`

/**
 * Whether a space lets nobody in whom the one of the source does not: it and the collections above it have their levels.
 * Otherwise it gets no content, and the report says so.
 */
export function isAsClosed(
  copying: Copying,
  space: GrantPlace,
  collections: ReadonlyMap<string, GrantPlace>,
): boolean {
  const seen = new Set<string>()
  for (let place: GrantPlace | undefined = space; place && !seen.has(place.id);) {
    if (!copying.journal.isDone(levelStep(place))) {
      reportOn(
        copying,
        'unwritten',
        space.what,
        'has no content, because its default level could not be copied',
      )
      return false
    }
    seen.add(place.id)
    place = collections.get(someText(place.fields.parent) ?? '')
  }
  return true
}

/** Copies the roles of users and teams. */
export async function copyGrants(copying: Copying, place: GrantPlace): Promise<void> {
  for (const kind of ['user', 'team'] as const) await copyGrantsOf(copying, place, kind)
}

async function copyGrantsOf(copying: Copying, place: GrantPlace, kind: 'user' | 'team'): Promise<void> {
  const { source, target, journal } = copying
  const from = `/${place.kind}/${segment(place.id)}/permissions/${kind}s`
  const what = `${place.what}, roles of ${kind}s`
  const grants = (await reading(copying, what, () => listed(source, from))) ?? []
  const waiting = grants.flatMap((grant) => {
    const id = jsonText(jsonRecord(grant[kind]).id)
    const copy = journal.target(kind, id)
    const step = `grant ${place.kind} ${place.id}/${kind} ${id}`
    return copy === undefined || journal.isDone(step)
      ? []
      : [{ role: someText(grant.permission) ?? null, copy, step }]
  })
  for (const [role, some] of Map.groupBy(waiting, (one) => one.role))
    for (let start = 0; start < some.length; start += GRANTED_AT_ONCE) {
      const part = some.slice(start, start + GRANTED_AT_ONCE)
      const body = { [`${kind}s`]: part.map(({ copy }) => copy), role }
      const path = `/${place.kind}/${segment(place.target)}/permissions`
      if (await writing(copying, what, () => target('POST', path, body)))
        for (const { step } of part) journal.done(step)
    }
}
