import { providerSignOutPath } from '../../model/membership/provider-logout.ts'
import { noSessionCookie, ownCookie } from '../../access/credentials/sessions.ts'
import { randomText } from '../../core/data/id.ts'
import { cookieOf } from '../../http/request/cookies.ts'
import { ApiError } from '../../http/errors.ts'
import { beginStep, findStep, retryStep, STEP_MS, takeStep } from '../../model/people/sign-in-step.ts'
import { checkPassword, countCode, needSamePassword, type KnownPassword } from '../../model/people/sign-in.ts'
import { signInOptions } from '../../model/membership/sign-in-options.ts'
import { hasSecondFactor, takeSecondFactor } from '../../model/people/second-factor.ts'
import { renderNotice } from '../render/notice.ts'
import { renderCodeForm, renderSignIn } from '../render/sign-in.ts'
import type { PagePhrase } from '../render/words.ts'
import { deviceOf, signIn } from './device-cookies.ts'
import { HOME, ownPath } from '../../http/request/own-path.ts'
import { refusalText, type PageAnswer, type PageHandler, type PageRequestContext } from './page.ts'

/** Names a sign-in that waits for a code. It is no session: it gives no access. */
const STEP_COOKIE = '__Host-lectern-sign-in'
const STEP_SECRET_LENGTH = 43
const WRONG_CODES_MAX = 5
const NOTES = new Map(
  Object.entries<PagePhrase>({
    password: 'Your password is set. Sign in with it.',
    'signed-out': 'You are signed out.',
  }),
)
const EXPIRED: PagePhrase = 'Signing in took too long, or there were too many wrong codes. Start again.'

/** A sign-in that waits for a code: the page to go to, and the e-mail address of the user. */
interface WaitingSignIn {
  next: string
  email: string
}

/** Addresses and passwords, second factors, and signing out. */
export const signInPages: Record<string, PageHandler> = {
  async 'GET /sign-in'(context) {
    const { me, form, wording } = context
    if (me) return { location: ownPath(form.get('next')) }
    const name = form.get('note') ?? ''
    const note = NOTES.get(name)
    return signInPage(context, {
      note: note && wording.t(note),
      error: name === 'expired' ? wording.t(EXPIRED) : undefined,
    })
  },

  async 'POST /sign-in'(context) {
    const { services, form, request, now, wording } = context
    if (!context.keepsCookies) return signInPage(context, {})
    const email = (form.get('email') ?? '').trim()
    const options = await signInOptions(services.db.read, email, ownPath(form.get('next')))
    const password = form.get('password') ?? ''
    if (password === '') {
      const error = options.length > 0 ? undefined : wording.t('Enter your password.')
      return signInPage(context, { status: error ? 400 : 200, error, options })
    }
    try {
      const device = deviceOf(context)
      const known = await checkPassword(
        { ...services, db: services.db.read },
        { email: email.slice(0, 254), password: password.slice(0, 256), device, ip: request.ip, now },
      )
      return await afterPassword(context, known)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const isBusy = error.reason === 'too-many-passwords'
      if (error.status >= 500 && !isBusy) throw error
      return signInPage(context, {
        status: error.status,
        error: refusalText(error, wording),
        options,
        isLocked: isBusy || error.status === 429,
        retryAfter: error.retryAfter,
      })
    }
  },

  async 'GET /sign-in/code'(context) {
    if (!(await waitingStep(context))) return { location: '/sign-in?note=expired' }
    return { page: renderCodeForm({}, context.wording) }
  },

  async 'POST /sign-in/code'(context) {
    const { services, form, request, now, wording } = context
    const known = await waitingStep(context)
    if (!known?.step.userId) return { location: '/sign-in?note=expired' }
    const { userId } = known.step
    const { email, next } = JSON.parse(known.step.payload) as WaitingSignIn
    try {
      await countCode(services, { userId, email, device: deviceOf(context), ip: request.ip, now })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { status: error.status, page: renderCodeForm({ error: refusalText(error, wording) }, wording) }
    }

    const code = (form.get('code') ?? '').slice(0, 64)
    const outcome = await services.db.write(async (tx) => {
      const step = await takeStep(tx, { secret: known.secret, purpose: 'second-factor', now })
      if (!step) return 'expired' as const
      if (await takeSecondFactor(tx, services.sealing, { userId, code, now }))
        return signIn(tx, context, { id: userId, email, method: 'password' })
      return (await retryStep(tx, step, WRONG_CODES_MAX)) ? ('wrong' as const) : ('expired' as const)
    })
    if (outcome === 'expired') return { location: '/sign-in?note=expired', cookies: [noStepCookie()] }
    if (outcome === 'wrong')
      return {
        status: 401,
        page: renderCodeForm(
          { error: wording.t('The code is wrong, or was used before. Enter the next one.') },
          wording,
        ),
      }
    return { location: next, cookies: [...outcome, noStepCookie()] }
  },

  async 'POST /sign-out'({ me, call, services, now }) {
    const { db, sealing } = services
    const atProvider = me && (await providerSignOutPath(db.read, sealing, me.session.id, now))
    if (me) await call('endSessionById', { params: { sessionId: me.session.id } })
    return { location: atProvider ?? '/sign-in?note=signed-out', cookies: [noSessionCookie()] }
  },

  async 'GET /sign-out'({ me, wording }) {
    if (!me) return { location: '/sign-in' }
    const { t } = wording
    return {
      page: renderNotice(
        {
          title: t('Sign out'),
          text: t('Do you want to sign out in this browser?'),
          link: { to: '/app/me', title: t('Your account') },
          action: { to: '/sign-out', title: t('Sign out') },
        },
        wording,
      ),
    }
  },
}

async function afterPassword(context: PageRequestContext, known: KnownPassword): Promise<PageAnswer> {
  const { services, form, now } = context
  const { id, email } = known
  const next = ownPath(form.get('next'))
  return services.db.write(async (tx) => {
    await needSamePassword(tx, known)
    if (!(await hasSecondFactor(tx, id)))
      return { location: next, cookies: await signIn(tx, context, { id, email, method: 'password' }) }
    const secret = randomText(STEP_SECRET_LENGTH)
    const payload: WaitingSignIn = { next, email }
    await beginStep(tx, { secret, purpose: 'second-factor', userId: id, payload, now })
    return { location: '/sign-in/code', cookies: [ownCookie(STEP_COOKIE, secret, STEP_MS)] }
  })
}

const noStepCookie = () => ownCookie(STEP_COOKIE, '', 0)

async function waitingStep({ request, services, now }: PageRequestContext) {
  const secret = cookieOf(request, STEP_COOKIE)
  if (!secret) return undefined
  const step = await findStep(services.db.read, { secret, purpose: 'second-factor', now })
  return step && { step, secret }
}

function signInPage(
  { form, keepsCookies, wording }: PageRequestContext,
  shown: Pick<Parameters<typeof renderSignIn>[0], 'note' | 'error' | 'options' | 'isLocked'> & {
    status?: number
    retryAfter?: number | undefined
  },
): PageAnswer {
  const next = ownPath(form.get('next'))
  const { status = 200, retryAfter, ...view } = shown
  const email = (form.get('email') ?? '').slice(0, 254)
  return {
    status,
    retryAfter,
    page: renderSignIn({ ...view, email, next: next === HOME ? '' : next, keepsCookies }, wording),
  }
}
