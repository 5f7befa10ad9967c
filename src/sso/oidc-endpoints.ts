import { serviceOf } from '../model/membership/identity-provider.ts'
import {
  browserOf,
  redirectSignedIn,
  needProvider,
  queryText,
  signInPerson,
  type SsoEndpoint,
} from './sso-request.ts'
import type { OidcSecrets } from './oidc.ts'
import { refuse } from './sign-in-refused.ts'
import { signInRequestPurpose, takeOpen } from './sign-in-requests.ts'

/** Where a provider of OpenID Connect sends the browser back, with a code. */
export const receiveCode: SsoEndpoint = async (sso) => {
  const { oidc, request } = sso
  const { db, sealing, urls, now } = sso.services
  const provider = await needProvider(sso, 'oidc')
  const id = queryText(sso, 'state')
  const browser = browserOf(sso)
  const taken = await db.write((tx) => takeOpen(tx, { providerId: provider.id, id, browser, now: now() }))
  if (!taken?.sealedSecrets) return refuse('This browser did not begin the sign-in, or it is over')
  const opened = sealing.open(taken.sealedSecrets, signInRequestPurpose(id))
  const secrets = JSON.parse(opened ?? 'null') as OidcSecrets | null
  if (!secrets) return refuse('The secrets of the sign-in were sealed with another secret')

  const url = new URL(serviceOf(urls, provider).callbackURL)
  url.search = new URL(request.url, url).search
  const person = await oidc.personAt(provider, url, { ...secrets, state: id })
  const cookie = await db.write((tx) => signInPerson(tx, sso, provider, person))
  return redirectSignedIn(sso, cookie, taken.returnPath)
}
