import type { Instant, JsonText } from './columns.ts'

export interface SourceTables {
  /** The source that a space is kept equal to. */
  spaceSource: {
    spaceId: string
    /** Identifies the source among those of an organization: a SHA-256 in hex that the client made. */
    key: string
    kind: 'archive' | 'folder' | 'git'
    /** The name of the archive, the folder or the repository. */
    name: string
    /** The address of the repository, without credentials. */
    url: string | null
    branch: string | null
    /** The folder of the documentation in the repository. */
    path: string | null
    /** The commit of `content`. */
    oid: string | null
    /** What the source had at the last sync (`SourceContent` in `model/proposals/space-source.ts`): the base of merges. */
    content: JsonText
    /** The revision of the space that has this content, and the edits of users. */
    revisionId: string
    /** What a change request of a sync proposes (`SyncProposal`), until it is merged or archived. */
    proposal: JsonText | null
    syncedBy: string
    syncedAt: Instant
  }
}
