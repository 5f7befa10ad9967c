import { parseArgs } from 'node:util'
import { ConfigError } from './config.ts'
import { auditCommand } from './commands/audit.ts'
import { importCommand } from './commands/import.ts'
import { migrateCommand, openApiCommand, serve } from './commands/serve.ts'
import { resetPasswordCommand } from './commands/reset-password.ts'
import { UsageError } from './commands/usage.ts'
import { VERSION } from './version.ts'

const HELP = `Lectern ${VERSION}: documentation with revisions, change requests and sites

lectern                     start the server
lectern migrate             bring the database up to date and end
lectern import <archive>    import a zip archive or a Markdown file into a new space and publish it as a site
    --space <id>            into this space instead
    --title <text>          title of the new space and site
    --org <id>              organization of the new space (the first one if absent)
    --no-site               do not make a site
    --url <address> --token <token>   a server elsewhere; on the server's own machine neither is needed
lectern audit verify        check that nothing in the audit logs was changed afterwards
lectern reset-password <address>   print a link to set a new password with, good once, for an hour
lectern openapi             print the OpenAPI document of the API

The README lists the environment variables that configure the server.`

/** The command line. */
export async function main(args: string[]): Promise<void> {
  try {
    await run(args)
  } catch (error) {
    const expected = error instanceof ConfigError || error instanceof UsageError
    console.error(expected ? error.message : (surroundings(error) ?? error))
    process.exitCode = 1
  }
}

/** One line for what the program cannot start without and is not its fault: a port, a host, a database. */
function surroundings(error: unknown): string | undefined {
  const first = error instanceof AggregateError ? (error.errors as unknown[])[0] : error
  if (!(first instanceof Error)) return undefined
  const { code, syscall } = first as NodeJS.ErrnoException
  if (syscall === 'listen') return `HOST and PORT: cannot listen there (${first.message})`
  if (syscall === 'connect') return `The database cannot be reached (${first.message}); see DATABASE_URL`
  // Only HOST and DATABASE_URL name hosts at the start.
  if (syscall === 'getaddrinfo') return `There is no such host: see HOST and DATABASE_URL (${first.message})`
  // The classes of PostgreSQL for a refused sign-in and for a database that is not there.
  if (code && /^(28...|3D000)$/.test(code)) return `The database refuses: ${first.message}; see DATABASE_URL`
  return undefined
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
  throw new UsageError(`There is no command "${command}".\n\n${HELP}`)
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
