import { type Kysely, sql } from 'kysely'

/** Who created an organization, and the organization whose administrators are those of the installation. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema.alterTable('organization').addColumn('createdBy', 'text').execute()
  // The audit log names the creator. The first start is no user's, and its administrator is the first member.
  await sql`update "organization" set "createdBy" = coalesce(
    (select "actorId" from "auditEvent" where "organizationId" = "organization"."id"
      and "action" = 'organization.create' and "actorType" = 'user' order by "sequence" limit 1),
    (select "userId" from "member" where "organizationId" = "organization"."id"
      and "role" = 'admin' order by "joinedAt", "userId" limit 1))`.execute(db)
  await schema.createIndex('organization_by').on('organization').columns(['createdBy', 'id']).execute()
  await sql`insert into "instance" ("name", "value")
    select 'organization', "id" from "organization" order by "createdAt", "id" limit 1`.execute(db)

  await schema.createIndex('upload_by').on('upload').columns(['userId', 'expiresAt']).execute()
}
