import { invalidFields, signInRequired } from '../../http/errors.ts'
import { compileCheck, onlyKnown } from '../../http/validation/validate.ts'
import type { Assertion } from '../../access/credentials/webauthn.ts'
import {
  checkAssertion,
  optionsForSignIn,
  PublicKeyAssertion,
  storeChallenge,
  takeAssertion,
} from '../../model/people/passkey.ts'
import { Type } from 'typebox'
import { signIn } from './device-cookies.ts'
import { ownPath } from '../../http/request/own-path.ts'
import type { PageHandler } from './page.ts'
import { because } from '../../core/languages/reasons.ts'

const Answered = Type.Object({ credential: PublicKeyAssertion, next: Type.Optional(Type.String()) })
let check: ReturnType<typeof compileCheck> | undefined

const refused = () => signInRequired(because('passkey-unknown'))

/** Signing in with a passkey, which the script of the sign-in page does. */
export const passkeyPages: Record<string, PageHandler> = {
  async 'POST /sign-in/passkey/options'({ services, request, now }) {
    await services.attempt({ ip: request.ip, by: 'passkey' }, now)
    const options = await optionsForSignIn(services.urls)
    await services.db.write((tx) => storeChallenge(tx, options, { userId: null, now }))
    return { json: { options } }
  },

  async 'POST /sign-in/passkey'(context) {
    const { services, request, now } = context
    await services.attempt({ ip: request.ip, by: 'passkey' }, now)
    check ??= compileCheck(Answered, 'body')
    const faults = check(request.body)
    if (faults.length > 0) throw invalidFields(faults)
    const { credential, next } = onlyKnown(Answered, request.body) as { credential: Assertion; next?: string }

    const answered = await checkAssertion(services.db.read, services.urls, credential)
    if (!answered) throw refused()
    const cookies = await services.db.write(async (tx) => {
      if (!(await takeAssertion(tx, answered, now))) throw refused()
      const { userId: id } = answered.passkey
      const { email } = await tx
        .selectFrom('user')
        .select('email')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return signIn(tx, context, { id, email, method: 'passkey' })
    })
    return { json: { location: ownPath(next) }, cookies }
  },
}
