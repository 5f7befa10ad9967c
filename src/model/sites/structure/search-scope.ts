import type { Row } from '../../../db/schema.ts'
import { unknownId } from '../../../http/errors.ts'
import type { SiteStructure } from './structure.ts'

/** Which spaces of a site a search is for. */
export interface SearchScope {
  /** The field of the request that says so, for messages. */
  field: string
  mode: 'default' | 'specific' | 'all'
  currentSiteSpace?: string
  siteSpaceIds?: string[]
}

type Structure = Pick<SiteStructure, 'siteSpaces'>

/** The spaces of the scope, among those that the caller sees. @throws 400 for a space that is not among them */
export function chooseSiteSpaces(
  { siteSpaces }: Structure,
  { field, mode, currentSiteSpace, siteSpaceIds = [] }: SearchScope,
): readonly Row<'siteSpace'>[] {
  if (mode === 'all') return siteSpaces
  if (mode === 'specific') {
    const byId = new Map(siteSpaces.map((one) => [one.id, one]))
    return [...new Set(siteSpaceIds)].map((id, i) => {
      const found = byId.get(id)
      if (!found) throw unknownId(`${field}.siteSpaceIds.${i}`, id, 'a space of this site')
      return found
    })
  }
  const current = siteSpaces.find(({ id }) => id === currentSiteSpace)
  if (currentSiteSpace !== undefined && !current)
    throw unknownId(
      field === 'body' ? 'body.siteSpaceId' : `${field}.currentSiteSpace`,
      currentSiteSpace,
      'a space of this site',
    )
  // In the section of the reader, the current space takes the place of the default one.
  return siteSpaces.filter(
    (one) => one === current || (one.isDefault === 1 && one.sectionId !== current?.sectionId),
  )
}
