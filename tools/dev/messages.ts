/** What the server of a developer and the process that started it tell each other. */
import type { Bundle } from '../../src/console/build/files.ts'
import type { EmailMessage } from '../../src/mail/message.ts'

export type FromServer = { kind: 'listening'; url: string } | { kind: 'letter'; letter: EmailMessage }

/** The console that was built, or why it could not be. */
export type ToServer = { kind: 'console'; bundle: Bundle } | { kind: 'console-fault'; reason: string }
