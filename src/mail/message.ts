/** An email to one recipient. */
export interface EmailMessage {
  to: string
  subject: string
  /** Plain text. It can contain a secret, so it is never logged. */
  text: string
}
