/** The parts of the API's resources that the console shows. */
import type { DocumentNode } from './nodes.ts'

export type { DocumentNode } from './nodes.ts'

export interface User {
  id: string
  displayName: string
  email?: string
  photoURL?: string
  language?: string
  /** Only of the caller. */
  permissions?: { createOrganization: boolean }
  /** Only of the caller, and only if the number of organizations that they may create is limited. */
  organizationLimit?: number
}

export interface Organization {
  id: string
  title: string
  urls?: { logo?: string }
  permissions?: Record<string, boolean>
}

export interface Space {
  id: string
  title: string
  emoji?: string
  organization: string
  /** The collection that it is in. */
  parent?: string
  editMode: 'live' | 'locked'
  revision: string
  permissions?: Record<string, boolean>
  urls: { app: string; published?: string }
}

export interface PageEntry {
  id: string
  type: 'document' | 'group' | 'link' | 'computed'
  title: string
  path?: string
  slug?: string
  emoji?: string
  icon?: string
  description?: string
  pages?: PageEntry[]
}

export interface ChangeRequest {
  id: string
  number: number
  status: 'draft' | 'open' | 'archived' | 'merged'
  subject: string
  createdBy: User
  createdAt: string
  updatedAt: string
  revision: string
  outdated: boolean
  comments?: number
  permissions?: Record<string, boolean>
  urls: { app: string }
}

export interface PageDocument {
  object: 'document'
  data: object
  nodes: DocumentNode[]
}

/** Markdown as a document, with what it does not show as its author meant it. */
export interface ConvertedMarkdown extends PageDocument {
  problems?: { line?: number; message: string }[]
}
