import type { Keyring } from '../access/credentials/keyring.ts'
import type { Blobs } from '../blobs/blobs.ts'
import type { AppFiles } from '../console/serve/app.ts'
import type { Database } from '../db/schema.ts'
import type { ListeningLimits } from '../effects/streams.ts'
import type { Lookup } from '../http/outgoing/connect.ts'
import type { Route, Services } from '../http/route.ts'
import type { Config } from '../installation/config.ts'
import type { Mail } from '../mail/mail.ts'
import type { Telemetry } from './telemetry.ts'

/** What a server is built from. Tests replace what reaches other machines, and the clock. */
export interface Parts {
  config: Config
  db: Database
  blobs: Blobs
  /** The secrets that seal and sign. */
  keyring: Keyring
  clock?: () => Date
  newId?: () => string
  /** Instead of the DNS of the machine. */
  resolveTxt?: Services['resolveTxt'] | undefined
  /** Instead of the resolver of the machine, for the hosts of outgoing requests. */
  lookup?: Lookup | undefined
  /** Instead of the configured mail server. */
  mail?: Mail | undefined
  /** Instead of the bounds of the streams of events. */
  listening?: Partial<ListeningLimits> | undefined
  /** Instead of the console that is built once. */
  console?: AppFiles | undefined
  /** Gets the lines of the log, instead of standard output. */
  logTo?: { write(line: string): void } | undefined
  /** What the server reports of itself; by default, nothing. */
  telemetry?: Telemetry | undefined
  /** Receives every response body before it is sent. Tests check it against its schema. */
  inspect?: ((route: Route, answer: unknown) => void) | undefined
}
