import { readConfig } from '../installation/config.ts'
import { mailFaultOf } from '../mail/faults.ts'
import { smtp } from '../mail/smtp.ts'
import { testEmail } from '../mail/test-email.ts'
import { printLines } from './print.ts'
import { UsageError } from './usage.ts'

/** `lectern mail test <email>`: sends an email with the configuration of the environment, and explains a failure. */
export async function mailCommand([action, to, ...more]: string[]): Promise<void> {
  if (action !== 'test' || !to || more.length > 0 || !/^[^\s@]+@[^\s@]+$/.test(to))
    throw new UsageError('Name one email address: lectern mail test <email>')
  const { smtp: config, url } = readConfig(process.env)
  if (!config)
    throw new UsageError(
      'No mail server is configured. Set LECTERN_SMTP_URL and LECTERN_MAIL_FROM, as for the server.',
    )
  try {
    const response = await smtp(config)(testEmail(to, url))
    printLines(`The mail server accepted the email to ${to}: ${response}`)
    printLines('If it does not arrive, look into the spam folder, and into the log of the mail server.')
  } catch (error) {
    const { why, advice } = mailFaultOf(error, config)
    throw new UsageError(`${why.message}\n${advice.message}`)
  }
}
