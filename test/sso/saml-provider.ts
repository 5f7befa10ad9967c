/** An identity provider of another implementation, over HTTP: samlify, which signs responses for whoever is signed in. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { inflateRawSync } from 'node:zlib'
import { after } from 'node:test'
import type { KeyAndCertificate } from '../../src/access/credentials/self-signed.ts'

// Its types come with those of browsers, which would change the types of the whole project.
const samlify = createRequire(import.meta.url)('samlify')
// The provider checks requests only as far as it reads them.
samlify.setSchemaValidator({ validate: async () => 'valid' })

const TEMPLATE =
  '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{ID}" Version="2.0" IssueInstant="{IssueInstant}" Destination="{Destination}" InResponseTo="{InResponseTo}"><saml:Issuer>{Issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="{StatusCode}"/></samlp:Status><saml:Assertion xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{AssertionID}" Version="2.0" IssueInstant="{IssueInstant}"><saml:Issuer>{Issuer}</saml:Issuer><saml:Subject><saml:NameID Format="{NameIDFormat}">{NameID}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="{SubjectConfirmationDataNotOnOrAfter}" Recipient="{SubjectRecipient}" InResponseTo="{InResponseTo}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="{ConditionsNotBefore}" NotOnOrAfter="{ConditionsNotOnOrAfter}"><saml:AudienceRestriction><saml:Audience>{Audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="{IssueInstant}" SessionIndex="{SessionIndex}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>{AttributeStatement}</saml:Assertion></samlp:Response>'

/** Whoever is signed in at the provider. */
export interface Account {
  nameID: string
  email: string
  displayName: string
  /** The session of the provider. */
  sessionIndex?: string
}

/** A provider that listens on this machine. */
export interface SamlProviderServer {
  entityID: string
  ssoURL: string
  logoutURL: string
  /** Reads the metadata of a service, which says where responses go, and whether requests are signed. */
  know(metadata: string): void
  /** Signs a person in at the page of the provider, for browsers that run its script. */
  signIn(account: Account): void
  /** What the provider posts, for the account, in answer to the request in the address that a browser was sent to. */
  answer(location: string, account: Account): Promise<{ acsURL: string; form: { SAMLResponse: string } }>
  /** Where a browser is sent to sign an account out of the service, with a redirect. */
  signOut(account: Account, relayState?: string): { id: string; location: string }
  /** The form that a browser posts to do the same. */
  signOutForm(account: Account): { logoutURL: string; form: { SAMLRequest: string } }
  /** What a request to sign out says, in the address that a browser was sent to. It must have a valid signature. */
  readSignOut(location: string): Promise<{ nameID: string; sessionIndex: string; issuer: string }>
  /** What a response to a request of this provider says. It must have a valid signature. */
  readSignedOut(
    location: string,
  ): Promise<{ inResponseTo: string; status: string; relayState: string | null }>
}

/** An algorithm of XML Encryption, by which a provider encrypts assertions. */
export type Encryption = 'aes128-cbc' | 'aes256-cbc' | 'aes128-gcm'

export async function startSamlProvider(
  { privateKey, certificate }: KeyAndCertificate,
  { encryption }: { encryption?: Encryption } = {},
): Promise<SamlProviderServer> {
  // A page that would ask for a password, and then posts the response for the account.
  let signedIn: Account | undefined
  const server = createServer((request, response) => {
    if (!signedIn || !request.url?.includes('SAMLRequest')) {
      response.end('Sign in')
      return
    }
    void answer(`${origin}${request.url}`, signedIn).then(({ acsURL, form }) =>
      response
        .setHeader('content-type', 'text/html')
        .end(
          `<form method="post" action="${acsURL}"><input name="SAMLResponse" value="${form.SAMLResponse}"></form><script>document.forms[0].submit()</script>`,
        ),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  after(() => server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [entityID, ssoURL, logoutURL] = [`${origin}/metadata`, `${origin}/sso`, `${origin}/slo`]
  const binding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
  // oxlint-disable-next-line typescript/no-explicit-any
  let service: any
  // oxlint-disable-next-line typescript/no-explicit-any
  let provider: any

  return {
    entityID,
    ssoURL,
    logoutURL,
    know(metadata) {
      const signed = { wantLogoutRequestSigned: true, wantLogoutResponseSigned: true }
      service = samlify.ServiceProvider({ metadata, ...signed })
      provider = samlify.IdentityProvider({
        entityID,
        singleSignOnService: [{ Binding: binding, Location: ssoURL }],
        singleLogoutService: [{ Binding: binding, Location: logoutURL }],
        ...signed,
        isAssertionEncrypted: encryption !== undefined,
        dataEncryptionAlgorithm: `${encryption?.endsWith('gcm') ? 'http://www.w3.org/2009/xmlenc11#' : 'http://www.w3.org/2001/04/xmlenc#'}${encryption}`,
        privateKey,
        signingCert: certificate.replace(/-----.*-----|\s/g, ''),
        wantAuthnRequestsSigned: service.entityMeta.isAuthnRequestSigned(),
        nameIDFormat: ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
        loginResponseTemplate: {
          context: TEMPLATE,
          attributes: ['email', 'displayName'].map((name) => ({
            name,
            valueTag: name,
            nameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic',
            valueXsiType: 'xs:string',
          })),
        },
      })
    },
    signIn: (account) => void (signedIn = account),
    answer,
    signOut({ nameID, sessionIndex }, relayState = '') {
      const user = { logoutNameID: nameID, sessionIndex }
      const { id, context } = provider.createLogoutRequest(service, 'redirect', user, relayState)
      return { id, location: context }
    },
    signOutForm({ nameID, sessionIndex }) {
      const user = { logoutNameID: nameID, sessionIndex }
      const { context, entityEndpoint } = provider.createLogoutRequest(service, 'post', user)
      return { logoutURL: entityEndpoint, form: { SAMLRequest: context } }
    },
    async readSignOut(location) {
      const { extract } = await provider.parseLogoutRequest(service, 'redirect', redirected(location))
      const { nameID, sessionIndex, issuer } = extract
      return { nameID, sessionIndex, issuer }
    },
    async readSignedOut(location) {
      const { extract } = await provider.parseLogoutResponse(service, 'redirect', redirected(location))
      const { inResponseTo } = extract.response
      const relayState = new URL(location).searchParams.get('RelayState')
      const xml = inflateRawSync(
        Buffer.from(new URL(location).searchParams.get('SAMLResponse') ?? '', 'base64'),
      ).toString()
      return { inResponseTo, status: /StatusCode Value="([^"]*)"/.exec(xml)?.[1] ?? '', relayState }
    },
  }

  /** A message in an address, with the parameters that its signature covers. */
  function redirected(location: string) {
    const url = new URL(location)
    const query = Object.fromEntries(url.searchParams)
    const octetString = ['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg']
      .filter((name) => url.searchParams.has(name))
      .map((name) => `${name}=${encodeURIComponent(url.searchParams.get(name) ?? '')}`)
      .join('&')
    return { query, octetString }
  }

  async function answer(location: string, { nameID, email, displayName, sessionIndex }: Account) {
    const { extract } = await provider.parseLoginRequest(service, 'redirect', redirected(location))
    const acsURL = service.entityMeta.getAssertionConsumerService('post') as string
    const [now, soon] = [new Date(), new Date(Date.now() + 300_000)].map((date) => date.toISOString())
    const id = `_${crypto.randomUUID()}`
    const fill = (template: string) => ({
      id,
      context: samlify.SamlLib.replaceTagsByValue(template, {
        ID: id,
        AssertionID: `_${crypto.randomUUID()}`,
        Issuer: entityID,
        IssueInstant: now,
        Destination: acsURL,
        SubjectRecipient: acsURL,
        Audience: service.entityMeta.getEntityID(),
        StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success',
        NameIDFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
        NameID: nameID,
        SessionIndex: sessionIndex ?? `session-of-${nameID}`,
        InResponseTo: extract.request.id,
        ConditionsNotBefore: now,
        ConditionsNotOnOrAfter: soon,
        SubjectConfirmationDataNotOnOrAfter: soon,
        attrEmail: email,
        attrDisplayName: displayName,
      }),
    })
    // The signature of a response covers what is sent, and not what was encrypted.
    const isEncryptedFirst = encryption !== undefined
    const { context } = await provider.createLoginResponse(
      service,
      { extract },
      'post',
      {},
      fill,
      isEncryptedFirst,
    )
    return { acsURL, form: { SAMLResponse: context as string } }
  }
}
