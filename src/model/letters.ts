import type { Letter } from '../mail/mail.ts'

/** To somebody who was added to an organization and has no password yet. */
export function invitationLetter(to: string, organization: string, link: string): Letter {
  return {
    to,
    subject: `You are invited to ${oneLine(organization)}`,
    text: `You have been added to the documentation of ${oneLine(organization)}.

Set your password here; the link is good once, for seven days:

${link}
`,
  }
}

/** To somebody who has an account and is asked into another organization. */
export function joinLetter(to: string, organization: string, link: string): Letter {
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

/** To whoever asked for a new password, or for whom somebody else did. */
export function resetLetter(to: string, link: string): Letter {
  return {
    to,
    subject: 'Set a new password',
    text: `Somebody, probably you, asked for a new password for this address.

Set it here; the link is good once, for an hour:

${link}

If it was not you, there is nothing to do: your password is as it was.
`,
  }
}

/** A title must not begin another header of a letter, nor another paragraph, which would read as ours. */
const oneLine = (title: string) => title.replace(/\s+/g, ' ').trim()
