/** The names that the console has for resources of the API. */
import type { Schemas } from './operations/schemas.ts'

export type User = Schemas['User']
/** The user who is signed in. */
export type Caller = Schemas['AuthenticatedUser']
export type Organization = Schemas['Organization']
export type Space = Schemas['Space']
export type ChangeRequest = Schemas['ChangeRequest']
/** Markdown as a document, with what it does not show as its author meant it. */
export type ConvertedMarkdown = Schemas['ConvertedMarkdown']

/** The fields that all variants have, and those that only some have. */
export type AnyOf<T, Name extends PropertyKey = T extends unknown ? keyof T : never> = Pick<T, keyof T> & {
  [K in Exclude<Name, keyof T>]?: T extends unknown ? (K extends keyof T ? T[K] : never) : never
}

/** A page with the fields of all its types. */
export type AnyPage = AnyOf<Schemas['Page']>

/** A page, as far as trees and links show it. */
export interface PageEntry extends Pick<
  Schemas['OutlinePage'],
  'id' | 'type' | 'title' | 'path' | 'slug' | 'emoji' | 'icon'
> {
  description?: string
  pages?: PageEntry[]
}
