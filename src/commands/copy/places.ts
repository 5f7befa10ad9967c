/** Copies collections and spaces, without their content. */
import { shorten } from '../../core/text/shorten.ts'
import {
  type Copying,
  doneOnce,
  madeOnce,
  noteEarlier,
  reportLabel,
  reading,
  reportOn,
  writeSettings,
  writing,
} from './copying.ts'
import { fieldsIn, type JsonRecord, jsonRecord, segment, someText, jsonText } from './json.ts'
import { listed } from './patient-calls.ts'

const LONGEST_TITLE = 50
const LONGEST_DESCRIPTION = 100

/** A collection or a space of the source that has a copy. */
export interface CopiedPlace {
  id: string
  target: string
  title: string
  fields: JsonRecord
}

/** A space of the source that has a copy. */
export type CopiedSpace = CopiedPlace

/** Copies the collections, those above others first. */
export async function copyCollections(copying: Copying): Promise<CopiedPlace[]> {
  const { source, target, from, to, journal } = copying
  const path = `/orgs/${segment(from)}/collections`
  const all = (await reading(copying, 'Collections', () => listed(source, path))) ?? []
  const ids = new Set(all.map(({ id }) => jsonText(id)))
  await noteEarlier(copying, 'collection', `/orgs/${segment(to)}/collections`)
  const copied: CopiedPlace[] = []
  for (const collection of inPlaces(all)) {
    const { id, parent } = place(collection)
    const title = shorten(someText(collection.title) ?? 'Untitled', LONGEST_TITLE)
    const what = reportLabel('Collection', title)
    if (parent !== undefined && !ids.has(parent))
      reportOn(
        copying,
        'copied-differently',
        what,
        'is at the top level, because the source does not return the collection above',
      )
    const above = parent === undefined ? undefined : journal.target('collection', parent)
    const made = await madeOnce(
      copying,
      { kind: 'collection', id, what },
      async () => {
        const body = { title, ...(above === undefined ? {} : { parent: above }) }
        return jsonText((await target('POST', `/orgs/${segment(to)}/collections`, body)).id)
      },
      () => unmappedLike(copying, 'collection', `/orgs/${segment(to)}/collections`, { title, parent: above }),
    )
    if (made === undefined) continue
    await doneOnce(copying, `collection ${id}`, () => {
      const description = someText(collection.description)
      const fields =
        description === undefined ? {} : { description: shorten(description, LONGEST_DESCRIPTION) }
      return writeSettings(copying, what, { path: `/collections/${segment(made)}` }, fields)
    })
    copied.push({ id, target: made, title, fields: collection })
  }
  return copied
}

/** Collections after those that contain them. A circle or an unknown parent does not keep one out. */
function inPlaces(all: readonly JsonRecord[]): JsonRecord[] {
  const inside = Map.groupBy(all, (one) => place(one).parent)
  const ids = new Set(all.map((one) => place(one).id))
  const tops = all.filter((one) => !ids.has(place(one).parent ?? ''))
  const found = new Set<JsonRecord>(tops)
  for (const one of found) for (const below of inside.get(place(one).id) ?? []) found.add(below)
  for (const one of all) found.add(one)
  return [...found]
}

const place = ({ id, parent }: JsonRecord) => ({ id: jsonText(id), parent: someText(parent) })

/** The newest of a list of the target that is like this and no copy yet: what a run made just before it was killed. */
async function unmappedLike(
  { target, journal }: Copying,
  kind: string,
  path: string,
  { title, parent }: { title: string; parent: string | undefined },
): Promise<string | undefined> {
  const all = await listed(target, path)
  const like = all.filter(
    (one) =>
      one.title === title && someText(one.parent) === parent && !journal.isTaken(kind, jsonText(one.id)),
  )
  return like
    .map(({ id }) => jsonText(id))
    .toSorted()
    .at(-1)
}

/** Copies the spaces, without their content. They can be edited until their content is complete. */
export async function copySpaces(copying: Copying): Promise<CopiedSpace[]> {
  const { source, target, from, to, journal } = copying
  const spaces = await listed(source, `/orgs/${segment(from)}/spaces`)
  await noteEarlier(copying, 'space', `/orgs/${segment(to)}/spaces`)
  const copied: CopiedSpace[] = []
  for (const [nth, space] of spaces.entries()) {
    copying.bar.show({ label: 'Spaces', done: nth, total: spaces.length })
    if (someText(space.deletedAt) !== undefined) continue
    const { id, parent } = place(space)
    const title = shorten(someText(space.title) ?? 'Untitled', LONGEST_TITLE)
    const what = reportLabel('Space', title)
    const above = parent === undefined ? undefined : journal.target('collection', parent)
    if (parent !== undefined && above === undefined)
      reportOn(copying, 'copied-differently', what, 'is at the top level, because its collection has no copy')
    const path = `/orgs/${segment(to)}/spaces`
    const made = await madeOnce(
      copying,
      { kind: 'space', id, what },
      async () => {
        const body = { title, editMode: 'live', ...(above === undefined ? {} : { parent: above }) }
        return jsonText((await target('POST', path, body)).id)
      },
      () => unmappedLike(copying, 'space', path, { title, parent: above }),
    )
    if (made === undefined) continue
    await doneOnce(copying, `space ${id}`, () =>
      writeSettings(
        copying,
        what,
        { path: `/spaces/${segment(made)}` },
        {
          ...iconOf(space),
          ...fieldsIn(space, ['language', 'languageTag']),
        },
      ),
    )
    // An earlier run closed the space, but could not complete its content.
    if (journal.target('closed', id) !== undefined && !journal.isDone(contentStep(id)))
      await writing(copying, what, () => target('PATCH', `/spaces/${segment(made)}`, { editMode: 'live' }))
    copied.push({ id, target: made, title, fields: space })
  }
  return copied
}

/** A space has an emoji or an icon. */
function iconOf({ emoji, urls }: JsonRecord): JsonRecord {
  const icon = someText(jsonRecord(urls).icon)
  if (icon !== undefined) return { icon }
  return someText(emoji) === undefined ? {} : { emoji }
}

/** The name of the step that ends when the content of a space is complete. */
export const contentStep = (space: string): string => `content of ${space}`

/** Gives a space the settings that decide who can edit its content. */
export async function closeSpace(
  copying: Copying,
  { id, target, title, fields }: CopiedSpace,
): Promise<void> {
  await writeSettings(
    copying,
    reportLabel('Space', title),
    { path: `/spaces/${segment(target)}` },
    fieldsIn(fields, ['editMode', 'mergeRules']),
  )
  copying.journal.record('closed', id, target)
}
