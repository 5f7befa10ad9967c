import type { TSchema } from 'typebox'
import { hidingTagIn, withoutHiddenIn } from '../../../core/document/markdown/hiding-tags.ts'
import { jsonEqual } from '../../../core/data/json.ts'
import type { PreviewedLook } from '../../../access/visitors/preview.ts'
import type { Reader, Tx } from '../../../db/schema.ts'
import { onlyKnown } from '../../../http/validation/validate.ts'
import {
  Customization,
  type CustomizationChanges,
  DEFAULT_CUSTOMIZATION,
  isGroup,
} from './customization-settings.ts'

/** The settings of a site and of those of its spaces that change some of them. */
export interface SiteCustomizations {
  site: Customization
  /** The settings of a space of the site: those of the site, with what the space changes. */
  ofSpace(siteSpaceId: string): Customization
  /**
   * Whether somebody chose the mode of a space. Until then it follows the device of the reader, and the settings have
   * `light`, because strict clients do not know `system`.
   */
  hasMode(siteSpaceId: string): boolean
}

/**
 * Reads the settings of a site and of its spaces.
 * @param look changes that a preview shows in place of what is stored; null is a setting that is removed
 */
export async function loadCustomizations(
  db: Reader,
  siteId: string,
  look?: PreviewedLook,
): Promise<SiteCustomizations> {
  const rows = await db
    .selectFrom('siteCustomization')
    .select(['siteSpaceId', 'settings'])
    .where('siteId', '=', siteId)
    .execute()
  const stored = new Map(
    rows.map(({ siteSpaceId, settings }) => [siteSpaceId, JSON.parse(settings) as CustomizationChanges]),
  )
  const shown = (id: string, settings: Customization) =>
    look?.siteSpaceId === id
      ? completeCustomization(changed(Customization, settings, look.changes))
      : settings
  const site = shown('', completeCustomization(stored.get('') ?? {}))
  const previewedMode = (look?.changes as CustomizationChanges | undefined)?.themes?.default
  const mode = (id: string) =>
    (look?.siteSpaceId === id && previewedMode) || (stored.get(id)?.themes?.default ?? undefined)
  return {
    site,
    hasMode: (siteSpaceId) => (mode(siteSpaceId) ?? mode('')) !== undefined,
    ofSpace(siteSpaceId) {
      const changes = stored.get(siteSpaceId)
      return shown(siteSpaceId, changes ? completeCustomization(changes, site) : site)
    },
  }
}

/** The settings as readers see them: without conditions in texts, where nothing evaluates them. */
export function shownCustomization(settings: Customization): Customization {
  if (hidingTagIn(settings) === undefined) return settings
  const { header } = settings
  const links = header.links.map(({ condition, ...link }) => ({
    ...withoutHiddenIn(link),
    ...(condition === undefined ? {} : { condition }),
  }))
  return { ...withoutHiddenIn(settings), header: { ...withoutHiddenIn(header), links } }
}

/** Replaces the settings of a site; settings that are absent or null get their defaults. */
export async function storeCustomization(
  tx: Tx,
  siteId: string,
  settings: CustomizationChanges,
  now: Date,
): Promise<Customization> {
  const { site, hasMode } = await loadCustomizations(tx, siteId)
  const complete = completeCustomization(withDerived(settings, site))
  const { toggeable } = complete.themes
  const isChosen = settings.themes?.default && (hasMode('') || !sendsBack(settings.themes, site.themes))
  const chosen = { ...complete, themes: isChosen ? complete.themes : { toggeable } }
  await writeSettings(tx, { siteId, siteSpaceId: '', settings: chosen, now })
  return complete
}

/**
 * Changes what a space of a site overrides: null removes an override, and absent settings are kept. A setting that
 * already has the value is not overridden, so that a client can send back what it read.
 */
export async function storeOverrides(
  tx: Tx,
  place: { siteId: string; siteSpaceId: string },
  changes: CustomizationChanges,
  now: Date,
): Promise<Customization> {
  const row = await tx
    .selectFrom('siteCustomization')
    .select('settings')
    .where('siteId', '=', place.siteId)
    .where('siteSpaceId', '=', place.siteSpaceId)
    .executeTakeFirst()
  const before = row ? (JSON.parse(row.settings) as Settings) : {}
  const { ofSpace, hasMode } = await loadCustomizations(tx, place.siteId)
  const shown = ofSpace(place.siteSpaceId)
  const { themes } = changes
  const choosesMode = themes?.default && !hasMode(place.siteSpaceId) && !sendsBack(themes, shown.themes)
  const known = choosesMode ? { ...shown, themes: { toggeable: shown.themes.toggeable } } : shown
  const settings = changed(
    Customization,
    before,
    different(Customization, withDerived(changes, shown), known),
  )
  if (Object.keys(settings).length > 0) await writeSettings(tx, { ...place, settings, now })
  else await deleteOverrides(tx, place)
  return (await loadCustomizations(tx, place.siteId)).ofSpace(place.siteSpaceId)
}

/** Removes what a space of a site overrides. @returns whether there was anything */
export async function deleteOverrides(
  tx: Tx,
  { siteId, siteSpaceId }: { siteId: string; siteSpaceId: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('siteCustomization')
    .where('siteId', '=', siteId)
    .where('siteSpaceId', '=', siteSpaceId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Gives a space of a site what another one overrides. */
export async function copyOverrides(
  tx: Tx,
  siteId: string,
  { from, to, now }: { from: string; to: string; now: Date },
): Promise<void> {
  const found = await tx
    .selectFrom('siteCustomization')
    .select('settings')
    .where('siteId', '=', siteId)
    .where('siteSpaceId', '=', from)
    .executeTakeFirst()
  if (!found) return
  const settings = JSON.parse(found.settings) as CustomizationChanges
  await writeSettings(tx, { siteId, siteSpaceId: to, settings, now })
}

/** Whether these are the themes that the settings have, and no choice of a mode. */
function sendsBack(
  themes: NonNullable<CustomizationChanges['themes']>,
  shown: Customization['themes'],
): boolean {
  return themes.default === shown.default && themes.toggeable === shown.toggeable
}

async function writeSettings(
  tx: Tx,
  fields: { siteId: string; siteSpaceId: string; settings: object; now: Date },
): Promise<void> {
  const { siteId, siteSpaceId, now } = fields
  const set = { settings: JSON.stringify(fields.settings), updatedAt: now.toISOString() }
  await tx
    .insertInto('siteCustomization')
    .values({ siteId, siteSpaceId, ...set })
    .onConflict((known) => known.columns(['siteId', 'siteSpaceId']).doUpdateSet(set))
    .execute()
}

/** All settings: these, and for each one that is absent that of the base. */
function completeCustomization(
  settings: CustomizationChanges,
  base: Customization = DEFAULT_CUSTOMIZATION,
): Customization {
  const complete = changed(Customization, base, withDerived(settings), false) as Customization
  return { ...complete, pageActions: { ...complete.pageActions, items: pageActionsOf(complete) } }
}

type Settings = Record<string, unknown>

/** The settings with these changes. If `removes`, null removes a setting; otherwise null leaves it as it is. */
function changed(schema: TSchema, before: Settings, changes: Settings, removes = true): Settings {
  const { properties } = schema as unknown as { properties: Record<string, TSchema> }
  const after: Settings = { ...before }
  for (const [name, inner] of Object.entries(properties)) {
    const value = changes[name]
    if (value === undefined || (value === null && !removes)) continue
    const isInner = isGroup(inner) && value !== null
    after[name] = isInner
      ? changed(inner, (before[name] ?? {}) as Settings, value as Settings, removes)
      : onlyKnown(inner, value)
    const isEmpty = isInner && Object.keys(after[name] as object).length === 0
    if (removes && (value === null || isEmpty)) delete after[name]
  }
  return after
}

/** The changes without the settings that already have their value. */
function different(schema: TSchema, changes: Settings, known: Settings): Settings {
  const { properties } = schema as unknown as { properties: Record<string, TSchema> }
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, inner]): [string, unknown][] => {
      const value = changes[name]
      if (value === undefined || jsonEqual(onlyKnown(inner, structuredClone(value)), known[name])) return []
      const isInner = isGroup(inner) && value !== null
      return [[name, isInner ? different(inner, value as Settings, (known[name] ?? {}) as Settings) : value]]
    }),
  )
}

/**
 * The list of page actions decides on its settings: a client that knows only the list sends no switch for each, and one
 * that changes it may send the switches as they were. A list that is the one shown before decides only on what is not
 * sent, because a client that changes a switch may send it back.
 */
function withDerived(settings: CustomizationChanges, shown?: Customization): Settings {
  const { pageActions, ...others } = settings
  if (!pageActions) return settings
  const { items, ...switches } = pageActions
  if (!items) return { ...others, pageActions: switches }
  const has = (action: (typeof items)[number]) => items.includes(action)
  const listed = { externalAI: has('external-ai'), markdown: has('markdown'), mcp: has('mcp') }
  const git = { showEditLink: has('git') }
  const pdf = { enabled: has('pdf') }
  if (shown && !jsonEqual(items, shown.pageActions.items))
    return {
      ...others,
      pageActions: { ...listed, items },
      git,
      pdf: { ...others.pdf, ...pdf },
    }
  return {
    ...others,
    pageActions: { ...listed, ...switches, items },
    git: others.git ?? git,
    pdf: others.pdf ?? pdf,
  }
}

/** The page actions that the settings switch on, in the order of a list; others follow. */
function pageActionsOf({ ai, pageActions, git, pdf }: Customization): Customization['pageActions']['items'] {
  const on = [
    ...(ai.mode === 'assistant' ? (['assistant'] as const) : []),
    ...(pageActions.externalAI ? (['external-ai'] as const) : []),
    ...(pageActions.markdown ? (['markdown'] as const) : []),
    ...(pageActions.mcp ? (['mcp'] as const) : []),
    ...(git.showEditLink ? (['git'] as const) : []),
    ...(pdf.enabled ? (['pdf'] as const) : []),
  ]
  const listed = [...new Set(pageActions.items)].filter((action) => on.includes(action))
  return [...listed, ...on.filter((action) => !listed.includes(action))]
}
