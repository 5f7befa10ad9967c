/** Sites that the console creates, and how it publishes them. */
import { api } from '../api/api.ts'
import type { SitePath } from '../api/paths.ts'
import type { SiteSettings } from '../api/settings-types.ts'
import type { SiteVisibility } from '../words/site-visibility.ts'

/**
 * What readers of a new site are offered. The API leaves it off by default; a person who makes a site in the console would
 * have to find each of these.
 */
const OFFERED = {
  pdf: { enabled: true },
  feedback: { enabled: true },
  pageActions: { markdown: true, mcp: true, items: ['markdown' as const, 'mcp' as const, 'pdf' as const] },
}

/** Offers readers of a new site what most sites offer. Without it the site is as whole, and its settings have it. */
export async function offerToReaders(path: SitePath): Promise<void> {
  await api(`PUT ${path}/customization`, OFFERED).catch(() => undefined)
}

/** The choices before a site is published. */
export interface SiteChoice {
  title: string
  /** The last part of the address; undefined for the one that the server has or makes from the title. */
  basename: string | undefined
  visibility: SiteVisibility
}

/** Creates a site with one space, and publishes it. If a step is refused, the site is deleted again. */
export async function publishOnNewSite(
  organizationId: string,
  spaceId: string,
  { title, basename, visibility }: SiteChoice,
): Promise<SiteSettings> {
  const { id } = await api(`POST /orgs/${organizationId}/sites`, { title, visibility, spaces: [spaceId] })
  const path: SitePath = `/orgs/${organizationId}/sites/${id}`
  try {
    if (basename !== undefined) await api(`PATCH ${path}`, { basename })
    await offerToReaders(path)
    return await api(`POST ${path}/publish`)
  } catch (error) {
    await api(`DELETE ${path}`).catch(() => undefined)
    throw error
  }
}

/** Publishes a site that exists. */
export async function publishSite(
  path: SitePath,
  { basename, ...others }: SiteChoice,
): Promise<SiteSettings> {
  await api(`PATCH ${path}`, { ...others, ...(basename !== undefined && { basename }) })
  return api(`POST ${path}/publish`)
}
