/**
 * Whether an e-mail can be sent to the address of a user. On another host, `localhost` is that host, so the e-mail would go to
 * a mailbox of the mail server.
 */
export function isReachable(address: string | null | undefined): address is string {
  return address ? !address.endsWith('@localhost') : false
}
