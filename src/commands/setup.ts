import { mkdirSync } from 'node:fs'
import { sealedBy } from '../access/credentials/sealing.ts'
import { openBlobs } from '../blobs/open.ts'
import { idSource } from '../core/data/id.ts'
import { openDatabase } from '../db/open.ts'
import { readConfig } from '../installation/config.ts'
import { runSetup, type SetupResult } from '../installation/run-setup.ts'
import { openKeyring } from '../installation/secrets.ts'
import { readLocal, refuseForeignFiles } from '../installation/setup.ts'
import { checkedSetup, readSetup, type Setup } from '../installation/setup-file.ts'
import { beginSigning } from '../model/audit/chain.ts'
import { openPrompt, printLines } from './print.ts'
import { UsageError } from './usage.ts'

/**
 * Sets up an installation without hands from a file, or by questions in a terminal. It can be run again: it changes what
 * differs from the file, and nothing else.
 */
export async function setupCommand(
  rest: string[],
  { file }: { file?: string | undefined } = {},
): Promise<void> {
  if (rest.length > 0) throw new UsageError('The command takes no names: lectern setup [--file <file>]')
  const config = readConfig(process.env)
  const from = file ?? config.setupFile
  if (from === undefined && !process.stdin.isTTY)
    throw new UsageError(
      'Name a file: lectern setup --file <file>. Without one, the command asks in a terminal',
    )
  const setup = from === undefined ? await askForSetup() : readSetup(from, process.env)

  mkdirSync(config.data, { recursive: true, mode: 0o700 })
  const db = await openDatabase(config)
  try {
    await refuseForeignFiles(db, await openBlobs(config), config)
    const signing = sealedBy(await openKeyring(db, config))
    const now = new Date()
    await beginSigning(db, signing, now)
    const result = await runSetup(db, config, signing, { setup, now, newId: idSource(() => Date.now()) })
    printLines(describeSetup(result))
    const url = config.url ?? readLocal(config.data)?.url ?? `http://localhost:${config.port}`
    if (result.first?.welcomePath)
      printLines(
        '',
        'Start the server, and open this link within seven days to set a password. It works once:',
        '',
        `  ${url}${result.first.welcomePath}`,
      )
    else if (result.first) printLines('', `Start the server, and sign in at ${url}/app`)
  } finally {
    await db.close()
  }
}

/** A line for each change of a setup. */
function describeSetup({ first, changes }: SetupResult): string[] {
  const created = first
    ? [`The organization "${first.organization.title}" with the administrator ${first.email} is created`]
    : []
  const lines = [...created, ...changes]
  return lines.length > 0 ? lines : ['Everything is as declared']
}

async function askForSetup(): Promise<Setup> {
  const { ask, askHidden, close } = openPrompt()
  try {
    const title = await ask('Name of the organization', 'Documentation')
    const hostname = await ask('Its host name: small letters, digits and "-"', 'docs')
    const email = await ask('Your e-mail address')
    const name = await ask('Your name', 'Administrator')
    const password = await askHidden('A password of at least 10 characters')
    if ((await askHidden('The password again')) !== password) throw new UsageError('The passwords differ')
    const answers = {
      organization: { title, hostname },
      administrator: { email, name, password: { env: 'answer' } },
    }
    return checkedSetup(answers, () => password, 'Your answers')
  } finally {
    close()
  }
}
