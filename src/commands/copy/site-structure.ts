/** Copies the sections, groups and spaces of a site. */
import { shorten } from '../../core/text/shorten.ts'
import { RefusedCall } from '../client.ts'
import {
  type Copying,
  doneOnce,
  madeOnce,
  reportLabel,
  reading,
  reportOn,
  writeSettings,
  writing,
} from './copying.ts'
import { fieldsIn, type JsonRecord, jsonRecord, jsonRecords, segment, someText, jsonText } from './json.ts'
import { listed } from './patient-calls.ts'

/** The longest title with which a section can be created. A longer one is set later. */
const LONGEST_NEW_TITLE = 64

/** A site of the source with its copy. */
export interface CopiedSite {
  /** The path of the site in the API of the source. */
  from: string
  /** The path of its copy in the API of the target. */
  to: string
  what: string
  fields: JsonRecord
}

/** The structure of a site: sections and groups, or spaces. */
interface SiteParts {
  items: JsonRecord[]
  siteSpaces: JsonRecord[]
}

/** Copies the structure, in its order. */
export async function copySiteStructure(copying: Copying, site: CopiedSite): Promise<void> {
  const parts = await reading(copying, `${site.what}, structure`, () => readParts(copying.source, site.from))
  if (!parts) return
  for (const item of parts.siteSpaces) await copySiteSpace(copying, site, item, undefined)
  await copyItems(copying, site, parts.items, undefined)
  await chooseDefaults(copying, site, parts)
}

async function readParts(source: Copying['source'], from: string): Promise<SiteParts> {
  try {
    const { type, structure } = await source('GET', `${from}/structure`)
    const items = jsonRecords(structure)
    return type === 'siteSpaces' ? { items: [], siteSpaces: items } : { items, siteSpaces: [] }
  } catch (error) {
    if (!(error instanceof RefusedCall) || (error.status !== 404 && error.status !== 405)) throw error
  }
  // The operation is newer than the description of the API.
  const sections = await listed(source, `${from}/sections`)
  if (sections.length === 0) return { items: [], siteSpaces: await listed(source, `${from}/site-spaces`) }
  const groups = await listed(source, `${from}/section-groups`)
  const grouped = new Set(groups.flatMap((group) => jsonRecords(group.sections).map(({ id }) => id)))
  return { items: [...sections.filter(({ id }) => !grouped.has(id)), ...groups], siteSpaces: [] }
}

const isGroup = ({ object, sections, children }: JsonRecord) =>
  object === 'site-section-group' || Array.isArray(children) || Array.isArray(sections)

/** Copies what is on one level: the links last, since a site without a section takes none, and then to their places. */
async function copyItems(
  copying: Copying,
  site: CopiedSite,
  items: readonly JsonRecord[],
  group: string | undefined,
): Promise<void> {
  const links = items.filter(isLink)
  for (const item of items) if (!isLink(item)) await copyItem(copying, site, item, group)
  for (const link of links) await copyLink(copying, site, link, group)
  for (const link of links.toReversed()) {
    const next = items[items.indexOf(link) + 1]
    if (next) await placeLink(copying, site, link, next)
  }
}

const isLink = ({ object }: JsonRecord) => object === 'site-external-link'

/** Moves the copy of a link before that of the item that follows it. */
async function placeLink(
  copying: Copying,
  site: CopiedSite,
  link: JsonRecord,
  next: JsonRecord,
): Promise<void> {
  const pointerTo = (item: JsonRecord) => {
    const kind = isLink(item) ? 'link' : isGroup(item) ? 'group' : 'section'
    const type = { link: 'site-external-link', group: 'site-section-group', section: 'site-section' }[kind]
    return { type, id: copying.journal.target(kind, jsonText(item.id)) }
  }
  const [item, before] = [pointerTo(link), pointerTo(next)]
  if (item.id === undefined || before.id === undefined) return
  const what = `${site.what}, ${reportLabel('link', jsonText(link.title))}`
  await doneOnce(copying, `place of link ${jsonText(link.id)}`, () =>
    writing(copying, what, () =>
      copying.target('PATCH', `${site.to}/structure/sort`, { item, position: { before } }),
    ),
  )
}

async function copyItem(
  copying: Copying,
  site: CopiedSite,
  item: JsonRecord,
  group: string | undefined,
): Promise<void> {
  if (isGroup(item)) return copyGroup(copying, site, item, group)
  const what = `${site.what}, ${reportLabel('section', jsonText(item.title))}`
  if (!Array.isArray(item.siteSpaces))
    return reportOn(copying, 'unwritten', what, 'is no section with spaces')
  return copySection(copying, site, item, group)
}

async function copyGroup(
  copying: Copying,
  site: CopiedSite,
  group: JsonRecord,
  parent: string | undefined,
): Promise<void> {
  const { target } = copying
  const what = `${site.what}, ${reportLabel('group', jsonText(group.title))}`
  const path = `${site.to}/section-groups`
  const made = await madeOnce(
    copying,
    { kind: 'group', id: jsonText(group.id), what },
    async () => {
      const within = parent === undefined ? {} : { parent }
      return jsonText(
        (
          await target('POST', path, {
            title: someText(group.title) ?? 'Untitled',
            ...fieldsIn(group, ['icon', 'draft']),
            ...within,
          })
        ).id,
      )
    },
    () =>
      unmappedPart(
        copying,
        'group',
        path,
        ({ title, sectionGroup }) => title === group.title && someText(sectionGroup) === parent,
      ),
  )
  if (made === undefined) return
  const children = Array.isArray(group.children) ? jsonRecords(group.children) : jsonRecords(group.sections)
  await copyItems(copying, site, children, made)
}

async function copyLink(
  copying: Copying,
  site: CopiedSite,
  link: JsonRecord,
  parent: string | undefined,
): Promise<void> {
  const what = `${site.what}, ${reportLabel('link', jsonText(link.title))}`
  const path = `${site.to}/external-links`
  await madeOnce(
    copying,
    { kind: 'link', id: jsonText(link.id), what },
    async () => {
      const fields = fieldsIn(link, ['title', 'url', 'description', 'icon', 'condition', 'draft'])
      const within = parent === undefined ? {} : { parent }
      return jsonText((await copying.target('POST', path, { ...fields, ...within })).id)
    },
    () => unmappedPart(copying, 'link', path, ({ title, url }) => title === link.title && url === link.url),
  )
}

async function copySection(
  copying: Copying,
  site: CopiedSite,
  section: JsonRecord,
  group: string | undefined,
): Promise<void> {
  const { target, journal } = copying
  const title = jsonText(section.title)
  const id = jsonText(section.id)
  const what = `${site.what}, ${reportLabel('section', title)}`
  const siteSpaces = jsonRecords(section.siteSpaces)
  const first = siteSpaces.find((one) => copyOfSpace(copying, one) !== undefined)
  if (!first) return reportOn(copying, 'unwritten', what, 'none of its spaces has a copy')
  const spaceId = copyOfSpace(copying, first)
  const path = `${site.to}/sections`
  const made = await madeOnce(
    copying,
    { kind: 'section', id, what },
    async () => {
      const fields = fieldsIn(section, ['description', 'icon'])
      const names = title === '' ? {} : { title: shorten(title, LONGEST_NEW_TITLE) }
      return jsonText((await target('POST', path, { spaceId, ...names, ...fields })).id)
    },
    () =>
      unmappedPart(copying, 'section', path, (one) =>
        jsonRecords(one.siteSpaces).some(({ space }) => jsonRecord(space).id === spaceId),
      ),
  )
  if (made === undefined) return
  await noteFirstSpace(copying, path, made, { first, spaceId })
  if (group !== undefined)
    await doneOnce(copying, `place of section ${id}`, () =>
      writing(copying, what, () =>
        target('POST', `${site.to}/section-groups/${segment(group)}/sections`, { sectionId: made }),
      ),
    )
  for (const one of siteSpaces) await copySiteSpace(copying, site, one, made)
  await doneOnce(copying, `section ${id}`, async () => {
    const copy = await target('GET', `${path}/${segment(made)}`)
    await writeSettings(
      copying,
      what,
      { path: `${path}/${segment(made)}` },
      {
        ...changed(section, copy, ['title', 'path', 'condition', 'draft', 'description', 'icon']),
        ...defaultOf(siteSpaces, (one) => journal.target('site-space', one)),
      },
    )
  })
}

/** Notes the id of the site space that came with a new section. */
async function noteFirstSpace(
  { target, journal }: Copying,
  path: string,
  section: string,
  { first, spaceId }: { first: JsonRecord; spaceId: string | undefined },
): Promise<void> {
  const id = jsonText(first.id)
  if (journal.target('site-space', id) !== undefined) return
  const { siteSpaces } = await target('GET', `${path}/${segment(section)}`)
  const found = jsonRecords(siteSpaces).find(({ space }) => jsonRecord(space).id === spaceId)
  if (found) journal.record('site-space', id, jsonText(found.id))
}

async function copySiteSpace(
  copying: Copying,
  site: CopiedSite,
  siteSpace: JsonRecord,
  section: string | undefined,
): Promise<void> {
  const { target } = copying
  const id = jsonText(siteSpace.id)
  const space = jsonRecord(siteSpace.space)
  const what = `${site.what}, ${reportLabel('space', someText(siteSpace.title) ?? jsonText(space.title))}`
  const spaceId = copyOfSpace(copying, siteSpace)
  if (spaceId === undefined) return reportOn(copying, 'unwritten', what, 'the space has no copy')
  const path = `${site.to}/site-spaces`
  const made = await madeOnce(
    copying,
    { kind: 'site-space', id, what },
    async () => {
      const within = section === undefined ? {} : { sectionId: section }
      return jsonText((await target('POST', path, { spaceId, ...within })).id)
    },
    () => unmappedPart(copying, 'site-space', path, (one) => jsonRecord(one.space).id === spaceId),
  )
  if (made === undefined) return
  copying.journal.record('space of site space', id, jsonText(space.id))
  copying.journal.record(`site space of ${site.from}`, id, made)
  await doneOnce(copying, `site space ${id}`, async () => {
    const copy = await target('GET', `${path}/${segment(made)}`)
    await writeSettings(
      copying,
      what,
      { path: `${path}/${segment(made)}` },
      changed(siteSpace, copy, ['path', 'condition', 'draft']),
    )
  })
}

const copyOfSpace = ({ journal }: Copying, { space }: JsonRecord) =>
  journal.target('space', jsonText(jsonRecord(space).id))

/** The part of a site of the target that is like this and no copy yet: what a run made just before it was killed. */
async function unmappedPart(
  { target, journal }: Copying,
  kind: string,
  path: string,
  isLike: (part: JsonRecord) => boolean,
): Promise<string | undefined> {
  const all = await listed(target, path)
  return someText(all.filter((one) => isLike(one) && !journal.isTaken(kind, jsonText(one.id))).at(-1)?.id)
}

/**
 * Whether the copy shows each space and section only to readers who meet the condition that it has in the source, and no
 * draft.
 */
export async function keepsConditions(copying: Copying, site: CopiedSite): Promise<boolean> {
  const { journal, source, target } = copying
  const parts = await reading(copying, `${site.what}, conditions`, () => readParts(source, site.from))
  const copies = new Map(partsWithConditions(await readParts(target, site.to)).map((one) => [one.id, one]))
  if (!parts) return false
  return partsWithConditions(parts).every(({ kind, id, condition, draft }) => {
    const copy = copies.get(journal.target(kind, id) ?? '')
    return copy === undefined || (copy.condition === condition && copy.draft === draft)
  })
}

interface ConditionalPart {
  kind: 'section' | 'group' | 'site-space'
  id: string
  condition: string | undefined
  draft: boolean
}

function partsWithConditions({ items, siteSpaces }: SiteParts): ConditionalPart[] {
  const all = [...items]
  for (const item of all) for (const child of jsonRecords(item.children ?? item.sections)) all.push(child)
  const sections = all.filter((one) => Array.isArray(one.siteSpaces))
  const groups = all.filter((one) => Array.isArray(one.children ?? one.sections))
  const spaces = [...siteSpaces, ...sections.flatMap((one) => jsonRecords(one.siteSpaces))]
  const part = (kind: ConditionalPart['kind']) => (one: JsonRecord) => ({
    kind,
    id: jsonText(one.id),
    condition: someText(one.condition),
    draft: one.draft === true,
  })
  return [...sections.map(part('section')), ...groups.map(part('group')), ...spaces.map(part('site-space'))]
}

/** The fields that a copy has otherwise. */
export function changed(fields: JsonRecord, copy: JsonRecord, names: readonly string[]): JsonRecord {
  const differing = names.filter((name) => fields[name] !== undefined && fields[name] !== copy[name])
  return fieldsIn(fields, differing)
}

function defaultOf(
  siteSpaces: readonly JsonRecord[],
  copyOf: (id: string) => string | undefined,
): JsonRecord {
  const chosen = siteSpaces.find((one) => one.default === true)
  const copy = chosen && copyOf(jsonText(chosen.id))
  return copy === undefined ? {} : { defaultSiteSpace: copy }
}

async function chooseDefaults(
  copying: Copying,
  site: CopiedSite,
  { items, siteSpaces }: SiteParts,
): Promise<void> {
  const { journal } = copying
  const all = [...items]
  for (const item of all) for (const child of jsonRecords(item.children ?? item.sections)) all.push(child)
  const section = all.find((one) => one.default === true && Array.isArray(one.siteSpaces))
  const copy = section && journal.target('section', jsonText(section.id))
  const fields = {
    ...defaultOf(siteSpaces, (id) => journal.target('site-space', id)),
    ...(copy === undefined ? {} : { defaultSiteSection: copy }),
  }
  await doneOnce(copying, `defaults of ${site.from}`, () =>
    writeSettings(copying, site.what, { path: site.to }, fields),
  )
}
