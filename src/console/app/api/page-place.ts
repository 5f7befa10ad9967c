/** Where the pages of change requests are. */
import type { ContentPath } from './paths.ts'

/** A page of a change request. */
export interface PagePlace {
  spaceId: string
  /** The number of the change request. */
  number: string
  page: string
  /** The id is that of a reusable content. */
  isReusable?: boolean
}

/** The path of a change request below `/v1`. */
export const changeRequestOf = ({ spaceId, number }: Omit<PagePlace, 'page'>) =>
  `/spaces/${spaceId}/change-requests/${number}` as const

/** The path of the content of a change request below `/v1`. */
export const contentOf = (place: Omit<PagePlace, 'page'>) => `${changeRequestOf(place)}/content` as const

/** The path of the fields of a page below `/v1`. */
export const pageFieldsAt = (content: ContentPath, id: string) =>
  `${content}/page/${id}?descendants=false&format=none&computed=false` as const

/** The name of a page among all of this server. */
export const placeName = (place: PagePlace) => `${contentOf(place)} ${place.page}`
