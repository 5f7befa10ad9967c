/** Copies who may use collections, spaces and sites. */
import { RefusedCall } from '../client.ts'
import { type Copying, doneOnce, reading, reportOn, writeSettings, writing } from './copying.ts'
import { fieldsIn, type JsonRecord, jsonRecord, someText, jsonText } from './json.ts'
import { listed } from './patient-calls.ts'

const GRANTED_AT_ONCE = 100

/** A collection, a space or a site of the source, and its copy. */
export interface GrantPlace {
  kind: 'collections' | 'spaces' | 'sites'
  id: string
  /** The path of the API to it in the source, and to its copy in the target. */
  from: string
  to: string
  what: string
  fields: JsonRecord
}

/** Copies the default level, which decides who can use a place without a role there. */
export async function copyLevel(copying: Copying, place: GrantPlace): Promise<void> {
  const { to: path } = place
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
    if (!hasLevel(copying, place)) {
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

/** Whether the default level of a place has been copied. */
export function hasLevel({ journal }: Copying, place: GrantPlace): boolean {
  return journal.isDone(levelStep(place))
}

/** Copies the roles of users and teams. */
export async function copyGrants(copying: Copying, place: GrantPlace): Promise<void> {
  for (const kind of ['user', 'team'] as const) await copyGrantsOf(copying, place, kind)
}

async function copyGrantsOf(copying: Copying, place: GrantPlace, kind: 'user' | 'team'): Promise<void> {
  const { source, target, journal } = copying
  const from = `${place.from}/permissions/${kind}s`
  const what = `${place.what}, roles of ${kind}s`
  const known = () =>
    listed(source, from).catch((error: unknown) => {
      // An older server, on which sites have no roles.
      if (place.kind === 'sites' && error instanceof RefusedCall && error.status === 404) return []
      throw error
    })
  const grants = (await reading(copying, what, known)) ?? []
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
      if (await writing(copying, what, () => target('POST', `${place.to}/permissions`, body)))
        for (const { step } of part) journal.done(step)
    }
}
