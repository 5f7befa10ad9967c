import type { Flag, Instant, JsonText, Role } from './columns.ts'

/** The tables of single sign-on. */
export interface SsoTables {
  /** Signs in the members of an organization, by SAML or OpenID Connect. */
  identityProvider: {
    id: string
    organizationId: string
    kind: 'saml' | 'oidc'
    label: string
    /** The entity ID of SAML, or the issuer of OpenID Connect; null until it is configured. */
    issuer: string | null
    /** Where SAML requests are sent. */
    ssoUrl: string | null
    /** Where people are signed out at a SAML provider, if it does that. */
    logoutUrl: string | null
    /** The certificates with which SAML responses are signed, as they were sent. */
    certificate: string | null
    /** Whether SAML requests to sign in are signed. */
    signsRequests: Flag
    /** The certificate of the key in `sealedSecret`; null for a provider that was saved before all had one. */
    ownCertificate: string | null
    clientId: string | null
    /** The client secret of OpenID Connect, or the private key that signs SAML requests and decrypts assertions. */
    sealedSecret: string | null
    /** Whether SAML responses are accepted that answer no request. */
    allowsUnsolicited: Flag
    /** Whether an address is taken as verified although the OpenID provider does not say so. */
    trustsEmails: Flag
    /** The team and the role of members who join by signing in. */
    defaultTeam: string | null
    defaultRole: Role | null
    createdAt: Instant
    updatedAt: Instant
  }
  /** A person whom a provider knows by `subject`. */
  identity: { providerId: string; subject: string; userId: string; createdAt: Instant }
  /** A sign-in that is under way at a provider. It belongs to one browser, and ends after ten minutes. */
  signInRequest: {
    /** The ID of the SAML request, or the state of OpenID Connect. */
    id: string
    providerId: string
    /** The hash of the cookie of the browser. */
    browserHash: string
    returnPath: string
    /** The nonce and the code verifier of OpenID Connect. */
    sealedSecrets: string | null
    /** The hash of the ticket with which the browser finishes the sign-in, after the SAML response. */
    ticketHash: string | null
    /** The `Person` of the SAML response. */
    person: JsonText | null
    expiresAt: Instant
  }
  /**
   * An API token that opens an organization which requires single sign-on, because a session by a provider of the
   * organization vouched for it. The row ends with the token, the membership of its user and the provider.
   */
  tokenAuthorization: {
    tokenId: string
    organizationId: string
    /** The user of the token, who authorized it. */
    userId: string
    /** The identity provider that signed the user in. */
    providerId: string
    createdAt: Instant
  }
  /** A SAML assertion that signed somebody in, or a request that signed them out, until it expires. */
  usedAssertion: { providerId: string; hash: string; expiresAt: Instant }
}
