/** An identity provider of another implementation, over HTTP: samlify, which signs responses for whoever is signed in. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { after } from 'node:test'
import type { KeyAndCertificate } from '../../src/access/credentials/self-signed.ts'

// Its types come with those of browsers, which would change the types of the whole project.
const samlify = createRequire(import.meta.url)('samlify')
// The provider checks requests only as far as it reads them.
samlify.setSchemaValidator({ validate: async () => 'valid' })

const TEMPLATE =
  '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{ID}" Version="2.0" IssueInstant="{IssueInstant}" Destination="{Destination}" InResponseTo="{InResponseTo}"><saml:Issuer>{Issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="{StatusCode}"/></samlp:Status><saml:Assertion xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{AssertionID}" Version="2.0" IssueInstant="{IssueInstant}"><saml:Issuer>{Issuer}</saml:Issuer><saml:Subject><saml:NameID Format="{NameIDFormat}">{NameID}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="{SubjectConfirmationDataNotOnOrAfter}" Recipient="{SubjectRecipient}" InResponseTo="{InResponseTo}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="{ConditionsNotBefore}" NotOnOrAfter="{ConditionsNotOnOrAfter}"><saml:AudienceRestriction><saml:Audience>{Audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="{IssueInstant}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>{AttributeStatement}</saml:Assertion></samlp:Response>'

/** Whoever is signed in at the provider. */
export interface Account {
  nameID: string
  email: string
  displayName: string
}

/** A provider that listens on this machine. */
export interface SamlProviderServer {
  entityID: string
  ssoURL: string
  /** Reads the metadata of a service, which says where responses go, and whether requests are signed. */
  know(metadata: string): void
  /** Signs a person in at the page of the provider, for browsers that run its script. */
  signIn(account: Account): void
  /** What the provider posts, for the account, in answer to the request in the address that a browser was sent to. */
  answer(location: string, account: Account): Promise<{ acsURL: string; form: { SAMLResponse: string } }>
}

export async function startSamlProvider({
  privateKey,
  certificate,
}: KeyAndCertificate): Promise<SamlProviderServer> {
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
  const [entityID, ssoURL] = [`${origin}/metadata`, `${origin}/sso`]
  const binding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
  // oxlint-disable-next-line typescript/no-explicit-any
  let service: any
  // oxlint-disable-next-line typescript/no-explicit-any
  let provider: any

  return {
    entityID,
    ssoURL,
    know(metadata) {
      service = samlify.ServiceProvider({ metadata })
      provider = samlify.IdentityProvider({
        entityID,
        singleSignOnService: [{ Binding: binding, Location: ssoURL }],
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
  }

  async function answer(location: string, { nameID, email, displayName }: Account) {
    const url = new URL(location)
    const query = Object.fromEntries(url.searchParams)
    const octets = ['SAMLRequest', 'RelayState', 'SigAlg']
    const octetString = octets
      .filter((name) => url.searchParams.has(name))
      .map((name) => `${name}=${encodeURIComponent(url.searchParams.get(name) ?? '')}`)
      .join('&')
    const { extract } = await provider.parseLoginRequest(service, 'redirect', { query, octetString })
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
        InResponseTo: extract.request.id,
        ConditionsNotBefore: now,
        ConditionsNotOnOrAfter: soon,
        SubjectConfirmationDataNotOnOrAfter: soon,
        attrEmail: email,
        attrDisplayName: displayName,
      }),
    })
    const { context } = await provider.createLoginResponse(service, { extract }, 'post', {}, fill)
    return { acsURL, form: { SAMLResponse: context as string } }
  }
}
