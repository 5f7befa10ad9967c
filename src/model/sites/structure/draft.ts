import { Type } from 'typebox'

/** Whether a part of a site, or a redirect, is a draft. */
export const Draft = Type.Boolean({ description: 'A draft is shown only in previews of the site' })

/** Fields to write, with `draft` as it is stored. */
export function withDraft<T extends { draft?: boolean | undefined }>({ draft, ...fields }: T) {
  return { ...fields, ...(draft === undefined ? {} : { draft: draft ? (1 as const) : (0 as const) }) }
}
