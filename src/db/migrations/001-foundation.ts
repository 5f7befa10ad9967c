import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'

type Column = ColumnDefinitionBuilder
const required = (column: Column) => column.notNull()
const key = (column: Column) => column.notNull().primaryKey()

/** Organizations, people, tokens, spaces with their revisions, sites and jobs. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db

  await schema
    .createTable('instance')
    .addColumn('name', 'text', key)
    .addColumn('value', 'text', required)
    .execute()

  await schema
    .createTable('user')
    .addColumn('id', 'text', key)
    .addColumn('displayName', 'text', required)
    .addColumn('email', 'text', (column) => column.unique())
    .addColumn('photoUrl', 'text')
    .addColumn('createdAt', 'text', required)
    .addColumn('updatedAt', 'text', required)
    .execute()

  await schema
    .createTable('organization')
    .addColumn('id', 'text', key)
    .addColumn('title', 'text', required)
    .addColumn('hostname', 'text', (column) => column.notNull().unique())
    .addColumn('type', 'text', required)
    .addColumn('useCase', 'text')
    .addColumn('communityType', 'text')
    .addColumn('emailDomains', 'text', required)
    .addColumn('defaultRole', 'text')
    .addColumn('defaultContent', 'text')
    .addColumn('logo', 'text')
    .addColumn('sso', 'integer', required)
    .addColumn('ai', 'integer', required)
    .addColumn('inviteLinks', 'integer', required)
    .addColumn('mergeRules', 'text', required)
    .addColumn('createdAt', 'text', required)
    .addColumn('updatedAt', 'text', required)
    .execute()

  await schema
    .createTable('member')
    .addColumn('organizationId', 'text', (column) => column.notNull().references('organization.id'))
    .addColumn('userId', 'text', (column) => column.notNull().references('user.id'))
    .addColumn('role', 'text')
    .addColumn('disabled', 'integer', required)
    .addColumn('sso', 'integer', required)
    .addColumn('joinedAt', 'text', required)
    .addColumn('lastSeenAt', 'text')
    .addPrimaryKeyConstraint('member_key', ['userId', 'organizationId'])
    .execute()
  await schema.createIndex('member_of').on('member').columns(['organizationId', 'userId']).execute()

  await schema
    .createTable('token')
    .addColumn('id', 'text', key)
    .addColumn('userId', 'text', (column) => column.notNull().references('user.id'))
    .addColumn('label', 'text', required)
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('readOnly', 'integer', required)
    .addColumn('createdAt', 'text', required)
    .addColumn('expiresAt', 'text')
    .addColumn('lastUsedAt', 'text')
    .execute()
  await schema.createIndex('token_of').on('token').columns(['userId', 'id']).execute()

  await createContent(db)
  await createSites(db)

  await schema
    .createTable('job')
    .addColumn('id', 'text', key)
    .addColumn('kind', 'text', required)
    .addColumn('payload', 'text', required)
    .addColumn('dedupe', 'text')
    .addColumn('state', 'text', required)
    .addColumn('attempts', 'integer', required)
    .addColumn('runAt', 'text', required)
    .addColumn('leasedUntil', 'text')
    .addColumn('error', 'text')
    .addColumn('createdAt', 'text', required)
    .execute()
  await schema.createIndex('job_due').on('job').columns(['state', 'runAt']).execute()
  await sql`create unique index "job_dedupe" on "job" ("dedupe") where "state" = 'waiting'`.execute(db)
}

async function createContent(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('space')
    .addColumn('id', 'text', key)
    .addColumn('organizationId', 'text', (column) => column.notNull().references('organization.id'))
    .addColumn('title', 'text', required)
    .addColumn('emoji', 'text')
    .addColumn('icon', 'text')
    .addColumn('visibility', 'text', required)
    .addColumn('editMode', 'text', required)
    .addColumn('defaultLevel', 'text')
    .addColumn('language', 'text')
    .addColumn('mergeRules', 'text', required)
    .addColumn('revisionId', 'text', required)
    .addColumn('createdAt', 'text', required)
    .addColumn('updatedAt', 'text', required)
    .addColumn('deletedAt', 'text')
    .execute()
  await schema.createIndex('space_of').on('space').columns(['organizationId', 'id']).execute()

  await schema
    .createTable('revision')
    .addColumn('id', 'text', key)
    .addColumn('spaceId', 'text', (column) => column.notNull().references('space.id'))
    .addColumn('type', 'text', required)
    .addColumn('parents', 'text', required)
    .addColumn('pages', 'text')
    .addColumn('files', 'text')
    .addColumn('reusables', 'text')
    .addColumn('variables', 'text', required)
    .addColumn('redirects', 'text', required)
    .addColumn('oldPlaces', 'text')
    .addColumn('changeRequestId', 'text')
    .addColumn('sequence', 'integer', required)
    .addColumn('mergedFrom', 'text')
    .addColumn('message', 'text', required)
    .addColumn('createdBy', 'text', required)
    .addColumn('createdAt', 'text', required)
    .execute()
  await schema.createIndex('revision_of').on('revision').columns(['spaceId', 'id']).execute()
  // Two revisions cannot follow the same one, whoever writes them at once.
  await sql`create unique index "revision_primary" on "revision" ("spaceId", "sequence") where "changeRequestId" is null`.execute(
    db,
  )
  await sql`create unique index "revision_proposed" on "revision" ("changeRequestId", "sequence") where "changeRequestId" is not null`.execute(
    db,
  )

  await schema
    .createTable('node')
    .addColumn('spaceId', 'text', required)
    .addColumn('hash', 'text', required)
    .addColumn('data', 'text', required)
    .addPrimaryKeyConstraint('node_key', ['spaceId', 'hash'])
    .execute()

  await schema
    .createTable('document')
    .addColumn('spaceId', 'text', required)
    .addColumn('hash', 'text', required)
    // Before the source, which may be long: what comes first is read without it.
    .addColumn('links', 'text', required)
    .addColumn('source', 'text', required)
    .addPrimaryKeyConstraint('document_key', ['spaceId', 'hash'])
    .execute()

  await schema
    .createTable('contentImport')
    .addColumn('id', 'text', key)
    .addColumn('spaceId', 'text', required)
    .addColumn('state', 'text', required)
    .execute()
  await schema.createIndex('contentImport_of').on('contentImport').column('spaceId').execute()

  await schema
    .createTable('importedDocument')
    .addColumn('spaceId', 'text', required)
    .addColumn('hash', 'text', required)
    .addColumn('importId', 'text', required)
    .addPrimaryKeyConstraint('importedDocument_key', ['spaceId', 'hash', 'importId'])
    .execute()
  await schema.createIndex('importedDocument_of').on('importedDocument').column('importId').execute()

  await schema
    .createTable('spaceBlob')
    .addColumn('hash', 'text', required)
    .addColumn('spaceId', 'text', required)
    .addColumn('size', 'integer', required)
    .addColumn('contentType', 'text', required)
    .addPrimaryKeyConstraint('spaceBlob_key', ['hash', 'spaceId'])
    .execute()
  await schema.createIndex('spaceBlob_of').on('spaceBlob').column('spaceId').execute()

  await schema
    .createTable('upload')
    .addColumn('id', 'text', key)
    .addColumn('organizationId', 'text', (column) => column.notNull().references('organization.id'))
    .addColumn('userId', 'text', (column) => column.notNull().references('user.id'))
    .addColumn('name', 'text', required)
    .addColumn('contentType', 'text', required)
    .addColumn('size', 'integer', required)
    .addColumn('kind', 'text', required)
    .addColumn('secretHash', 'text', required)
    .addColumn('blob', 'text')
    .addColumn('createdAt', 'text', required)
    .addColumn('expiresAt', 'text', required)
    .execute()
  await schema.createIndex('upload_of').on('upload').columns(['organizationId', 'expiresAt']).execute()
}

async function createSites({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('site')
    .addColumn('id', 'text', key)
    .addColumn('organizationId', 'text', (column) => column.notNull().references('organization.id'))
    .addColumn('type', 'text', required)
    .addColumn('title', 'text', required)
    .addColumn('icon', 'text')
    .addColumn('basename', 'text', required)
    .addColumn('hostname', 'text', (column) => column.unique())
    .addColumn('visibility', 'text', required)
    .addColumn('published', 'integer', required)
    .addColumn('proxy', 'text')
    .addColumn('adaptiveContent', 'integer', required)
    .addColumn('createdAt', 'text', required)
    .addColumn('updatedAt', 'text', required)
    .addUniqueConstraint('site_basename', ['organizationId', 'basename'])
    .execute()

  await schema
    .createTable('siteSpace')
    .addColumn('id', 'text', key)
    .addColumn('siteId', 'text', (column) => column.notNull().references('site.id'))
    .addColumn('spaceId', 'text', (column) => column.notNull().references('space.id'))
    .addColumn('path', 'text', required)
    .addColumn('isDefault', 'integer', required)
    .addColumn('position', 'text', required)
    .addColumn('createdAt', 'text', required)
    .addUniqueConstraint('siteSpace_path', ['siteId', 'path'])
    .addUniqueConstraint('siteSpace_space', ['siteId', 'spaceId'])
    .execute()
  await schema.createIndex('siteSpace_of').on('siteSpace').column('spaceId').execute()
}
