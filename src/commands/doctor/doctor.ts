import { append } from '../../core/data/lists.ts'
import { type Config, ConfigError, readConfig } from '../../installation/config.ts'
import { VERSION } from '../../core/runtime/version.ts'
import { printLines } from '../print.ts'
import { UsageError } from '../usage.ts'
import { type CheckResult, checkSubject } from './check.ts'
import { checkClock, checkDatabase, checkSecret, type OpenDatabase, openAsItIs } from './database.ts'
import { checkBlobs, checkDataFolder, checkFonts, checkGit, checkNode } from './machine.ts'
import { checkAddress, checkMail } from './network.ts'

/** Runs the checks of a subject, and adds their results. */
type AddCheck = (...given: Parameters<typeof checkSubject>) => Promise<void>

const SIGNS = { ok: 'OK     ', warning: 'WARNING', fault: 'FAULT  ' }

/**
 * Checks an installation, prints each result with what to do, and ends with 1 if there are faults. It leaves nothing behind,
 * and works while the server runs and while it does not.
 */
export async function doctorCommand(
  rest: string[],
  { json = false }: { json?: boolean | undefined } = {},
): Promise<void> {
  if (rest.length > 0) throw new UsageError('The command takes no names: lectern doctor [--json]')
  const results = await examine()
  const faults = results.filter(({ status }) => status === 'fault').length
  const warnings = results.filter(({ status }) => status === 'warning').length
  if (faults > 0) process.exitCode = 1
  if (json) return printLines(JSON.stringify({ version: VERSION, faults, warnings, checks: results }))
  printLines(
    `Lectern ${VERSION}`,
    ...results.map(({ name, status, message, advice }) => [
      `${SIGNS[status]} ${name}: ${message}`,
      ...(advice === undefined ? [] : [`        → ${advice}`]),
    ]),
    `${faults} faults, ${warnings} warnings`,
  )
}

async function examine(): Promise<CheckResult[]> {
  const results = await checkSubject('node', 'Install Node 24 or 26', checkNode)
  const add: AddCheck = async (name, advice, work) => append(results, await checkSubject(name, advice, work))
  await add('git', 'Install Git again', checkGit)
  await add('fonts', 'Install Lectern again', checkFonts)
  const config = configuration(results)
  if (!config) return results
  await add('data folder', 'Correct LECTERN_DATA', (findings) => checkDataFolder(config, findings))
  await examineDatabase(config, add)
  await add('files', 'Check LECTERN_DATA, or the LECTERN_S3_ variables and the bucket', (findings) =>
    checkBlobs(config, findings),
  )
  await add('address', 'Check LECTERN_URL', (findings) => checkAddress(config, findings))
  await add(
    'mail',
    'Check LECTERN_SMTP_URL, and that this machine may connect to the mail server',
    (findings) => checkMail(config, findings),
  )
  return results
}

/** The configuration; undefined if it is invalid, so that nothing that depends on it can be checked. */
function configuration(results: CheckResult[]): Config | undefined {
  const name = 'configuration'
  try {
    const config = readConfig(process.env)
    results.push({ name, status: 'ok', message: 'the environment variables are valid' })
    return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const advice = 'Correct the variable; the README lists all of them. The other checks need it'
    for (const message of error.faults) results.push({ name, status: 'fault', message, advice })
    return undefined
  }
}

async function examineDatabase(config: Config, add: AddCheck): Promise<void> {
  let db: OpenDatabase | undefined
  let isUsable = false
  let isAbsent = false
  try {
    await add(
      'database',
      'Check LECTERN_DATA or DATABASE_URL, and that the database runs',
      async (findings) => {
        db = await openAsItIs(config)
        isAbsent = db === undefined
        if (!db) return findings.ok('the database does not exist yet; the first start creates it')
        isUsable = await checkDatabase(db, findings)
      },
    )
    const usable = isUsable ? db : undefined
    if (usable) await add('clock', 'Set the clock', (findings) => checkClock(usable, findings))
    if (usable ?? isAbsent)
      await add('secret', 'Check LECTERN_SECRET, and the file "secret" in the data folder', (findings) =>
        checkSecret(usable, config, findings),
      )
  } finally {
    await db?.close().catch(() => undefined)
  }
}
