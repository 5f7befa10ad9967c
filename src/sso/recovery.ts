/** Signing in with a link that the operator made, while the provider cannot be reached. */
import { WORDINGS } from '../console/render/words.ts'
import { pageLanguageOf } from '../http/request/page-language.ts'
import { isOwnRequest } from '../http/request/same-origin.ts'
import { redirectSignedIn, sentForm, type SsoEndpoint } from './sso-request.ts'
import { renderRecovery, sendPage } from './page.ts'
import { refuse } from './sign-in-refused.ts'
import { useRecoveryLink } from './session.ts'

/** Shows the form that a recovery link fills in. */
export const showRecovery: SsoEndpoint = async ({ request, reply }) =>
  sendPage(reply, renderRecovery(WORDINGS[pageLanguageOf(request)]))

/** Opens a session with a recovery link. */
export const recover: SsoEndpoint = async (sso) => {
  const { services, request } = sso
  const { db, urls, sealing, newId, now, sessionTimes: times } = services
  const origin = () => new URL(urls.api('')).origin
  if (!isOwnRequest('POST', request.headers, origin)) refuse('Another site sent the form')
  await services.attempt({ ip: request.ip, by: 'link' }, now())
  const { token = '' } = sentForm(sso)
  const cookie = await db.write((tx) =>
    useRecoveryLink(tx, sealing, { token: token.trim(), request, id: newId(), times, now: now() }),
  )
  return redirectSignedIn(sso, cookie, '/app')
}
