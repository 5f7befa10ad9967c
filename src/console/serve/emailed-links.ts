import { isRecord } from '../../core/data/is-record.ts'
import type { Reader } from '../../db/schema.ts'
import { ApiError } from '../../http/errors.ts'
import { appendUserEvent } from '../../model/audit/user-event.ts'
import { needAccountToken, usePasswordLink } from '../../model/people/account.ts'
import { hashForLink } from '../../model/people/password-link.ts'
import { hasSecondFactor } from '../../model/people/second-factor.ts'
import { renderForgotten, renderInvitation, renderJoin, renderNewPassword } from '../render/emailed-links.ts'
import { renderNotice } from '../render/notice.ts'
import type { PagePhrase, Wording } from '../render/words.ts'
import { deviceCookies, signIn } from './device-cookies.ts'
import { refusalText, type PageAnswer, type PageHandler, type PageRequestContext } from './page.ts'

const PASSWORD_MIN = 10
const PASSWORD_MAX = 256
const NAME_MAX = 64

/** The pages that the links in e-mails open. Their secrets are after `#`, so no server logs them. */
export const linkPages: Record<string, PageHandler> = {
  ...invitationPages('/app/invitation', 'Accept your invitation'),
  // The link that the first start prints.
  ...invitationPages('/app/welcome', 'Welcome to Lectern'),

  // The script of these pages shows who signs in: the secret is after `#`, so the server did not know it before.
  async 'POST /app/invitation/account'({ services, request, now }) {
    await services.attempt({ ip: request.ip, by: 'link' }, now)
    const secret = isRecord(request.body) ? String(request.body.token).slice(0, 255) : ''
    const { userId } = await needAccountToken(services.db.read, secret, 'invitation', now)
    const { email } = await services.db.read
      .selectFrom('user')
      .select('email')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    return { json: { email } }
  },

  async 'GET /app/password'({ wording }) {
    return { page: renderNewPassword({}, wording) }
  },

  async 'POST /app/password'(context) {
    const { services, form, call, wording, now } = context
    const token = (form.get('token') ?? '').trim()
    const again = (status: number, error: string): PageAnswer => ({
      status,
      page: renderNewPassword({ error, token }, wording),
    })
    const fault = faultOfPassword(form, wording)
    if (fault) return again(400, fault)
    const email = await emailOfLink(services.db.read, token, now)
    const { error } = await call('resetPassword', { body: { token, password: form.get('password') } })
    // The attempts of strangers, which lock the address, do not count for this browser.
    if (!error) return { location: '/sign-in?note=password', cookies: deviceCookies(context, email) }
    return again(error.status, refusalText(error, wording))
  },

  async 'GET /sign-in/forgotten'({ form, wording }) {
    return { page: renderForgotten({ email: form.get('email') ?? '' }, wording) }
  },

  async 'POST /sign-in/forgotten'({ form, call, wording }) {
    const email = (form.get('email') ?? '').trim()
    const { error } = await call('requestPasswordReset', { body: { email } })
    if (error) {
      const shown = { email, error: refusalText(error, wording) }
      return { status: error.status, page: renderForgotten(shown, wording) }
    }
    const title = wording.t('Look into your mailbox')
    const text = wording.t(
      'If the address has an account, an e-mail with a link is on its way. The link works once, within an hour. If none arrives, ask the operator of this server.',
    )
    return { page: renderNotice({ title, text }, wording) }
  },

  async 'GET /app/join/:organizationId'({ me, params: { organizationId = '' }, wording }) {
    return { page: renderJoin({ isSignedIn: me !== undefined, organizationId }, wording) }
  },

  async 'POST /app/join/:organizationId'({ me, params, form, call, wording }) {
    const { organizationId = '' } = params
    const id = encodeURIComponent(organizationId)
    if (!me) return { location: `/app/join/${id}` }
    const inviteId = (form.get('token') ?? '').trim()
    const { error } = await call('joinOrganizationWithInvite', { params: { organizationId, inviteId } })
    if (!error) return { location: `/app/o/${id}` }
    const isUnknown = error.status === 404 || error.status === 400
    const text = isUnknown
      ? wording.t('The invitation is unknown, used or expired; ask for a new one.')
      : refusalText(error, wording)
    return {
      status: error.status,
      page: renderJoin({ isSignedIn: true, organizationId, error: text }, wording),
    }
  },
}

function invitationPages(path: string, name: PagePhrase): Record<string, PageHandler> {
  return {
    async [`GET ${path}`]({ keepsCookies, wording }) {
      return { page: renderInvitation({ path, title: wording.t(name), keepsCookies }, wording) }
    },

    async [`POST ${path}`](context) {
      const { form, keepsCookies, wording } = context
      const title = wording.t(name)
      const displayName = (form.get('displayName') ?? '').trim()
      const token = form.get('token') ?? ''
      const again = (status: number, error: string): PageAnswer => ({
        status,
        page: renderInvitation({ path, title, keepsCookies, error, displayName, token }, wording),
      })
      const fault =
        faultOfPassword(form, wording) ??
        (displayName.length > NAME_MAX
          ? wording.t('The name has at most {limit} characters.', { limit: NAME_MAX })
          : undefined)
      if (fault) return again(400, fault)
      try {
        return await acceptInvitationLink(context, displayName)
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error
        return again(error.status, refusalText(error, wording))
      }
    },
  }
}

async function acceptInvitationLink(context: PageRequestContext, displayName: string): Promise<PageAnswer> {
  const { services, form, request, now } = context
  const secret = (form.get('token') ?? '').trim().slice(0, 255)
  const link = { secret, purpose: 'invitation' as const, password: form.get('password') ?? '' }
  const passwordHash = await hashForLink({ ...services, db: services.db.read }, link, { ip: request.ip, now })

  return services.db.write(async (tx) => {
    const id = await usePasswordLink(tx, { secret, purpose: 'invitation', passwordHash, now })
    const { email } = await tx
      .updateTable('user')
      .set({ ...(displayName && { displayName }), updatedAt: now.toISOString() })
      .where('id', '=', id)
      .returning('email')
      .executeTakeFirstOrThrow()
    await appendUserEvent(tx, services.sealing, id, {
      action: 'account.invitation.accept',
      ip: request.ip,
      requestId: request.id,
      targetType: 'user',
      targetId: id,
      now,
    })
    if (!context.keepsCookies || (await hasSecondFactor(tx, id)))
      return { location: '/sign-in?note=password' }
    return { location: '/app', cookies: await signIn(tx, context, { id, email, method: 'password' }) }
  })
}

/** The address of the user of a link to reset a password; null if the link is unknown or the user has none. */
async function emailOfLink(db: Reader, secret: string, now: Date): Promise<string | null> {
  const { userId } = await needAccountToken(db, secret.slice(0, 255), 'password-reset', now).catch(ifUnknown)
  const user =
    userId && (await db.selectFrom('user').select('email').where('id', '=', userId).executeTakeFirst())
  return user ? user.email : null
}

function ifUnknown(error: unknown): { userId?: undefined } {
  if (error instanceof ApiError) return {}
  throw error
}

function faultOfPassword(form: URLSearchParams, { t }: Wording): string | undefined {
  const password = form.get('password') ?? ''
  if (!(form.get('token') ?? '').trim()) return t('Enter the code of the link: the part after “#”.')
  if (password.length < PASSWORD_MIN)
    return t('The password needs at least {limit} characters.', { limit: PASSWORD_MIN })
  if (password.length > PASSWORD_MAX)
    return t('The password has at most {limit} characters.', { limit: PASSWORD_MAX })
  return undefined
}
