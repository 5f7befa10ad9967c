import type { Kysely, Selectable, Transaction } from 'kysely'
import type { BurstTables } from './burst-tables.ts'
import type { ChangeTables } from './change-tables.ts'
import type { DefaultLevel, Flag, Instant, JsonText, Role } from './columns.ts'
import type { CopiesTables } from './copies-tables.ts'
import type { EventTables } from './event-tables.ts'
import type { JobTables } from './job-tables.ts'
import type { OpenApiTables } from './openapi-tables.ts'
import type { OrganizationTables } from './organization-tables.ts'
import type { SearchTables } from './search/search-tables.ts'
import type { SignInTables } from './sign-in-tables.ts'
import type { SiteTables } from './site-tables.ts'
import type { SourceTables } from './source-tables.ts'
import type { SsoTables } from './sso-tables.ts'

export type { DefaultLevel, Role } from './columns.ts'
export type SpaceVisibility =
  | 'public'
  | 'unlisted'
  | 'share-link'
  | 'visitor-auth'
  | 'in-collection'
  | 'private'
export type RevisionType = 'edits' | 'merge' | 'rollback' | 'update' | 'computed'

export interface Schema
  extends
    BurstTables,
    ChangeTables,
    CopiesTables,
    EventTables,
    JobTables,
    SiteTables,
    SearchTables,
    SignInTables,
    SourceTables,
    SsoTables,
    OpenApiTables,
    OrganizationTables {
  /** Facts about the installation itself, by name. */
  instance: { name: string; value: string }
  user: {
    id: string
    displayName: string
    /** Lower case; unique. */
    email: string | null
    /** A URL, or `photo:` and the hash of a picture that this server keeps. */
    photoUrl: string | null
    createdAt: Instant
    updatedAt: Instant
  }
  /** The spaces, collections and sites that users keep at hand. */
  favourite: { userId: string; placeId: string; createdAt: Instant }
  /** The personal settings of users, which only they see. */
  userSettings: {
    userId: string
    language: string | null
    timeZone: string | null
    /** Whether the user has closed the list of first steps. */
    firstSteps: 'closed' | null
  }
  organization: {
    id: string
    title: string
    hostname: string
    type: 'business' | 'community'
    useCase: string | null
    communityType: string | null
    emailDomains: JsonText
    defaultRole: Role | null
    defaultContent: JsonText | null
    logo: string | null
    sso: Flag
    ai: Flag
    inviteLinks: Flag
    mergeRules: JsonText
    /** Whether the addresses outside this installation are requested. */
    checkExternalLinks: Flag
    /** The user who created it, whether or not they are a member still; null if nobody knows. */
    createdBy: string | null
    createdAt: Instant
    updatedAt: Instant
  }
  member: {
    organizationId: string
    userId: string
    /** Null for a guest, who has direct grants only. */
    role: Role | null
    disabled: Flag
    sso: Flag
    joinedAt: Instant
    lastSeenAt: Instant | null
  }
  /** The highest role of a user who rejoins without an administrator: the role that they had, or were given, before. */
  roleLimit: {
    organizationId: string
    userId: string
    role: Role | null
    /** The user was disabled when they were removed, so they cannot rejoin without an administrator. */
    disabled: Flag
    updatedAt: Instant
  }
  token: {
    id: string
    userId: string
    label: string
    /** The SHA-256 of the token in hex. The token itself is not stored. */
    hash: string
    readOnly: Flag
    /** Created by a sign-in with a password; deleted when the password is reset. */
    session: Flag
    /** The only organization that the token reaches, if it was created in a session by single sign-on. */
    organizationId: string | null
    createdAt: Instant
    expiresAt: Instant | null
    lastUsedAt: Instant | null
  }
  /** A token with which an identity provider provisions the members of an organization. */
  scimToken: {
    id: string
    organizationId: string
    hash: string
    createdBy: string
    createdAt: Instant
    lastUsedAt: Instant | null
  }
  /** The data of a member from the provider of an organization. The account of the user can have another name. */
  scimUser: {
    organizationId: string
    userId: string
    userName: string
    /** The user name in lower case; unique in the organization. */
    userNameKey: string
    externalId: string | null
    displayName: string | null
    givenName: string | null
    familyName: string | null
    /** Whether SCIM created the account of the user, too. */
    created: Flag
    updatedAt: Instant
  }
  /** The data of a team from the provider of an organization. */
  scimGroup: {
    teamId: string
    organizationId: string
    displayName: string
    externalId: string | null
    updatedAt: Instant
  }
  space: {
    id: string
    organizationId: string
    title: string
    emoji: string | null
    icon: string | null
    editMode: 'live' | 'locked'
    defaultLevel: DefaultLevel
    /** A code of `LANGUAGES`. */
    language: string | null
    /** A tag (BCP 47), if the code does not say it all; of the same language as the code. */
    languageTag: string | null
    mergeRules: JsonText
    revisionId: string
    /** The id of its collection; null at the top level. */
    parent: string | null
    /** The fractional index among its siblings, spaces and collections (`core/content/tree/order.ts`). */
    position: string
    createdAt: Instant
    updatedAt: Instant
    /** Set while the space is in the trash. */
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
  /** A direct grant of a role on a space, collection or site to a user or team; null is an explicit "no access". */
  grant: {
    targetKind: 'space' | 'collection' | 'site'
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
    /** An invite link to the organization, a space or a collection, or an invitation of one email address. */
    kind: 'organization' | 'space' | 'collection' | 'email'
    targetId: string | null
    role: Role | null
    email: string | null
    sso: Flag
    /** The hash of the secret in the email of an invitation. */
    secretHash: string | null
    createdBy: string
    createdAt: Instant
    expiresAt: Instant | null
    usedAt: Instant | null
  }
  /** An e-mail of the last day, or a user that came into being through an organization. Each kind is limited separately. */
  sentEmail: {
    id: string
    kind: 'invitation' | 'account' | 'unclaimed' | 'new-user'
    address: string
    /** The address without what follows a "+", and for Gmail without dots. */
    mailbox: string
    /** The user who caused it; null if nobody was signed in. */
    userId: string | null
    organizationId: string | null
    sentAt: Instant
  }
  /** The local account of a user: the argon2id hash of the password, and whether the email address is verified. */
  account: {
    userId: string
    passwordHash: string | null
    emailVerifiedAt: Instant | null
    updatedAt: Instant
  }
  /** The hash of a secret for one use, sent by email or passed on by an administrator. */
  accountToken: {
    hash: string
    userId: string
    /** `sign-in`: a link that the operator of the server made, past single sign-on. */
    purpose: 'invitation' | 'password-reset' | 'sign-in'
    /** The organization of an invitation; null for the others. */
    organizationId: string | null
    /** True if the secret was only sent by email, so that using it verifies the address. */
    mailed: Flag
    createdAt: Instant
    expiresAt: Instant
    usedAt: Instant | null
  }
  auditEvent: {
    id: string
    organizationId: string
    /** The position in the log of the organization: 1, 2, 3 … */
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
    payload: JsonText
    /** The hash of this entry and the hash of the previous one. */
    hash: string
  }
  /** The end of the audit log of each organization. */
  auditChain: {
    organizationId: string
    sequence: number
    hash: string
    /** The HMAC of the other columns by a key that is derived from the secret of the installation. */
    signature: string
  }
  revision: {
    id: string
    spaceId: string
    type: RevisionType
    parents: JsonText
    /** Roots of the persistent maps of `core/content/prolly-tree/`; null is an empty map. */
    pages: string | null
    files: string | null
    reusables: string | null
    variables: JsonText
    /** Old paths and their files, from the repository's configuration. */
    redirects: JsonText
    /** Root of the map of former paths of pages (`core/content/old-places.ts`). */
    oldPlaces: string | null
    /** The change request that the revision belongs to; null for the primary content. */
    changeRequestId: string | null
    /** 1, 2, 3 … among the revisions of the primary content, or of the change request. */
    sequence: number
    /** For a merge, the change request at the time of the merge. */
    mergedFrom: JsonText | null
    message: string
    createdBy: string
    /** The author of the suggestion that the revision applies. */
    coAuthorId: string | null
    createdAt: Instant
    /** The burst of saves that the revision stands for: the id of its first revision. Null if no save can replace it. */
    burst: string | null
    /** The token or session of the saves of the burst. */
    burstBy: string | null
  }
  /** Nodes of the persistent maps, by hash of their content. */
  node: { spaceId: string; hash: string; data: string }
  /** Markdown sources, by hash of their content; `links` is the `DocumentLinks` of the source (`core/document/links/links-in.ts`). */
  document: { spaceId: string; hash: string; links: string; source: string }
  /**
   * Imports that have stored documents: `storing` until the transaction that names them in a revision, then `written`, or
   * `abandoned` if there was none for hours. A job ends both.
   */
  contentImport: { id: string; spaceId: string; state: 'storing' | 'written' | 'abandoned' }
  /** Documents that no revision may name yet, with the imports that will. */
  importedDocument: { spaceId: string; hash: string; importId: string }
  /** The blobs that each space uses. A blob that no row names is removed. */
  spaceBlob: { spaceId: string; hash: string; size: number; contentType: string }
  upload: {
    id: string
    organizationId: string
    userId: string
    name: string
    contentType: string
    size: number
    kind: 'customization_font' | 'import_file'
    /** The SHA-256 of the secret in the upload's address. */
    secretHash: string
    blob: string | null
    createdAt: Instant
    expiresAt: Instant
  }
}

/** A database that can only be read; GET handlers get one. */
export type Reader = Pick<Kysely<Schema>, 'selectFrom'>

/** An open transaction; all other handlers get one. */
export type Tx = Transaction<Schema>

/** A row as the database returns it. */
export type Row<T extends keyof Schema> = Selectable<Schema[T]>

/** How a transaction is committed. */
export interface WriteOptions {
  /**
   * Whether the commit waits until it is on the disk; true by default. A commit that does not wait is on the disk no later
   * than the next one that does: a power cut loses only the last commits, and never one before another that it keeps. So
   * what is acknowledged to nobody, and is made again if it is lost, need not wait.
   */
  isSynced?: boolean
}

export interface Database {
  dialect: 'sqlite' | 'postgres'
  read: Reader
  /**
   * Runs `work` in one transaction, which is committed if `work` resolves and rolled back if it throws. `work` is
   * repeated after a serialization failure, so it must have no effects besides those on `tx`.
   * @throws an error for which `isBusy` is true, if another process holds the lock for too long
   */
  write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>
  /**
   * Checks that the database responds, and that it can be written again after a write failed. It can take for ever.
   * @throws an error for which `databaseFault` is defined
   */
  check(): Promise<void>
  close(): Promise<void>
  /** The path of the file of a SQLite database. */
  file?: string
  /** The connections to PostgreSQL, those of them that are idle, and how much work waits for one. */
  pool?(): { connections: number; idle: number; waiting: number }
}
