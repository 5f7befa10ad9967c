/** The commands of SMTP to which a reply is about the recipient or the e-mail, and not about the configuration. */
const ABOUT_EMAIL = new Set(['RCPT TO', 'DATA'])

/**
 * Whether a mail server refused a recipient or an e-mail with a reply that is not to change (5yz in RFC 5321, section
 * 4.2.1). Such a reply to a sign-in or to the sender is about the configuration, which an operator can mend.
 */
export function isRefusedForGood(error: unknown): boolean {
  const { responseCode, command } = error as { responseCode?: unknown; command?: unknown }
  return (
    typeof responseCode === 'number' &&
    responseCode >= 500 &&
    responseCode < 600 &&
    ABOUT_EMAIL.has(String(command))
  )
}
