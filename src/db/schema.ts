import type { Kysely, Selectable, Transaction } from 'kysely'

/** 0 or 1: both databases keep booleans as integers. */
export type Flag = 0 | 1
/** ISO-8601 UTC with milliseconds. */
export type Instant = string
/** JSON kept as text, parsed where a row becomes a resource. */
export type Json = string

export type Role = 'admin' | 'create' | 'review' | 'edit' | 'comment' | 'read'
export type DefaultLevel = Role | 'inherit' | null
export type SpaceVisibility =
  | 'public'
  | 'unlisted'
  | 'share-link'
  | 'visitor-auth'
  | 'in-collection'
  | 'private'
export type SiteVisibility = 'public' | 'unlisted' | 'share-link' | 'visitor-auth'
export type ChangeRequestStatus = 'draft' | 'open' | 'archived' | 'merged'
export type RevisionType = 'edits' | 'merge' | 'rollback' | 'update' | 'computed'

export interface Schema {
  /** Facts about the installation itself, by name. */
  instance: { name: string; value: string }
  user: {
    id: string
    displayName: string
    /** Lower case; unique. */
    email: string | null
    photoUrl: string | null
    createdAt: Instant
    updatedAt: Instant
  }
  organization: {
    id: string
    title: string
    hostname: string
    type: 'business' | 'community'
    useCase: string | null
    communityType: string | null
    emailDomains: Json
    defaultRole: Role | null
    defaultContent: Json | null
    logo: string | null
    sso: Flag
    ai: Flag
    inviteLinks: Flag
    mergeRules: Json
    createdAt: Instant
    updatedAt: Instant
  }
  member: {
    organizationId: string
    userId: string
    /** Null is a guest: only what is granted directly. */
    role: Role | null
    disabled: Flag
    sso: Flag
    joinedAt: Instant
    lastSeenAt: Instant | null
  }
  /** The most that a user gets who joins by themselves: what an administrator made them, or what they left as. */
  roleLimit: {
    organizationId: string
    userId: string
    role: Role | null
    /** They were disabled when they were removed, and do not come back by themselves at all. */
    disabled: Flag
    updatedAt: Instant
  }
  token: {
    id: string
    userId: string
    label: string
    /** SHA-256 of the token, hex. The token itself is nowhere. */
    hash: string
    readOnly: Flag
    /** Made by signing in with a password; ends when the password is reset. */
    session: Flag
    createdAt: Instant
    expiresAt: Instant | null
    lastUsedAt: Instant | null
  }
  space: {
    id: string
    organizationId: string
    title: string
    emoji: string | null
    icon: string | null
    visibility: SpaceVisibility
    editMode: 'live' | 'locked'
    defaultLevel: DefaultLevel
    language: string | null
    mergeRules: Json
    revisionId: string
    /** The collection it is in; null at the top level. */
    parent: string | null
    /** Order among the spaces and collections beside it (`core/order.ts`). */
    position: string
    createdAt: Instant
    updatedAt: Instant
    /** Set while it is in the trash. */
    deletedAt: Instant | null
  }
  collection: {
    id: string
    organizationId: string
    parent: string | null
    position: string
    title: string
    description: string | null
    defaultLevel: DefaultLevel
    createdAt: Instant
    updatedAt: Instant
  }
  team: { id: string; organizationId: string; title: string; createdAt: Instant; updatedAt: Instant }
  teamMember: { teamId: string; userId: string; role: 'owner' | 'member'; createdAt: Instant }
  /** A role given directly on a space or collection, to a user or a team; null is an explicit "no access". */
  grant: {
    targetKind: 'space' | 'collection'
    targetId: string
    granteeKind: 'user' | 'team'
    granteeId: string
    organizationId: string
    role: Role | null
    createdAt: Instant
  }
  invite: {
    id: string
    organizationId: string
    /** A link anyone may use, to the organization or to one of its things; or an invitation of one address. */
    kind: 'organization' | 'space' | 'collection' | 'email'
    targetId: string | null
    role: Role | null
    email: string | null
    sso: Flag
    /** Of the secret in the mail of an invited address. */
    secretHash: string | null
    createdBy: string
    createdAt: Instant
    expiresAt: Instant | null
    usedAt: Instant | null
  }
  /** A letter that was asked for within the last hour. */
  invitationLetter: { organizationId: string; email: string; askedAt: Instant }
  /** The local account of a user: argon2id, and whether the address is known to be theirs. */
  account: {
    userId: string
    passwordHash: string | null
    emailVerifiedAt: Instant | null
    updatedAt: Instant
  }
  /** A secret sent by mail, good for one use. */
  accountToken: {
    hash: string
    userId: string
    purpose: 'invitation' | 'password-reset'
    /** What an invitation invites to; null for a reset. */
    organizationId: string | null
    /** Only who reads the mail of the address has it, so that using it proves the address. */
    mailed: Flag
    createdAt: Instant
    expiresAt: Instant
    usedAt: Instant | null
  }
  customField: {
    id: string
    organizationId: string
    name: string
    title: string
    description: string
    placeholder: string
    type: 'text' | 'number' | 'boolean' | 'tags' | 'select:multi' | 'select:single'
    options: Json | null
    createdAt: Instant
    updatedAt: Instant
  }
  customFieldValue: { spaceId: string; customFieldId: string; value: Json }
  translationSettings: {
    id: string
    organizationId: string
    title: string
    languages: Json
    createdAt: Instant
    updatedAt: Instant
  }
  auditEvent: {
    id: string
    organizationId: string
    /** 1, 2, 3 … in the organization. */
    sequence: number
    occurredAt: Instant
    action: string
    actorType: string
    actorId: string
    actorLabel: string | null
    tokenId: string | null
    source: string
    ip: string | null
    requestId: string | null
    targetType: string
    targetId: string
    targetLabel: string | null
    payload: Json
    /** Of this entry and the hash of the one before. */
    hash: string
  }
  /** The last entry of the audit log of each organization. */
  auditChain: { organizationId: string; sequence: number; hash: string }
  revision: {
    id: string
    spaceId: string
    type: RevisionType
    parents: Json
    /** Roots of the persistent maps of `core/map.ts`; null is an empty map. */
    pages: string | null
    files: string | null
    reusables: string | null
    variables: Json
    /** Old path to file path, from the repository's configuration. */
    redirects: Json
    /** Root of the map of `core/old-places.ts`: where pages stood before. */
    oldPlaces: string | null
    /** The change request whose content it is; null for the primary content. */
    changeRequestId: string | null
    /** 1, 2, 3 … among the revisions of the primary content, or of the change request. */
    sequence: number
    /** Of a merge: the change request as it was merged. */
    mergedFrom: Json | null
    message: string
    createdBy: string
    createdAt: Instant
  }
  changeRequest: {
    id: string
    spaceId: string
    /** 1, 2, 3 … in the space. */
    number: number
    status: ChangeRequestStatus
    subject: string
    /** A document, as JSON. */
    description: Json | null
    /** The newest of its own, or before the first edit the one it was made from. */
    revisionId: string
    revisionInitial: string
    /** The revision of the primary content that it was last updated from. */
    revisionMergedAncestor: string | null
    /** The revision that merging it made. */
    revisionMerged: string | null
    createdBy: string
    createdAt: Instant
    updatedAt: Instant
  }
  /** Where a change request and the primary content contradict each other. */
  mergeConflict: {
    id: string
    spaceId: string
    changeRequestId: string
    /** What it is about; at most one open conflict of a change request has the same key. */
    key: string
    data: Json
    status: 'open' | 'resolved'
    resolution: Json | null
    createdAt: Instant
    resolvedAt: Instant | null
    resolvedBy: string | null
  }
  review: {
    id: string
    spaceId: string
    changeRequestId: string
    /** What was reviewed. */
    revisionId: string
    reviewerId: string
    requestedBy: string | null
    status: 'approved' | 'changes-requested'
    createdAt: Instant
    updatedAt: Instant
  }
  requestedReviewer: {
    spaceId: string
    changeRequestId: string
    userId: string
    /** The revision of the change request when the review was asked for. */
    revisionId: string
    requestedBy: string
    createdAt: Instant
  }
  comment: {
    id: string
    spaceId: string
    /** Null: of the space itself. */
    changeRequestId: string | null
    /** The review that it came with. */
    reviewId: string | null
    /** What was there when it was written. */
    revisionId: string
    pageId: string | null
    /** What the page was called then, for when it is gone. */
    page: Json | null
    nodeId: string | null
    nodePreview: string | null
    /** Markdown. */
    body: string
    status: 'open' | 'resolved'
    postedBy: string
    postedAt: Instant
    editedAt: Instant | null
    resolvedAt: Instant | null
    resolvedBy: string | null
  }
  commentReply: {
    id: string
    spaceId: string
    commentId: string
    body: string
    postedBy: string
    postedAt: Instant
    editedAt: Instant | null
  }
  /** One of a user on a comment or a reply. */
  reaction: { spaceId: string; subjectId: string; emoji: string; userId: string; reactedAt: Instant }
  /** Nodes of the persistent maps, by hash of their content. */
  node: { spaceId: string; hash: string; data: string }
  /** Markdown sources, by hash of their content. */
  /** `links`: what linking needs of the source, as JSON (`core/document/links-in.ts`). */
  document: { spaceId: string; hash: string; links: string; source: string }
  /** Which space uses which stored bytes, so that they can be freed with the last of them. */
  spaceBlob: { spaceId: string; hash: string; size: number; contentType: string }
  upload: {
    id: string
    organizationId: string
    userId: string
    name: string
    contentType: string
    size: number
    kind: 'customization_font' | 'import_file'
    /** SHA-256 of the secret in its address. */
    secretHash: string
    blob: string | null
    createdAt: Instant
    expiresAt: Instant
  }
  site: {
    id: string
    organizationId: string
    type: string
    title: string
    icon: Json | null
    basename: string
    hostname: string | null
    visibility: SiteVisibility
    published: Flag
    proxy: string | null
    adaptiveContent: Flag
    createdAt: Instant
    updatedAt: Instant
  }
  siteSpace: {
    id: string
    siteId: string
    spaceId: string
    path: string
    isDefault: Flag
    position: string
    createdAt: Instant
  }
  job: {
    id: string
    kind: string
    payload: Json
    /** At most one waiting job has the same key. */
    dedupe: string | null
    state: 'waiting' | 'done' | 'failed'
    attempts: number
    runAt: Instant
    /** Until when a worker holds it. */
    leasedUntil: Instant | null
    error: string | null
    createdAt: Instant
  }
}

/** A database that can be read and nothing else; what GET handlers get. */
export type Reader = Pick<Kysely<Schema>, 'selectFrom'>

/** An open transaction; what every other handler gets. */
export type Tx = Transaction<Schema>

/** A row as it comes out of the database. */
export type Row<T extends keyof Schema> = Selectable<Schema[T]>

export interface Database {
  dialect: 'sqlite' | 'postgres'
  read: Reader
  /**
   * Runs `work` in one transaction, which is committed when it resolves and rolled back when it throws.
   * `work` runs again after a serialization failure, so it must have no effects but those on `tx`.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}
