import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'

type Column = ColumnDefinitionBuilder
const ofThe = (table: string) => (column: Column) =>
  column.notNull().references(`${table}.id`).onDelete('cascade')

/** Which API tokens open an organization that requires single sign-on. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('tokenAuthorization')
    .addColumn('tokenId', 'text', ofThe('token'))
    .addColumn('organizationId', 'text', (column) => column.notNull())
    .addColumn('userId', 'text', (column) => column.notNull())
    .addColumn('providerId', 'text', ofThe('identityProvider'))
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('tokenAuthorization_key', ['tokenId', 'organizationId'])
    .addForeignKeyConstraint(
      'tokenAuthorization_member',
      ['userId', 'organizationId'],
      'member',
      ['userId', 'organizationId'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute()
  const index = (name: string, columns: string[]) =>
    schema.createIndex(`tokenAuthorization_${name}`).on('tokenAuthorization').columns(columns).execute()
  await index('of', ['organizationId', 'tokenId'])
  // Removing a member or a provider looks for what it authorized.
  await index('user', ['userId', 'organizationId'])
  await index('provider', ['providerId'])

  // Tokens that are limited to an organization were created in a session by one of its providers. The row of a token
  // does not name the provider, so only those of users whom a single provider knows go on without a new authorization.
  await sql`
    insert into "tokenAuthorization" ("tokenId", "organizationId", "userId", "providerId", "createdAt")
    select t."id", t."organizationId", t."userId", min(p."id"), t."createdAt"
    from "token" as t
    join "member" as m on m."userId" = t."userId" and m."organizationId" = t."organizationId"
    join "identity" as i on i."userId" = t."userId"
    join "identityProvider" as p on p."id" = i."providerId" and p."organizationId" = t."organizationId"
    where t."session" = 0
    group by t."id", t."organizationId", t."userId", t."createdAt"
    having count(distinct p."id") = 1`.execute(db)
}
