/** Gives people accounts with a password, by the links of their e-mails. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { EmailMessage } from '../../src/mail/message.ts'
import { type Client, clientOf } from './client.ts'

/** The password of everybody. */
export const PASSWORD = 'correct horse battery'
const LONGEST_WAIT_MS = 30_000

/** Somebody with an account. */
export interface Person {
  id: string
  email: string
  call: Client
}

/** The letters that the server has sent, and its address. */
export interface Post {
  url: string
  letters: readonly EmailMessage[]
}

/** Sets a first password for a user who has an account without one. */
export async function withPassword(post: Post, email: string): Promise<Person> {
  const anybody = clientOf(post.url)
  await anybody('POST /v1/account/password-resets', { email })
  await anybody('POST /v1/account/password', { token: await secretFor(post, email), password: PASSWORD })
  const { token } = await anybody('POST /v1/account/sessions', { email, password: PASSWORD })
  return personOf(post, email, token)
}

/** Invites somebody to the organization, and accepts for them. */
export async function invited(
  post: Post,
  inviter: Client,
  { displayName, role }: { displayName: string; role: string | null },
  path: string,
): Promise<Person> {
  const email = `${displayName.split(' ')[0]?.toLowerCase()}@example.com`
  await inviter(`POST ${path}/invites`, { emails: [email], role })
  const token = await secretFor(post, email)
  const session = await clientOf(post.url)('POST /v1/account/invitations', {
    token,
    password: PASSWORD,
    displayName,
  })
  return personOf(post, email, session.token)
}

async function personOf({ url }: Post, email: string, token: string): Promise<Person> {
  const call = clientOf(url, token)
  return { id: (await call('GET /v1/user')).id, email, call }
}

/** The secret in the link of the last letter to an address, which a job sends. */
async function secretFor({ letters }: Post, email: string): Promise<string> {
  const end = Date.now() + LONGEST_WAIT_MS
  while (Date.now() < end) {
    const secret = /#([0-9a-z]+)/.exec(letters.findLast(({ to }) => to === email)?.text ?? '')?.[1]
    if (secret !== undefined) return secret
    await sleep(50)
  }
  throw new Error(`No e-mail to ${email} arrived`)
}
