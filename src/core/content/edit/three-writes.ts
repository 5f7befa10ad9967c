/** A part of a page that two writers changed differently. Null means that a version has no such part. */
export interface TextConflict {
  /** The key of an entry of the front matter; absent for blocks. */
  key?: string
  base: string | null
  theirs: string | null
  mine: string | null
}

/** A page as a writer read it, as others have written it since, and as the writer wants it. */
export interface ThreeWrites {
  base: string
  theirs: string
  mine: string
}
