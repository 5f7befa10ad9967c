import { Type } from 'typebox'
import { onInstallation } from '../../access/checks/on-installation.ts'
import { because } from '../../core/languages/reasons.ts'
import { conflict } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import {
  mailAddress,
  MailTest,
  rememberMailTest,
  sendTestEmail,
  toMailTest,
} from '../../model/installation/mail-test.ts'
import { Email } from '../../model/people/account.ts'

export const testMail = route({
  method: 'POST',
  path: '/v1/installation/mail/test',
  summary: 'Send a test e-mail',
  description:
    'Sends an e-mail with the mail server of the installation, and waits up to 30 seconds. If sending fails, the response has status 200, what failed (`fault`), and what to do (`advice`). The request fails with 409 if no mail server is configured, and with 429 after ten tests in 15 minutes.',
  access: onInstallation(),
  body: Type.Object({
    email: Type.Optional({ ...Email, description: 'The recipient; by default, your own address' }),
  }),
  returns: MailTest,
  audit: 'installation.mail.test',
  async prepare({ db, me, body, mail, attempt, own, ip, now }) {
    if (!mail.configured) throw conflict(because('mail-not-configured'))
    const email = body.email ?? (await mailAddress(db.read, me.userId))
    await attempt({ ip, by: 'link', key: `mail-test:${me.userId}` }, now)
    return { email, fault: await sendTestEmail(mail, email, own.settings.url) }
  },
  async handler({ tx, organization, prepared: { email, fault }, now, audit }) {
    await rememberMailTest(tx, fault, now)
    const test = toMailTest(email, fault)
    audit({
      target: { type: 'organization', id: organization.id, label: organization.title },
      after: { email, outcome: test.outcome },
    })
    return test
  },
})
