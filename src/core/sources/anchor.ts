import { decodeAddress } from '../text/file-paths.ts'
import { slugify } from '../text/slug.ts'

/** The anchor that an identifier of another tool becomes, both where it is set and in links to it. */
export function importedAnchor(id: string): string {
  return slugify(decodeAddress(id))
}
