import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ConfigError } from './config.ts'
import { auditCommand } from './commands/audit.ts'
import { importCommand } from './commands/import.ts'
import { migrateCommand, openApiCommand, serve } from './commands/serve.ts'
import { resetPasswordCommand } from './commands/reset-password.ts'
import { UsageError } from './commands/usage.ts'
import { databaseFault, DatabaseUnreachable, isBusy } from './db/errors.ts'
import { VERSION } from './version.ts'

const HELP = `Lectern ${VERSION}: documentation with revisions, change requests and sites

lectern                     start the server
lectern migrate             migrate the database to the current schema, and exit
lectern import <file>       import a .zip archive or a Markdown file into a new space, and publish it as a site
    --space <id>            import into this space instead
    --title <text>          the title of the new space and site
    --org <id>              the organization of the new space (default: your first organization)
    --no-site               do not create a site
    --url <url>             the server to import into (default: the server on this machine)
    --token <token>         an API token of that server (default: the token of the server on this machine)
lectern audit verify        check that no entry of the audit logs was changed or deleted
lectern reset-password <email>   print a link to set a new password; it works once, within an hour
lectern openapi             print the OpenAPI document

The README lists the environment variables that configure the server.`

/** Runs the command line. */
export async function main(args: string[]): Promise<void> {
  try {
    await run(args)
  } catch (error) {
    const expected = error instanceof ConfigError || error instanceof UsageError
    console.error(expected ? error.message : (environmentFault(error) ?? error))
    process.exitCode = 1
  }
}

/** One line about a fault of the environment (a port, a host, the database, a disk), or undefined for any other error. */
function environmentFault(error: unknown): string | undefined {
  const outer = error instanceof DatabaseUnreachable ? error.cause : error
  const first = outer instanceof AggregateError ? (outer.errors as unknown[])[0] : outer
  if (!(first instanceof Error)) return undefined
  const { code, syscall, path } = first as NodeJS.ErrnoException
  if (isBusy(first)) return 'The database is locked by another process. Stop that process, or try again later'
  if (syscall === 'listen') return `Cannot listen on HOST and PORT (${first.message})`
  if (syscall === 'connect') return `The database cannot be reached (${first.message}); check DATABASE_URL`
  // At the start, only HOST and DATABASE_URL contain host names.
  if (syscall === 'getaddrinfo')
    return `A host name cannot be resolved (${first.message}); check HOST and DATABASE_URL`
  // PostgreSQL's error class 28, invalid authorization, and 3D000, a database that does not exist.
  if (code && /^(28...|3D000)$/.test(code))
    return `The database rejected the connection: ${first.message}; check DATABASE_URL`
  if (error instanceof DatabaseUnreachable) return `${error.message}; check DATABASE_URL`
  if (path && isInData(path)) return `The data folder cannot be used (${first.message}); check LECTERN_DATA`
  return storageMessage(first)
}

function isInData(path: string): boolean {
  const data = resolve(process.env.LECTERN_DATA ?? 'data')
  return path === data || path.startsWith(`${data}/`)
}

function storageMessage(error: Error): string | undefined {
  const fault = databaseFault(error)
  if (fault === 'damaged')
    return `The database is damaged, or not a database (${error.message}); restore a backup`
  if (fault === 'full') return `The disk of the database is full (${error.message})`
  if (fault === 'read-only') return `The database cannot be written (${error.message}); check its permissions`
  return fault && `The database cannot be opened (${error.message}); check LECTERN_DATA or DATABASE_URL`
}

async function run(args: string[]): Promise<void> {
  const { values, positionals } = parse(args)
  const [command = 'serve', ...rest] = positionals

  if (values.help || command === 'help') return console.log(HELP)
  if (values.version || command === 'version') return console.log(VERSION)
  if (command === 'serve') return serve()
  if (command === 'migrate') return migrateCommand()
  if (command === 'audit') return auditCommand(rest)
  if (command === 'reset-password') return resetPasswordCommand(rest)
  if (command === 'openapi') return openApiCommand()
  if (command === 'import') return importCommand(rest, values)
  throw new UsageError(`Unknown command "${command}".\n\n${HELP}`)
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      allowNegative: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        space: { type: 'string' },
        title: { type: 'string' },
        org: { type: 'string' },
        site: { type: 'boolean', default: true },
        url: { type: 'string' },
        token: { type: 'string' },
      },
    })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${HELP}`)
  }
}

if (import.meta.main) await main(process.argv.slice(2))
