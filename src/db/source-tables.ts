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
    /** The source's content at the last sync (`SourceContent` in `model/proposals/space-source.ts`): the merge base. */
    content: JsonText
    /** The revision of the space that has this content, and the edits of users. */
    revisionId: string
    /** The proposal of the last sync that made one (`SyncProposal`). The sync after its merge removes it. */
    proposal: JsonText | null
    syncedBy: string
    syncedAt: Instant
  }
  /**
   * The names in the commits of a space. A commit has the names that its users had when somebody first fetched it, so that
   * its id never changes.
   */
  commitNames: {
    spaceId: string
    /** The revision of the primary content, or the change request. */
    subjectId: string
    author: string
    committer: string
    coAuthor: string | null
  }
  /** The commits that users have pushed, each with the revision that was made of it. */
  pushedCommit: {
    /** A revision of the primary content, or of a change request. */
    revisionId: string
    spaceId: string
    /** The name of the branch that is the change request; null for main. */
    branch: string | null
    changeRequestId: string | null
    /** The revision of the primary content that the commit is based on. */
    base: string
    /** The id of the commit. */
    oid: string
    /** The blob with its objects, and those of the commits before it that the primary content lacks: a pack of git. */
    pack: string
  }
  /** The repository that the server keeps a space in step with. */
  repositoryConnection: {
    spaceId: string
    /** The address, without credentials. */
    url: string
    branch: string
    /** The folder of the documentation; empty for all of the repository. */
    path: string
    /** The `Authorization` header for the host. */
    sealedAuthorization: string | null
    intervalMinutes: number
    /** The outcome of the last sync; null before the first. */
    outcome: SyncOutcome | null
    /** Why the last sync failed or stopped (`Reasoned` in `core/languages/reasoned.ts`). */
    fault: JsonText | null
    /** The last commits that came from the repository, and that went there. */
    importedOid: string | null
    exportedOid: string | null
    /** The last revision of the space whose content the branch had. */
    sameRevisionId: string | null
    /** The user whose role allows the syncs, and who is named as their author. */
    connectedBy: string
    connectedAt: Instant
    syncedAt: Instant | null
    /** When the next sync is due; null if syncs have stopped. */
    nextSyncAt: Instant | null
    /** When the sync that runs began; null while none runs. */
    syncStartedAt: Instant | null
    /** The secret with which the host signs its webhooks; null if it sends none. */
    sealedWebhookSecret: string | null
    webhookCreatedAt: Instant | null
    /** When a webhook with a valid signature last arrived. */
    webhookReceivedAt: Instant | null
    /** The ids of the users who are notified when syncs stop; null for the administrators of the space. */
    notifiedUsers: JsonText | null
    /** When the first of the syncs ended that have failed since the last one that did not. */
    failedSince: Instant | null
    /** When users were notified that syncs have stopped; null once they work again. */
    stopNotifiedAt: Instant | null
  }
  /** A sync of a connection that changed something or failed. */
  repositorySync: {
    id: string
    spaceId: string
    outcome: SyncOutcome
    fault: JsonText | null
    importedOid: string | null
    exportedOid: string | null
    /** The number of the change request that has the changes. */
    changeRequest: number | null
    startedAt: Instant
    endedAt: Instant
  }
}

/** `waiting`: a change request has the changes, and must be decided first. `stopped`: a user has to decide how it goes on. */
export type SyncOutcome = 'synced' | 'waiting' | 'failed' | 'stopped'
