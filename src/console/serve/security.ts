import { type NewFactor, renderNewFactor, renderRecoveryCodes } from '../render/secrets.ts'
import { act, refused, signedIn } from './account.ts'
import type { PagePhrase } from '../render/words.ts'
import { refusalText, type PageAnswer, type PageHandler, type PageRequestContext } from './page.ts'

const SESSION_ENDED: PagePhrase = 'Your session has ended. Sign in again.'

/** The password, the second factor and the passkeys of an account. */
export const securityPages: Record<string, PageHandler> = {
  'POST /app/change-password': signedIn((context) => {
    const { form } = context
    const current = form.get('current')
    const body = { password: form.get('password') ?? '', ...(current ? { current } : {}) }
    return act(context, 'changePassword', { body }, 'password-changed')
  }),

  'POST /app/passkeys/challenges': (context) => answerScript(context, 'beginPasskey'),
  'POST /app/passkeys': (context) => answerScript(context, 'createPasskey'),

  'POST /app/passkeys/:passkeyId/delete': signedIn((context) =>
    act(context, 'deletePasskey', { params: context.params }, 'passkey-deleted'),
  ),

  'POST /app/second-factor': signedIn(async (context) => {
    const password = context.form.get('password')
    const { error, body } = await context.call('beginSecondFactorSetup', {
      body: password ? { password } : {},
    })
    if (error) return refused(context, error)
    return { page: renderNewFactor({ made: body as NewFactor }, context.wording) }
  }),

  'POST /app/second-factor/confirm': signedIn(async (context) => {
    const { error, body } = await context.call('confirmSecondFactorSetup', { body: codeIn(context) })
    if (!error) return { page: renderRecoveryCodes(body.codes as string[], context.wording) }
    // The app has the secret already, so it is not shown again.
    const { wording } = context
    return { status: error.status, page: renderNewFactor({ error: refusalText(error, wording) }, wording) }
  }),

  'POST /app/second-factor/codes': signedIn(async (context) => {
    const { error, body } = await context.call('createRecoveryCodes', { body: codeIn(context) })
    if (error) return refused(context, error)
    return { page: renderRecoveryCodes(body.codes as string[], context.wording) }
  }),

  'POST /app/second-factor/remove': signedIn((context) =>
    act(context, 'removeSecondFactor', { body: codeIn(context) }, 'factor-removed'),
  ),
}

const codeIn = ({ form }: PageRequestContext) => ({ code: (form.get('code') ?? '').trim() })

/** Runs an operation for the script of the page, which shows why it was refused. */
async function answerScript(context: PageRequestContext, operation: string): Promise<PageAnswer> {
  const { me, request, wording, call } = context
  const { error, body } = me ? await call(operation, { body: request.body as object }) : {}
  if (me && !error) return { json: body }
  const message = error ? refusalText(error, wording) : wording.t(SESSION_ENDED)
  const code = error?.status ?? 401
  return { status: code, json: { error: { code, message } } }
}
