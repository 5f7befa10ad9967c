import { type PageLanguage, pageLanguageOrEnglish } from '../../core/languages/page-languages.ts'
import { fillIn } from '../../core/languages/wording.ts'
import type { EmailMessage } from '../../mail/message.ts'
import { quotedInEmail } from '../../mail/quoted.ts'
import { EMAILS_CHINESE } from './emails-zh.ts'

/**
 * The words of e-mails. `{organization}`, `{space}` and `{link}` stand for values, and `{host}` for the host of this server. A subject
 * has no text that a user has chosen, and elsewhere such text is a quotation.
 */
const EMAILS = {
  /** To a user who was added to an organization and has no password. */
  invitation: {
    subject: 'You are invited to {host}',
    text: `You have been added to an organization on {host}, which hosts documentation. Its administrators call it:

  {organization}

Set your password here; the link is good once, for seven days:

{link}
`,
  },
  /** To a user with an account who is invited to another organization. */
  join: {
    subject: 'You are invited to {host}',
    text: `You are invited to an organization on {host}, which hosts documentation. Its administrators call it:

  {organization}

Sign in and join here; the link is good once, for seven days:

{link}

If you do not want to join, there is nothing to do.
`,
  },
  /** With a link to reset a password. The recipient may not have requested it. */
  passwordReset: {
    subject: 'Set a new password',
    text: `Someone, probably you, requested a new password for this address.

Set it here; the link is good once, for an hour:

{link}

If it was not you, there is nothing to do: your password is as it was.
`,
  },
  /** To a user who hears of the syncs of a space with a repository. */
  syncStopped: {
    subject: 'The syncs of a space on {host} have stopped',
    text: `The server no longer keeps this space equal to its Git repository:

  {space}

The screen of the sync shows why, and what you can do:

{link}

When syncs work again, you get one more e-mail.
`,
  },
  syncResumed: {
    subject: 'The syncs of a space on {host} work again',
    text: `The server keeps this space equal to its Git repository again:

  {space}

{link}
`,
  },
}

type EmailWords = Record<keyof typeof EMAILS, { subject: string; text: string }>

const WORDS: Record<PageLanguage, EmailWords> = { en: EMAILS, zh: EMAILS_CHINESE }

/** Where an e-mail goes, and in which language it is. */
export interface EmailRecipient {
  to: string
  /** That of the recipient, or else of the user who causes the e-mail, as a tag; English if there are no words in it. */
  language: string | null | undefined
}

/** The e-mail to a user who was added to an organization and has no password. */
export function invitationEmail(recipient: EmailRecipient, organization: string, link: string): EmailMessage {
  return written('invitation', recipient, { organization: quotedInEmail(organization), link })
}

/** The e-mail to a user with an account who is invited to another organization. */
export function joinEmail(recipient: EmailRecipient, organization: string, link: string): EmailMessage {
  return written('join', recipient, { organization: quotedInEmail(organization), link })
}

/** The e-mail with a link to reset a password. */
export function passwordResetEmail(recipient: EmailRecipient, link: string): EmailMessage {
  return written('passwordReset', recipient, { link })
}

/** The e-mail to a user who hears of the syncs of a space. @param link the screen of the sync */
export function syncEmail(
  recipient: EmailRecipient,
  kind: 'sync-stopped' | 'sync-resumed',
  { space, link }: { space: string; link: string },
): EmailMessage {
  const name = kind === 'sync-stopped' ? 'syncStopped' : 'syncResumed'
  return written(name, recipient, { space: quotedInEmail(space), link })
}

function written(
  name: keyof EmailWords,
  { to, language }: EmailRecipient,
  given: { organization?: string; space?: string; link: string },
): EmailMessage {
  const { subject, text } = WORDS[pageLanguageOrEnglish(language)][name]
  const values = { ...given, host: new URL(given.link).host }
  return { to, subject: fillIn(subject, values), text: fillIn(text, values) }
}
