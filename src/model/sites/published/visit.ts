import type { PreviewedLook } from '../../../access/visitors/preview.ts'
import type { Visitor } from '../../../access/visitors/visitors.ts'
import { contextOf } from '../claims.ts'

/** How one reader sees a site: who they are, and how responses to them may be cached. */
export interface Visit {
  visitor: Visitor
  /** Distinguishes what readers see of the site; empty for what a reader without claims sees. */
  context: string
  /**
   * The caches that may store responses: all of them (`anyone`), only that of the reader's browser, which revalidates
   * each time (`reader`), or none (`nobody`).
   */
  storedBy: 'anyone' | 'reader' | 'nobody'
  /** Signs the address of a file of the site, so that it works for this reader without a cookie; undefined for open files. */
  signFile?: ((file: string) => string) | undefined
  /** The segment of the path that holds the key of a share link. */
  key?: string | undefined
  /** The reader previews the site. */
  preview?: SitePreview | undefined
}

/** A preview of a site. */
export interface SitePreview {
  userId: string
  of: Previewing
  /** The token in the address of the preview; undefined for a reader who proves the preview in another way. */
  token?: string | undefined
  look?: PreviewedLook | undefined
}

/** The content that a preview shows and that other readers do not see. */
export type Previewing =
  | { kind: 'site' }
  | { kind: 'change-request'; number: number; subject: string }
  | { kind: 'revision'; createdAt: string }

/** A visit with the claims of a visitor. */
export function visitOf(visitor: Visitor, more: Omit<Visit, 'visitor' | 'context'>): Visit {
  return { visitor, context: contextOf(visitor.claims), ...more }
}
