/** Where the pages of change requests are. */

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
export const changeRequestOf = ({ spaceId, number }: Omit<PagePlace, 'page'>): `/${string}` =>
  `/spaces/${spaceId}/change-requests/${number}`

/** The path of the content of a change request below `/v1`. */
export const contentOf = (place: Omit<PagePlace, 'page'>): `/${string}` => `${changeRequestOf(place)}/content`

/** The path of the fields of a page below `/v1`. */
export const pageFieldsAt = (content: string, id: string): `/${string}` =>
  `${content as `/${string}`}/page/${id}?descendants=false&format=none&computed=false`

/** The name of a page among all of this server. */
export const placeName = (place: PagePlace) => `${contentOf(place)} ${place.page}`
