/** Where the browser comes back from a provider with a SAML response, and the metadata of this service. */
import { readSignOutTicket, signsOut } from '../model/membership/provider-logout.ts'
import { ownPath } from '../http/request/own-path.ts'
import {
  browserOf,
  redirectSignedIn,
  sentForm,
  needProvider,
  queryText,
  signInPerson,
  type SsoEndpoint,
  wordingOf,
} from './sso-request.ts'
import type { Person } from './person.ts'
import { quoted, refuse } from './sign-in-refused.ts'
import { answerRequest, findOpenRequest, takeAnswered, useAssertion } from './sign-in-requests.ts'
import { readFormLogout, readQueryLogout } from './saml-logout.ts'
import { metadataOf, signedOutUrl, signOutUrl, trustOf } from './saml-service.ts'
import { endSessionsBy } from './session.ts'
import { renderSigningOut, sendPage } from './page.ts'
import { verifyResponse } from './saml.ts'

/** The metadata with which a provider is configured. */
export const metadata: SsoEndpoint = async (sso) => {
  const provider = await needProvider(sso, 'saml')
  return sso.reply
    .type('application/samlmetadata+xml; charset=utf-8')
    .send(metadataOf(sso.services, provider))
}

/**
 * Takes the response of a provider. The browser sends it from another site, without its cookies, so a sign-in that this
 * service has begun continues at `finish`.
 */
export const receiveResponse: SsoEndpoint = async (sso) => {
  const { services, reply } = sso
  const provider = await needProvider(sso, 'saml')
  const { SAMLResponse = '', RelayState } = sentForm(sso)
  const now = services.now()
  const { id, person, usableUntil, requestId } = await verifyResponse(
    SAMLResponse,
    trustOf(services, provider),
    {
      isOpen: async (open) => (await findOpenRequest(services.db.read, provider.id, open, now)) !== undefined,
      allowsUnsolicited: provider.allowsUnsolicited === 1,
      now,
    },
  )
  const { next, cookie } = await services.db.write(async (tx) => {
    if (!(await useAssertion(tx, { providerId: provider.id, id, until: usableUntil })))
      refuse(`The assertion ${quoted(id)} was used before`)
    if (requestId === undefined)
      return { next: ownPath(RelayState), cookie: await signInPerson(tx, sso, provider, person) }
    const ticket = await answerRequest(tx, { providerId: provider.id, id: requestId, person, now })
    if (ticket === undefined) return refuse(`The request ${quoted(requestId)} was answered before`)
    return { next: `/sso/${provider.id}/finish?ticket=${ticket}`, cookie: undefined }
  })
  return cookie === undefined ? reply.redirect(next, 303) : redirectSignedIn(sso, cookie, next)
}

/** Signs in the browser that began the sign-in, and no other. */
export const finish: SsoEndpoint = async (sso) => {
  const { db, now } = sso.services
  const provider = await needProvider(sso, 'saml')
  const answered = {
    providerId: provider.id,
    ticket: queryText(sso, 'ticket'),
    browser: browserOf(sso),
    now: now(),
  }
  const { cookie, returnPath } = await db.write(async (tx) => {
    const taken = await takeAnswered(tx, answered)
    if (!taken?.person) return refuse('This browser did not begin the sign-in, or it is over')
    const person = JSON.parse(taken.person) as Person
    return { cookie: await signInPerson(tx, sso, provider, person), returnPath: taken.returnPath }
  })
  return redirectSignedIn(sso, cookie, returnPath)
}

/**
 * Takes the requests of a provider that sign a person out, by either binding. Also takes its response to a request of
 * this service, which changes nothing, because the session has ended before.
 */
export const receiveLogout: SsoEndpoint = async (sso) => {
  const { services, request, reply } = sso
  const provider = await needProvider(sso, 'saml')
  const { SAMLRequest = '', SAMLResponse, RelayState } = sentForm(sso)
  if (SAMLResponse !== undefined || queryText(sso, 'SAMLResponse') !== '')
    return reply.redirect('/sign-in?note=signed-out', 303)
  const [trust, now] = [trustOf(services, provider), services.now()]
  const asked =
    request.method === 'GET'
      ? await readQueryLogout(request.originalUrl.split('?')[1] ?? '', trust, now)
      : await readFormLogout(SAMLRequest, trust, now)
  await services.db.write(async (tx) => {
    // A request has the same kind of id as an assertion.
    const used = { providerId: provider.id, id: `logout ${asked.id}`, until: asked.usableUntil }
    if (!(await useAssertion(tx, used))) refuse(`The request ${quoted(asked.id)} was used before`)
    await endSessionsBy(tx, services.sealing, provider, asked, { request, now })
  })
  if (!signsOut(provider)) return reply.redirect('/sign-in?note=signed-out', 303)
  const relayState = RelayState ?? queryText(sso, 'RelayState')
  return reply.redirect(await signedOutUrl(services, provider, asked, relayState), 303)
}

/** Sends a browser whose session has ended to the provider, which signs the person out too. */
export const signOutAtProvider: SsoEndpoint = async (sso) => {
  const { services, reply } = sso
  const provider = await needProvider(sso, 'saml')
  const name = readSignOutTicket(services.sealing, provider.id, queryText(sso, 'ticket'), services.now())
  if (!name || !signsOut(provider)) return reply.redirect('/sign-in?note=signed-out', 303)
  const to = await signOutUrl(services, provider, name)
  // Browsers follow no redirect from a form to another site here, because of `form-action` of our pages.
  return sendPage(
    reply.header('refresh', `0; url=${to}`),
    renderSigningOut(provider.label, to, wordingOf(sso)),
  )
}
