import { type SpecSourceParts, type WantedPart, wantedPointers } from '../../core/openapi/described.ts'
import { partPointer, type SpecPart } from '../../core/openapi/spec-parts.ts'
import { referencesIn } from '../../core/openapi/references.ts'
import { isRecord } from '../../core/data/is-record.ts'
import { chunks } from '../../db/chunks.ts'
import type { Reader, Tx } from '../../db/schema.ts'

/** The most characters of a part that a page shows. */
const LONGEST_PART = 200_000
/** The most characters of all parts that one page shows. What does not fit is named, but not described. */
const MOST_CHARACTERS = 1_000_000
/** How many references lead from a block to the last part that is loaded for it. */
const MOST_STEPS = 8

/** Stores the parts of the newest version of a specification, instead of those of the version before. */
export async function storeParts(tx: Tx, specId: string, parts: readonly SpecPart[]): Promise<void> {
  await tx.deleteFrom('openapiPart').where('specId', '=', specId).execute()
  const rows = parts.map((part, position) => ({ specId, position, ...part }))
  for (const some of chunks(rows, 100)) await tx.insertInto('openapiPart').values(some).execute()
}

/** Loads what blocks show of the specifications of an organization, by slug. Its size is bounded. */
export async function loadParts(
  db: Reader,
  organizationId: string,
  wanted: readonly WantedPart[],
): Promise<Map<string, SpecSourceParts>> {
  const found = new Map<string, SpecSourceParts>()
  const bySpec = Map.groupBy(wanted, ({ spec }) => spec)
  if (bySpec.size === 0) return found
  const specs = await db
    .selectFrom('openapiSpec')
    .select(['id', 'slug'])
    .where('organizationId', '=', organizationId)
    .where('slug', 'in', [...bySpec.keys()])
    .execute()
  const room = { left: MOST_CHARACTERS }
  for (const { id, slug } of specs) {
    const pointers = (bySpec.get(slug) ?? []).flatMap(wantedPointers)
    found.set(slug, await collectParts(pointers, (some) => partsAt(db, id, some), room))
  }
  return found
}

/**
 * The parts at pointers, and those to which their references lead. Their size is bounded.
 * @param load returns the parts at pointers that are there
 * @param room how many characters the parts may have, of which it takes those that they have
 */
export async function collectParts(
  wanted: readonly string[],
  load: (pointers: string[]) => Promise<{ pointer: string; json: string }[]>,
  room: { left: number } = { left: MOST_CHARACTERS },
): Promise<SpecSourceParts> {
  const parts: SpecSourceParts = {}
  let pointers = new Set(['', ...wanted])
  for (let step = 0; step < MOST_STEPS && pointers.size > 0 && room.left > 0; step += 1) {
    const next = new Set<string>()
    for (const some of chunks([...pointers], 50))
      for (const { pointer, json } of await load(some)) {
        if (json.length > room.left) return parts
        if (json.length > LONGEST_PART) continue
        room.left -= json.length
        const value: unknown = JSON.parse(json)
        parts[pointer] = value
        if (!isRecord(value)) continue
        for (const { holder } of referencesIn(value)) next.add(partPointer(holder.$ref))
      }
    for (const pointer of Object.keys(parts)) next.delete(pointer)
    pointers = next
  }
  return parts
}

/** The parts at pointers, in the order of the specification, without those that are too long. */
export function partsAt(
  db: Reader,
  specId: string,
  pointers: readonly string[],
): Promise<{ pointer: string; json: string }[]> {
  return db
    .selectFrom('openapiPart')
    .select(['pointer', 'json'])
    .where('specId', '=', specId)
    .where('pointer', 'in', pointers)
    .where(({ fn }) => fn<number>('length', ['json']), '<=', LONGEST_PART)
    .orderBy('position')
    .execute()
}

/** Which of some specifications permit that the server sends requests of readers to their servers, by slug. */
export async function proxiedSpecs(
  db: Reader,
  organizationId: string,
  slugs: readonly string[],
): Promise<ReadonlySet<string>> {
  if (slugs.length === 0) return new Set()
  const found = await db
    .selectFrom('openapiSpec')
    .select('slug')
    .where('organizationId', '=', organizationId)
    .where('slug', 'in', slugs)
    .where('requestProxy', '=', 1)
    .execute()
  return new Set(found.map(({ slug }) => slug))
}
