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

/** A page, as far as trees and links show it. */
export interface PageEntry extends Pick<
  Schemas['OutlinePage'],
  'id' | 'type' | 'title' | 'path' | 'slug' | 'emoji' | 'icon'
> {
  description?: string
  pages?: PageEntry[]
}
