import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const INSTALLATION = join(import.meta.dirname, '../src/installation')
/** The files that read variables of Lectern. Those of OpenTelemetry are not its own. */
const READERS = ['config', 'mail-config', 'metrics-config']

/** The names of the environment variables that configure Lectern, from the code that reads them. */
export const CONFIG_VARIABLES: ReadonlySet<string> = new Set(
  READERS.flatMap((name) => configVariablesIn(readFileSync(join(INSTALLATION, `${name}.ts`), 'utf8'), "'")),
)

/** The names of variables in a text that are between two quotation marks. */
export function configVariablesIn(text: string, mark: "'" | '`'): string[] {
  return (
    text.match(new RegExp(`(?<=${mark})(PORT|HOST|DATABASE_URL|LECTERN_[A-Z0-9_]+)(?=${mark})`, 'g')) ?? []
  )
}
