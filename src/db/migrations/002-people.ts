import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

type Column = ColumnDefinitionBuilder
const required = (column: Column) => column.notNull()
const key = (column: Column) => column.notNull().primaryKey()
const of = (table: string) => (column: Column) => column.notNull().references(`${table}.id`)

/** Collections, grants, teams, invites, local accounts, custom fields, translation settings and the audit log. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db

  await schema
    .createTable('collection')
    .addColumn('id', 'text', key)
    .addColumn('organizationId', 'text', of('organization'))
    .addColumn('parent', 'text', (column) => column.references('collection.id'))
    .addColumn('position', 'text', required)
    .addColumn('title', 'text', required)
    .addColumn('description', 'text')
    .addColumn('defaultLevel', 'text')
    .addColumn('createdAt', 'text', required)
    .addColumn('updatedAt', 'text', required)
    .execute()
  await schema.createIndex('collection_of').on('collection').columns(['organizationId', 'id']).execute()
  await schema
    .createIndex('collection_in')
    .on('collection')
    .columns(['organizationId', 'parent', 'position'])
    .execute()

  await schema.alterTable('space').addColumn('parent', 'text').execute()
  await schema
    .alterTable('space')
    .addColumn('position', 'text', (column) => column.notNull().defaultTo('i'))
    .execute()
  await schema.createIndex('space_in').on('space').columns(['organizationId', 'parent', 'position']).execute()
  await schema
    .createIndex('space_listed')
    .on('space')
    .columns(['organizationId', 'deletedAt', 'id'])
    .execute()
  // The columns for counting lists, in the order of the grouping, so that counting reads no row and sorts nothing.
  await schema
    .createIndex('space_counted')
    .on('space')
    .columns(['organizationId', 'deletedAt', 'parent', 'defaultLevel'])
    .execute()

  await schema
    .createTable('team')
    .addColumn('id', 'text', key)
    .addColumn('organizationId', 'text', of('organization'))
    .addColumn('title', 'text', required)
    .addColumn('createdAt', 'text', required)
    .addColumn('updatedAt', 'text', required)
    .execute()
  await schema.createIndex('team_of').on('team').columns(['organizationId', 'id']).execute()

  await schema
    .createTable('teamMember')
    .addColumn('teamId', 'text', of('team'))
    .addColumn('userId', 'text', of('user'))
    .addColumn('role', 'text', required)
    .addColumn('createdAt', 'text', required)
    .addPrimaryKeyConstraint('teamMember_key', ['teamId', 'userId'])
    .execute()
  await schema.createIndex('teamMember_of').on('teamMember').columns(['userId', 'teamId']).execute()

  // The grantee is `granteeKind` and `granteeId`, the target `targetKind` and `targetId`. A null role is "no access".
  await schema
    .createTable('grant')
    .addColumn('targetKind', 'text', required)
    .addColumn('targetId', 'text', required)
    .addColumn('granteeKind', 'text', required)
    .addColumn('granteeId', 'text', required)
    .addColumn('organizationId', 'text', of('organization'))
    .addColumn('role', 'text')
    .addColumn('createdAt', 'text', required)
    .addPrimaryKeyConstraint('grant_key', ['targetKind', 'targetId', 'granteeKind', 'granteeId'])
    .execute()
  await schema
    .createIndex('grant_to')
    .on('grant')
    .columns(['granteeKind', 'granteeId', 'organizationId'])
    .execute()

  // Lists of members are read in either order; counts of spaces are read from the index alone.
  await schema
    .createIndex('member_joined')
    .on('member')
    .columns(['organizationId', 'joinedAt', 'userId'])
    .execute()
  await schema
    .createIndex('member_role')
    .on('member')
    .columns(['organizationId', 'role', 'joinedAt', 'userId'])
    .execute()
  await schema
    .createIndex('member_seen')
    .on('member')
    .columns(['organizationId', 'lastSeenAt', 'userId'])
    .execute()
  await schema
    .createIndex('space_levels')
    .on('space')
    .columns(['organizationId', 'deletedAt', 'parent', 'defaultLevel'])
    .execute()

  await createAccounts(db)
  await createSettings(db)
  await createAuditLog(db)
}

async function createAccounts({ schema }: Kysely<never>): Promise<void> {
  // Which addresses a letter was asked for in the last hour, whatever became of the invitation since.
  await schema
    .createTable('invitationLetter')
    .addColumn('organizationId', 'text', of('organization'))
    .addColumn('email', 'text', required)
    .addColumn('askedAt', 'text', required)
    .addPrimaryKeyConstraint('invitationLetter_key', ['organizationId', 'email', 'askedAt'])
    .execute()

  await schema
    .createTable('invite')
    .addColumn('id', 'text', key)
    .addColumn('organizationId', 'text', of('organization'))
    .addColumn('kind', 'text', required)
    .addColumn('targetId', 'text')
    .addColumn('role', 'text')
    .addColumn('email', 'text')
    .addColumn('sso', 'integer', required)
    .addColumn('secretHash', 'text')
    .addColumn('createdBy', 'text', required)
    .addColumn('createdAt', 'text', required)
    .addColumn('expiresAt', 'text')
    .addColumn('usedAt', 'text')
    .execute()
  await schema.createIndex('invite_of').on('invite').columns(['organizationId', 'id']).execute()
  await schema.createIndex('invite_secret').on('invite').column('secretHash').unique().execute()

  // The most that somebody gets who joins by themselves: what an administrator made them, or what they were when they left.
  await schema
    .createTable('roleLimit')
    .addColumn('organizationId', 'text', of('organization'))
    .addColumn('userId', 'text', of('user'))
    .addColumn('role', 'text')
    .addColumn('disabled', 'integer', required)
    .addColumn('updatedAt', 'text', required)
    .addPrimaryKeyConstraint('roleLimit_key', ['organizationId', 'userId'])
    .execute()

  await schema
    .createTable('account')
    .addColumn('userId', 'text', (column) => column.notNull().primaryKey().references('user.id'))
    .addColumn('passwordHash', 'text')
    .addColumn('emailVerifiedAt', 'text')
    .addColumn('updatedAt', 'text', required)
    .execute()

  await schema
    .createTable('accountToken')
    .addColumn('hash', 'text', key)
    .addColumn('userId', 'text', of('user'))
    .addColumn('purpose', 'text', required)
    .addColumn('organizationId', 'text')
    .addColumn('mailed', 'integer', required)
    .addColumn('createdAt', 'text', required)
    .addColumn('expiresAt', 'text', required)
    .addColumn('usedAt', 'text')
    .execute()
  await schema.createIndex('accountToken_of').on('accountToken').columns(['userId', 'purpose']).execute()

  await schema
    .alterTable('token')
    .addColumn('session', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}

async function createSettings({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('customField')
    .addColumn('id', 'text', key)
    .addColumn('organizationId', 'text', of('organization'))
    .addColumn('name', 'text', required)
    .addColumn('title', 'text', required)
    .addColumn('description', 'text', required)
    .addColumn('placeholder', 'text', required)
    .addColumn('type', 'text', required)
    .addColumn('options', 'text')
    .addColumn('createdAt', 'text', required)
    .addColumn('updatedAt', 'text', required)
    .addUniqueConstraint('customField_name', ['organizationId', 'name'])
    .execute()

  await schema
    .createTable('customFieldValue')
    .addColumn('spaceId', 'text', of('space'))
    .addColumn('customFieldId', 'text', of('customField'))
    .addColumn('value', 'text', required)
    .addPrimaryKeyConstraint('customFieldValue_key', ['spaceId', 'customFieldId'])
    .execute()
  await schema.createIndex('customFieldValue_of').on('customFieldValue').column('customFieldId').execute()

  await schema
    .createTable('translationSettings')
    .addColumn('id', 'text', key)
    .addColumn('organizationId', 'text', of('organization'))
    .addColumn('title', 'text', required)
    .addColumn('languages', 'text', required)
    .addColumn('createdAt', 'text', required)
    .addColumn('updatedAt', 'text', required)
    .execute()
  await schema
    .createIndex('translationSettings_of')
    .on('translationSettings')
    .columns(['organizationId', 'id'])
    .execute()
}

async function createAuditLog(db: Kysely<never>): Promise<void> {
  const { schema } = db

  // Append-only: each entry of an organization has the hash of the one before.
  await schema
    .createTable('auditEvent')
    .addColumn('id', 'text', key)
    .addColumn('organizationId', 'text', required)
    .addColumn('sequence', 'integer', required)
    .addColumn('occurredAt', 'text', required)
    .addColumn('action', 'text', required)
    .addColumn('actorType', 'text', required)
    .addColumn('actorId', 'text', required)
    .addColumn('actorLabel', 'text')
    .addColumn('tokenId', 'text')
    .addColumn('source', 'text', required)
    .addColumn('ip', 'text')
    .addColumn('requestId', 'text')
    .addColumn('targetType', 'text', required)
    .addColumn('targetId', 'text', required)
    .addColumn('targetLabel', 'text')
    .addColumn('payload', 'text', required)
    .addColumn('hash', 'text', required)
    .addUniqueConstraint('auditEvent_sequence', ['organizationId', 'sequence'])
    .execute()
  // For each filter of the list, in the order of the list, with the time that another filter may ask for.
  for (const [name, column] of [
    ['auditEvent_target', 'targetId'],
    ['auditEvent_action', 'action'],
    ['auditEvent_actor', 'actorId'],
  ] as const) {
    await schema
      .createIndex(name)
      .on('auditEvent')
      .columns(['organizationId', column, 'sequence', 'occurredAt'])
      .execute()
  }
  await schema
    .createIndex('auditEvent_time')
    .on('auditEvent')
    .columns(['organizationId', 'occurredAt', 'sequence'])
    .execute()
  // The end of each chain: what the next entry goes on from, and what missing entries are found by.
  await schema
    .createTable('auditChain')
    .addColumn('organizationId', 'text', key)
    .addColumn('sequence', 'integer', required)
    .addColumn('hash', 'text', required)
    .execute()
  await refuseChanges(db)
}

/** Lets the database itself refuse to change or remove what is in the audit log, whichever part of the product asks. */
async function refuseChanges(db: Kysely<never>): Promise<void> {
  const words = sql.lit('The audit log is only added to')
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    await sql`create function "auditEvent_refuse"() returns trigger language plpgsql
      as $$ begin raise exception ${words}; end $$`.execute(db)
    await sql`create trigger "auditEvent_stays" before update or delete or truncate on "auditEvent"
      for each statement execute function "auditEvent_refuse"()`.execute(db)
    return
  }
  for (const change of ['update', 'delete']) {
    await sql`create trigger ${sql.ref(`auditEvent_no_${change}`)} before ${sql.raw(change)} on "auditEvent"
      begin select raise(abort, ${words}); end`.execute(db)
  }
}
