/** Where the browser keeps the source of a page until it is saved. */
import { stored } from '../../api/browser-storage.ts'
import { contentOf, type PagePlace } from '../../api/page-place.ts'

/** The name in the storage of the browser. */
export const keptSourceAt = (place: PagePlace) => `unsaved source ${contentOf(place)} ${place.page}`

/** True if the browser keeps a source of the page that was not saved. */
export const hasUnsavedSource = (place: PagePlace): boolean => stored(keptSourceAt(place)) !== undefined
