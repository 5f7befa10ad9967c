/**
 * The script of the server's own pages. They work without it, but for passkeys. It fills in the secrets of links, and asks
 * the browser for passkeys.
 */
import { startCopying } from './copying.ts'
import { startLinkSecret } from './link-secret.ts'
import { startPasskeys } from './passkeys.ts'
import { startPasswordFields } from './password-fields.ts'
import { startSendingOnce } from './sending-once.ts'

startLinkSecret()
startPasskeys()
startCopying()
startPasswordFields()
startSendingOnce()
