import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'

type Column = ColumnDefinitionBuilder
const required = (column: Column) => column.notNull()
const key = (column: Column) => column.notNull().primaryKey()
const ofSite = (column: Column) => column.notNull().references('site.id')

/** The structure of sites, and their readers, appearance, redirects, host names and insights. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('site')
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  // The visibility of a space follows from the sites that publish it.
  await db.schema.alterTable('space').dropColumn('visibility').execute()
  await createSections(db)
  await moveSiteSpaces(db)
  await createReaders(db)
  await createAddresses(db)
  await createInsights(db)
}

async function createSections({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('siteSectionGroup')
    .addColumn('id', 'text', key)
    .addColumn('siteId', 'text', ofSite)
    .addColumn('parent', 'text')
    .addColumn('title', 'text', required)
    .addColumn('icon', 'text')
    .addColumn('position', 'text', required)
    .addColumn('createdAt', 'text', required)
    .execute()
  await schema.createIndex('siteSectionGroup_of').on('siteSectionGroup').column('siteId').execute()

  await schema
    .createTable('siteSection')
    .addColumn('id', 'text', key)
    .addColumn('siteId', 'text', ofSite)
    .addColumn('groupId', 'text')
    .addColumn('title', 'text', required)
    .addColumn('description', 'text')
    .addColumn('path', 'text', required)
    .addColumn('isDefault', 'integer', required)
    .addColumn('condition', 'text')
    .addColumn('icon', 'text')
    .addColumn('position', 'text', required)
    .addColumn('createdAt', 'text', required)
    .addUniqueConstraint('siteSection_path', ['siteId', 'path'])
    .execute()
}

/** Paths are unique within a section, no longer within the site. SQLite cannot drop a constraint, so the table is new. */
async function moveSiteSpaces(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema.dropIndex('siteSpace_of').execute()
  await schema.alterTable('siteSpace').renameTo('siteSpaceBefore').execute()
  await schema
    .createTable('siteSpace')
    .addColumn('id', 'text', key)
    .addColumn('siteId', 'text', ofSite)
    .addColumn('spaceId', 'text', (column) => column.notNull().references('space.id'))
    .addColumn('sectionId', 'text')
    .addColumn('path', 'text', required)
    .addColumn('isDefault', 'integer', required)
    .addColumn('condition', 'text')
    .addColumn('position', 'text', required)
    .addColumn('createdAt', 'text', required)
    .execute()
  await sql`insert into "siteSpace"
    ("id", "siteId", "spaceId", "path", "isDefault", "position", "createdAt")
    select "id", "siteId", "spaceId", "path", "isDefault", "position", "createdAt" from "siteSpaceBefore"`.execute(
    db,
  )
  await schema.dropTable('siteSpaceBefore').execute()
  await sql`create unique index "siteSpace_pathInLevel"
    on "siteSpace" ("siteId", coalesce("sectionId", ''), "path")`.execute(db)
  await schema.createIndex('siteSpace_once').on('siteSpace').columns(['siteId', 'spaceId']).unique().execute()
  await schema.createIndex('siteSpace_of').on('siteSpace').column('spaceId').execute()
}

async function createReaders({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('siteShareLink')
    .addColumn('id', 'text', key)
    .addColumn('siteId', 'text', ofSite)
    .addColumn('name', 'text', required)
    .addColumn('keyHash', 'text', (column) => column.notNull().unique())
    .addColumn('sealedKey', 'text', required)
    .addColumn('active', 'integer', required)
    .addColumn('createdAt', 'text', required)
    .execute()
  await schema.createIndex('siteShareLink_of').on('siteShareLink').columns(['siteId', 'id']).execute()

  await schema
    .createTable('sitePublishingAuth')
    .addColumn('siteId', 'text', (column) => ofSite(column).primaryKey())
    .addColumn('backend', 'text', required)
    .addColumn('integration', 'text')
    .addColumn('sealedKey', 'text', required)
    .addColumn('fallbackUrl', 'text')
    .addColumn('updatedAt', 'text', required)
    .execute()

  await schema
    .createTable('siteAdaptiveSchema')
    .addColumn('siteId', 'text', (column) => ofSite(column).primaryKey())
    .addColumn('jsonSchema', 'text', required)
    .addColumn('updatedAt', 'text', required)
    .execute()

  await schema
    .createTable('siteCustomization')
    .addColumn('siteId', 'text', ofSite)
    .addColumn('siteSpaceId', 'text', required)
    .addColumn('settings', 'text', required)
    .addColumn('updatedAt', 'text', required)
    .addPrimaryKeyConstraint('siteCustomization_key', ['siteId', 'siteSpaceId'])
    .execute()
}

async function createAddresses({ schema }: Kysely<never>): Promise<void> {
  // An origin begins with a host name, which has no capitals.
  await schema
    .createIndex('site_proxy')
    .on('site')
    .expression(sql`lower("proxy")`)
    .execute()

  await schema
    .createTable('siteOldPath')
    .addColumn('siteId', 'text', ofSite)
    .addColumn('sectionId', 'text', required)
    .addColumn('path', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('targetId', 'text', required)
    .addPrimaryKeyConstraint('siteOldPath_key', ['siteId', 'sectionId', 'path'])
    .execute()

  await schema
    .createTable('siteOldBasename')
    .addColumn('organizationId', 'text', (column) => column.notNull().references('organization.id'))
    .addColumn('basename', 'text', required)
    .addColumn('siteId', 'text', ofSite)
    .addPrimaryKeyConstraint('siteOldBasename_key', ['organizationId', 'basename'])
    .execute()
  await schema.createIndex('siteOldBasename_of').on('siteOldBasename').column('siteId').execute()

  await schema
    .createTable('siteRedirect')
    .addColumn('id', 'text', key)
    .addColumn('siteId', 'text', ofSite)
    .addColumn('source', 'text', required)
    .addColumn('destination', 'text', required)
    .addColumn('permanent', 'integer', required)
    .addColumn('captureWildcard', 'integer', required)
    .addColumn('createdAt', 'text', required)
    .addColumn('updatedAt', 'text', required)
    .addUniqueConstraint('siteRedirect_source', ['siteId', 'source'])
    .execute()

  await schema
    .createTable('customHostname')
    .addColumn('hostname', 'text', key)
    .addColumn('organizationId', 'text', (column) => column.notNull().references('organization.id'))
    .addColumn('siteId', 'text')
    .addColumn('challenge', 'text', required)
    .addColumn('isActive', 'integer', required)
    .addColumn('status', 'text', required)
    .addColumn('checkedAt', 'text')
    .addColumn('createdAt', 'text', required)
    .execute()
  await schema.createIndex('customHostname_of').on('customHostname').column('organizationId').execute()
}

async function createInsights({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('insightEvent')
    .addColumn('id', 'text', key)
    .addColumn('siteId', 'text', ofSite)
    .addColumn('type', 'text', required)
    .addColumn('occurredAt', 'text', required)
    .addColumn('visitor', 'text', required)
    .addColumn('session', 'text', required)
    .addColumn('siteSection', 'text')
    .addColumn('siteSpace', 'text')
    .addColumn('space', 'text')
    .addColumn('page', 'text')
    .addColumn('path', 'text')
    .addColumn('displayContext', 'text', required)
    .addColumn('language', 'text')
    .addColumn('referrer', 'text')
    .addColumn('device', 'text')
    .addColumn('browser', 'text')
    .addColumn('os', 'text')
    .addColumn('details', 'text', required)
    .execute()
  await schema
    .createIndex('insightEvent_of')
    .on('insightEvent')
    .columns(['siteId', 'occurredAt', 'id'])
    .execute()
  await schema.createIndex('insightEvent_age').on('insightEvent').column('occurredAt').execute()

  await schema
    .createTable('insightSalt')
    .addColumn('day', 'text', key)
    .addColumn('salt', 'text', required)
    .execute()
}
