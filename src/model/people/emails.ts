import type { EmailMessage } from '../../mail/message.ts'

/** The e-mail to a user who was added to an organization and has no password. */
export function invitationEmail(to: string, organization: string, link: string): EmailMessage {
  return {
    to,
    subject: `You are invited to ${oneLine(organization)}`,
    text: `You have been added to the documentation of ${oneLine(organization)}.

Set your password here; the link is good once, for seven days:

${link}
`,
  }
}

/** The e-mail to a user with an account who is invited to another organization. */
export function joinEmail(to: string, organization: string, link: string): EmailMessage {
  return {
    to,
    subject: `You are invited to ${oneLine(organization)}`,
    text: `You are invited to the documentation of ${oneLine(organization)}.

Sign in and join here; the link is good once, for seven days:

${link}

If you do not want to join, there is nothing to do.
`,
  }
}

/** The e-mail with a link to reset a password. The recipient may not have requested it. */
export function passwordResetEmail(to: string, link: string): EmailMessage {
  return {
    to,
    subject: 'Set a new password',
    text: `Someone, probably you, requested a new password for this address.

Set it here; the link is good once, for an hour:

${link}

If it was not you, there is nothing to do: your password is as it was.
`,
  }
}

/** Removes line breaks, with which a title could add a header or a paragraph to an e-mail. */
const oneLine = (title: string) => title.replace(/\s+/g, ' ').trim()
