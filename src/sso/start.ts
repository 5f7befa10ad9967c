import { randomBytes } from 'node:crypto'
import { ownPath } from '../http/request/own-path.ts'
import { isActive, serviceOf } from '../model/membership/identity-provider.ts'
import { browserCookie, knownBrowser, needProvider, queryText, type SsoEndpoint } from './sso-request.ts'
import { newOidcSecrets } from './oidc.ts'
import { refuse } from './sign-in-refused.ts'
import { insertRequest, signInRequestPurpose } from './sign-in-requests.ts'
import { requestUrl } from './saml-service.ts'

/** Begins a sign-in: sends the browser to the provider. */
export const start: SsoEndpoint = async (sso) => {
  const { services, oidc, reply } = sso
  const provider = await needProvider(sso)
  if (!isActive(provider)) refuse('The provider is not configured')
  const browser = knownBrowser(sso)
  const returnPath = ownPath(queryText(sso, 'next'))
  const secrets = provider.kind === 'oidc' ? newOidcSecrets() : undefined
  // An id of XML begins with a letter or "_".
  const id = secrets?.state ?? `_${randomBytes(20).toString('hex')}`
  const url = secrets
    ? await oidc.startUrl(provider, serviceOf(services.urls, provider).callbackURL, secrets)
    : await requestUrl(services, provider, id)
  const sealedSecrets = secrets && services.sealing.seal(JSON.stringify(secrets), signInRequestPurpose(id))
  await services.db.write((tx) =>
    insertRequest(tx, {
      id,
      providerId: provider.id,
      browser,
      returnPath,
      ...(sealedSecrets && { sealedSecrets }),
      now: services.now(),
    }),
  )
  reply.header('set-cookie', browserCookie(browser))
  return reply.redirect(url, 302)
}
