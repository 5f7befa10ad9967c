import { titleSchema } from '../common.ts'

/** The title of a site. */
export const SiteTitle = titleSchema(128, 2)
