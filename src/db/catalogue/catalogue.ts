import { type Kysely, sql } from 'kysely'

/** A table: the definition of each column and index by its name, and its constraints in order. */
export interface CataloguedTable {
  columns: Record<string, string>
  indexes: Record<string, string>
  constraints: string[]
}

/** The tables of a schema by their names, as the database describes them: each dialect in its own words. */
export type Catalogue = Record<string, CataloguedTable>

/** One column, index or constraint. */
interface Part {
  table: string
  kind: 'table' | 'column' | 'index' | 'constraint'
  name: string
  definition: string
}

/** The tables in which Kysely records migrations are its own affair. */
const OF_KYSELY = /^kysely_migration/

/** Reads the catalogue of the database: three or four queries, about 10 ms for 100 tables. */
export async function readCatalogue(db: Kysely<never>, dialect: 'sqlite' | 'postgres'): Promise<Catalogue> {
  const parts = await (dialect === 'sqlite' ? readSqlite(db) : readPostgres(db))
  const catalogue: Catalogue = {}
  for (const { table, kind, name, definition } of parts) {
    if (OF_KYSELY.test(table)) continue
    const described = (catalogue[table] ??= { columns: {}, indexes: {}, constraints: [] })
    if (kind === 'column') described.columns[name] = definition
    if (kind === 'index') described.indexes[name] = definition
    if (kind === 'constraint') described.constraints.push(definition)
  }
  for (const { constraints } of Object.values(catalogue)) constraints.sort()
  return catalogue
}

async function readSqlite(db: Kysely<never>): Promise<Part[]> {
  // Shadow tables belong to a virtual table, and depend on the version of SQLite.
  const tables = sql`(select "name" from pragma_table_list
    where "schema" = 'main' and "type" in ('table', 'virtual') and "name" not like 'sqlite\_%' escape '\\') as m`
  const columns = await sql<Part>`select m."name" as "table", 'column' as "kind", c."name" as "name",
      lower(c."type") || case when c."notnull" then ' not null' else '' end
        || coalesce(' default ' || c."dflt_value", '') as "definition"
    from ${tables} join pragma_table_info(m."name") as c order by m."name", c."cid"`.execute(db)
  const indexes =
    await sql<Part>`select "tbl_name" as "table", 'index' as "kind", "name", "sql" as "definition"
    from sqlite_schema where "type" = 'index' and "sql" is not null order by "tbl_name", "name"`.execute(db)
  // Keys that a table declares have an index without a statement.
  const keys = await sql<Part>`select m."name" as "table", 'constraint' as "kind", i."name" as "name",
      case i."origin" when 'pk' then 'primary key' else 'unique' end || ' (' || (
        select group_concat(x."name", ', ') from pragma_index_info(i."name") as x) || ')' as "definition"
    from ${tables} join pragma_index_list(m."name") as i where i."origin" in ('pk', 'u')`.execute(db)
  const references = await sql<Part>`select m."name" as "table", 'constraint' as "kind", '' as "name",
      'foreign key (' || group_concat(f."from", ', ') || ') references ' || f."table" || ' ('
        || coalesce(group_concat(f."to", ', '), '') || ')'
        || case f."on_delete" when 'NO ACTION' then '' else ' on delete ' || lower(f."on_delete") end as "definition"
    from ${tables} join pragma_foreign_key_list(m."name") as f group by m."name", f."id"`.execute(db)
  return [
    ...columns.rows,
    ...indexes.rows.map((part) => ({ ...part, definition: withoutName(part.definition) })),
    ...keys.rows,
    ...references.rows,
  ]
}

/** What follows the name of the table in `create [unique] index "name" on "table" …`. */
function withoutName(statement: string): string {
  const [, unique, rest = ''] =
    /^create (unique )?index .*? on (?:"[^"]+"|\w+) (.*)$/is.exec(statement.replaceAll(/\s+/g, ' ')) ?? []
  return `${unique ? 'unique ' : ''}${rest}`
}

async function readPostgres(db: Kysely<never>): Promise<Part[]> {
  const columns = await sql<Part>`select c.relname as "table", 'column' as "kind", a.attname as "name",
      format_type(a.atttypid, a.atttypmod)
        || case when a.attcollation <> t.typcollation then ' collate ' || l.collname else '' end
        || case when a.attnotnull then ' not null' else '' end
        || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as "definition"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid
      left join pg_collation l on l.oid = a.attcollation
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    order by c.relname, a.attnum`.execute(db)
  const indexes = await sql<Part>`select c.relname as "table", 'index' as "kind", n.relname as "name",
      case when i.indisunique then 'unique ' else '' end
        || regexp_replace(pg_get_indexdef(i.indexrelid), '^.*? USING ', '') as "definition"
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_class n on n.oid = i.indexrelid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and not exists (select from pg_constraint where conindid = i.indexrelid and contype in ('p', 'u', 'x'))
    order by c.relname, n.relname`.execute(db)
  const constraints =
    await sql<Part>`select c.relname as "table", 'constraint' as "kind", o.conname as "name",
      pg_get_constraintdef(o.oid) as "definition"
    from pg_constraint o join pg_class c on c.oid = o.conrelid
    where c.relnamespace = current_schema()::regnamespace and o.contype in ('p', 'u', 'f', 'c', 'x')`.execute(
      db,
    )
  return [...columns.rows, ...indexes.rows, ...constraints.rows]
}
