import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ConfigError } from './installation/config.ts'
import { UsageError } from './commands/usage.ts'
import { type BlobFault, BlobStoreFault } from './blobs/blobs.ts'
import { databaseFault, DatabaseUnreachable, isBusy, SchemaError } from './db/errors.ts'
import { VERSION } from './core/runtime/version.ts'
import { printLines, printError, printFault } from './commands/print.ts'

const HELP = `Lectern ${VERSION}: documentation with revisions, change requests and sites

lectern                     start the server
lectern migrate             migrate the database to the current schema, and exit
lectern setup               create the organization and the administrator; asks in a terminal
    --file <file>           a setup in YAML or JSON instead, which can be applied again
lectern import <file, folder or git URL>   import it into a new space, and publish that as a site; again, into the same space
    --source <source>       what it is, if its extension does not say it; the manual lists the sources
    --branch <branch>       the branch of a repository (default: its main branch)
    --path <folder>         only this folder of a repository or folder
    --root <folder>         the documentation tree of an archive with several
    --no-dates              leave out when files changed, so that less of a repository is read
    --space <id>            import into this space instead
    --sync                  with --space: make the space equal to the source
    --new                   make another space, although this was imported before
    --title <text>          the title of the space and a new site (default: that of the settings or the front page)
    --language <tag>        the language of the space, such as de or fa (default: that of its pages)
    --org <id>              the organization of the new space (default: your first organization)
    --site                  make a space for each documentation tree, and one site of all of them
    --no-site               do not create a site
    --quiet                 show no progress
    --report <file>         write all problems to a file that ends in .json or .md
    --allow-loss            exit with 0, not 3, if content was left out or is shown as its source
    --check-addresses <sitemap>   list the addresses of an old sitemap that have no page or redirect; exit with 3 if it lists any
    --url <url>             the server to import into (default: the server on this machine)
    --token <token>         an API token of that server (default: the token of the server on this machine)
lectern import --from <API URL>   copy an organization from a server that speaks the API; again, to continue
    --token <token>         an API token of that server (default: LECTERN_FROM_TOKEN)
    --from-org <id>         its organization (default: the only one that the token sees)
    --org <id>              the organization to copy into (default: your first organization)
    --state <file>          the file that notes what has been copied
    --no-members            invite nobody, and copy no teams
    --report, --allow-loss, --quiet   as above
    --url <url>             the server to copy to (default: the server on this machine)
    --to-token <token>      an API token of that server (default: the token of the server on this machine)
lectern sync <folder or git URL>   make the space of this source equal to it; takes the options of import
    --every <time>          again and again, such as 15m or 1h, until you stop the process
    --listen <port>         when a git host sends a webhook that is signed with LECTERN_WEBHOOK_SECRET
lectern export <space>      save a space as PDF, EPUB or archive, or push it to a git repository
    --pdf <file>, --epub <file>   the file to write
    --page <id>             only this page and everything below it
    --only                  only the page itself
    --archive <file>        the zip archive to write, which an import reads back
    --git <url>             the repository that gets one commit
    --branch <branch>       its branch, created if it is missing (default: its main branch)
    --path <folder>         the folder of the documentation in it
    --root <folder>         the documentation tree of a repository or archive with several
    --message <text>        the message of the commit
    --force                 overwrite what the space has not seen
    --source markdown       confirm that the space was imported with --source markdown; needed for repositories of tools such as Docusaurus
    --url, --token          as for import
lectern links <space>       list the broken links of a space, and exit with 1 if there are any
    --url, --token          as for import
lectern doctor              check the configuration, the database, files, mail and the address, and exit with 1 if something does not work
    --json                  print the results as JSON
lectern audit verify [<organization>]   check that no entry of the audit logs was changed or deleted
    --expect <file>         what the command printed earlier; those entries must still be there
lectern mail test <email>   send an email, and explain what the mail server refuses
lectern reindex [<space>]   make the search index of every space again, or of one; a server can run meanwhile
lectern backup done         note that a backup has ended; administrators see when the last one was
lectern jobs                list the jobs that wait, run or failed for good; a server can run meanwhile
    --state <state>         only those that are waiting, running or failed
    --kind <kind>           only those of a kind, such as send-email
    --json                  print JSON, here and for the other commands of jobs
lectern jobs retry <job>    run a failed job again
    --kind <kind>, --all    all failed jobs of a kind, or all of them
lectern jobs delete <job>   delete a failed job
lectern reset-password <email>   print a link to set a new password; it works once, within an hour
    --remove-second-factor  for a user who lost the authenticator app and the recovery codes
lectern rotate-secret       replace the secret of the installation, while servers run
    --finish                forget the earlier secret
lectern sign-in-link <email>     print a link that signs in once, within ten minutes, past single sign-on
lectern openapi publish <file or URL>   store an OpenAPI specification, and list what is wrong with it
    --slug <slug>           its name in the organization (default: the name of the file)
    --org, --url, --token   as for import
lectern openapi diff <old> <new>   list what changed between two specifications, and exit with 1 if it breaks clients
lectern openapi             print the OpenAPI document of Lectern itself
    --url <url>             the server that it names (default: http://localhost:3000)

The README lists the environment variables that configure the server.`

/** Runs the command line. */
export async function main(args: string[]): Promise<void> {
  try {
    await run(args)
  } catch (error) {
    const expected =
      error instanceof ConfigError || error instanceof UsageError || error instanceof SchemaError
    const message = expected ? error.message : environmentFault(error)
    if (message === undefined) printFault(error)
    else printError(message)
    process.exitCode = 1
  }
}

/** What is wrong with a bucket, without which a new installation does not start. The other faults are those of disks. */
const BUCKET_FAULTS: Partial<Record<BlobFault, string>> = {
  unreachable: 'cannot be reached',
  slow: 'does not respond within LECTERN_S3_TIMEOUT_SECONDS',
  busy: 'accepts no requests',
  refused: 'refuses the requests',
  invalid: 'sends responses that are not those of S3',
}

/** One line about a fault of the environment (a port, a host, the database, a bucket, a disk), or undefined for any other error. */
function environmentFault(error: unknown): string | undefined {
  if (error instanceof BlobStoreFault && error.fault in BUCKET_FAULTS)
    return `The bucket ${BUCKET_FAULTS[error.fault]} (${error.message}); check LECTERN_S3_ENDPOINT, LECTERN_S3_BUCKET and the credentials, or start again when it works`
  const hasCause = error instanceof DatabaseUnreachable || error instanceof BlobStoreFault
  const outer = hasCause ? error.cause : error
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

  if (values.help || command === 'help') return printLines(HELP.split('\n'))
  if (values.version || command === 'version') return printLines(VERSION)
  // Each command loads its own code alone: that of the server takes most of a second.
  if (command === 'serve') return void (await (await import('./commands/serve.ts')).serve())
  if (command === 'migrate') return (await import('./commands/serve.ts')).migrateCommand()
  if (command === 'audit') return (await import('./commands/audit.ts')).auditCommand(rest, values)
  if (command === 'mail') return (await import('./commands/mail.ts')).mailCommand(rest)
  if (command === 'reindex') return (await import('./commands/reindex.ts')).reindexCommand(rest)
  if (command === 'backup') return (await import('./commands/backup.ts')).backupCommand(rest)
  if (command === 'jobs') return (await import('./commands/jobs.ts')).jobsCommand(rest, values)
  if (command === 'reset-password')
    return (await import('./commands/reset-password.ts')).resetPasswordCommand(rest, values)
  if (command === 'rotate-secret')
    return (await import('./commands/rotate-secret.ts')).rotateSecretCommand(rest, values)
  if (command === 'sign-in-link') return (await import('./commands/sign-in-link.ts')).signInLinkCommand(rest)
  if (command === 'openapi' && rest[0] === 'publish')
    return (await import('./commands/openapi.ts')).publishSpecCommand(rest.slice(1), values)
  if (command === 'openapi' && rest[0] === 'diff')
    return (await import('./commands/openapi.ts')).diffSpecCommand(rest.slice(1))
  if (command === 'openapi') return (await import('./commands/serve.ts')).openApiCommand(values)
  if (command === 'import' && values.from !== undefined)
    return (await import('./commands/copy/organization.ts')).organizationCommand(rest, values)
  if (command === 'import') return (await import('./commands/import/import.ts')).importCommand(rest, values)
  if (command === 'sync') return (await import('./commands/sync/sync.ts')).syncCommand(rest, values)
  if (command === 'export') return (await import('./commands/export/export.ts')).exportCommand(rest, values)
  if (command === 'setup') return (await import('./commands/setup.ts')).setupCommand(rest, values)
  if (command === 'doctor') return (await import('./commands/doctor/doctor.ts')).doctorCommand(rest, values)
  if (command === 'links') return (await import('./commands/links.ts')).linksCommand(rest, values)
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
        sync: { type: 'boolean' },
        new: { type: 'boolean' },
        branch: { type: 'string' },
        path: { type: 'string' },
        root: { type: 'string' },
        dates: { type: 'boolean', default: true },
        source: { type: 'string' },
        title: { type: 'string' },
        language: { type: 'string' },
        org: { type: 'string' },
        slug: { type: 'string' },
        site: { type: 'boolean' },
        from: { type: 'string' },
        'from-org': { type: 'string' },
        'to-token': { type: 'string' },
        members: { type: 'boolean' },
        report: { type: 'string' },
        'allow-loss': { type: 'boolean' },
        'check-addresses': { type: 'string' },
        every: { type: 'string' },
        listen: { type: 'string' },
        quiet: { type: 'boolean' },
        url: { type: 'string' },
        token: { type: 'string' },
        finish: { type: 'boolean' },
        pdf: { type: 'string' },
        epub: { type: 'string' },
        archive: { type: 'string' },
        git: { type: 'string' },
        message: { type: 'string' },
        force: { type: 'boolean' },
        page: { type: 'string' },
        only: { type: 'boolean' },
        expect: { type: 'string' },
        state: { type: 'string' },
        kind: { type: 'string' },
        all: { type: 'boolean' },
        json: { type: 'boolean' },
        file: { type: 'string' },
        'remove-second-factor': { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${HELP}`)
  }
}

if (import.meta.main) await main(process.argv.slice(2))
