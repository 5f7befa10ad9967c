import type { EmailMessage } from './message.ts'

/** The email that checks the settings of the mail server. @param url the public address of the server, if it is known */
export function testEmail(to: string, url: string | undefined): EmailMessage {
  return {
    to,
    subject: 'Test of the mail server of Lectern',
    text: `This email was sent to check the mail server${url === undefined ? '' : ` of ${url}`}. If you read it, Lectern can send email.\n`,
  }
}
