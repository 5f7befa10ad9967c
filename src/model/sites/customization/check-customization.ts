/** What the settings of a site may name. */
import { findSpace } from '../../../access/checks/on.ts'
import { isRecord } from '../../../core/data/is-record.ts'
import { jsonEqual } from '../../../core/data/json.ts'
import { checkExpression, CONDITION_VARIABLES } from '../../../core/expression/check.ts'
import { faultParameters } from '../../../core/languages/reasoned.ts'
import { because } from '../../../core/languages/reasons.ts'
import type { Reader } from '../../../db/schema.ts'
import { faultAt, type Fault, invalidFields, unknownIdFault } from '../../../http/errors.ts'
import type { Caller } from '../../../http/route.ts'
import type { Urls } from '../../../http/urls.ts'
import { findFontFile } from '../fonts/font.ts'
import { fontFileAt, type FontFileName } from '../fonts/font-address.ts'
import type { Customization, CustomizationChanges, FontDefinition } from './customization-settings.ts'

/** What the checks of settings need to know. */
interface Checks {
  urls: Urls
  canSee: (spaceId: string) => Promise<boolean>
  hasFont: (file: FontFileName) => Promise<boolean>
  at?: string
}

/**
 * Checks what the schema cannot: that conditions are expressions, that fonts are files of the organization or of spaces, and
 * that the caller can see the spaces which links name. What the settings had before is allowed, so that a client can send it back.
 * @param with.canSee whether the caller can see a space of the organization
 * @param with.hasFont whether the organization has a file of a font
 * @param with.at where the settings are in the request
 * @throws 400 that names the fields
 */
export async function checkCustomization(
  settings: CustomizationChanges,
  before: Customization,
  { urls, canSee, hasFont, at = 'body' }: Checks,
): Promise<void> {
  const faults = await fontFaults(settings, before, { urls, hasFont, at })
  const kept = new Set(before.header.links.map(({ condition }) => condition))
  for (const [i, link] of (settings.header?.links ?? []).entries()) {
    const condition = link?.condition ?? ''
    const parsed =
      condition.trim() && !kept.has(condition) ? checkExpression(condition, CONDITION_VARIABLES) : undefined
    if (parsed && !parsed.ok)
      faults.push(
        faultAt(`${at}.header.links.${i}.condition`, because('not-condition', faultParameters(parsed.error))),
      )
  }
  const known = new Set(spacesNamedIn(before, at).map(({ space }) => space))
  for (const { space, path } of spacesNamedIn(settings, at)) {
    if (known.has(space) || (await canSee(space))) known.add(space)
    else faults.push(unknownIdFault(path, space, 'a space of this organization'))
  }
  if (faults.length > 0) throw invalidFields(faults)
}

/** What the settings of the sites of an organization may name, for `checkCustomization`. */
export const namedIn = (
  db: Reader,
  me: Caller,
  organizationId: string,
): Pick<Checks, 'canSee' | 'hasFont'> => ({
  async canSee(id) {
    const found = await findSpace(db, me, id)
    return found?.space.deletedAt === null && found.space.organizationId === organizationId
  },
  hasFont: async (file) =>
    file.organizationId === organizationId && (await findFontFile(db, file)) !== undefined,
})

/** Fonts come from this server, so that a page asks no other one: each source is a file of a font of the organization, or of a space. */
async function fontFaults(
  { styling }: CustomizationChanges,
  before: Customization,
  { urls, hasFont, at }: Pick<Checks, 'urls' | 'hasFont'> & { at: string },
): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const name of ['font', 'headingFont', 'monospaceFont'] as const) {
    const font = styling?.[name]
    if (!isRecord(font) || jsonEqual(font, before.styling[name])) continue
    for (const [i, { sources }] of (font as FontDefinition).fontFaces.entries())
      for (const [j, { url }] of sources.entries()) {
        const file = fontFileAt(urls, url)
        const isKnown = file ? await hasFont(file) : /\.woff2?$/i.test(urls.storedFile(url)?.name ?? '')
        if (!isKnown)
          faults.push(
            faultAt(`${at}.styling.${name}.fontFaces.${i}.sources.${j}.url`, because('not-font-file')),
          )
      }
  }
  return faults
}

/** The spaces that the links of the settings name, with the path of each. */
function spacesNamedIn(value: unknown, path: string): { space: string; path: string }[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => spacesNamedIn(item, `${path}.${i}`))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const inside = spacesNamedIn(inner, `${path}.${name}`)
    if (name !== 'to' || !isRecord(inner) || typeof inner.space !== 'string') return inside
    return [...inside, { space: inner.space, path: `${path}.to.space` }]
  })
}
