import { type NewFactor, renderNewFactor, renderRecoveryCodes } from '../render/secrets.ts'
import { act, refused, signedIn } from './account.ts'
import { refusalText, type PageHandler, type PageRequestContext } from './page.ts'

/** The password, the second factor and the passkeys of an account. */
export const securityPages: Record<string, PageHandler> = {
  'POST /app/change-password': signedIn((context) => {
    const { form } = context
    const current = form.get('current')
    const body = { password: form.get('password') ?? '', ...(current ? { current } : {}) }
    return act(context, 'changePassword', { body }, 'password-changed')
  }),

  'POST /app/passkeys/:passkeyId/delete': signedIn((context) =>
    act(context, 'deletePasskey', { params: context.params }, 'passkey-deleted'),
  ),

  'POST /app/second-factor': signedIn(async (context) => {
    const password = context.form.get('password')
    const { error, body } = await context.call('beginSecondFactorSetup', {
      body: password ? { password } : {},
    })
    if (error) return refused(context, error)
    return { page: renderNewFactor({ made: body as NewFactor }) }
  }),

  'POST /app/second-factor/confirm': signedIn(async (context) => {
    const { error, body } = await context.call('confirmSecondFactorSetup', { body: codeIn(context) })
    if (!error) return { page: renderRecoveryCodes(body.codes as string[]) }
    // The app has the secret already, so it is not shown again.
    return { status: error.status, page: renderNewFactor({ error: refusalText(error) }) }
  }),

  'POST /app/second-factor/codes': signedIn(async (context) => {
    const { error, body } = await context.call('createRecoveryCodes', { body: codeIn(context) })
    if (error) return refused(context, error)
    return { page: renderRecoveryCodes(body.codes as string[]) }
  }),

  'POST /app/second-factor/remove': signedIn((context) =>
    act(context, 'removeSecondFactor', { body: codeIn(context) }, 'factor-removed'),
  ),
}

const codeIn = ({ form }: PageRequestContext) => ({ code: (form.get('code') ?? '').trim() })
