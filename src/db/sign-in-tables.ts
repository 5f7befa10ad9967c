import type { Flag, Instant, JsonText } from './columns.ts'

/** Tables of signing in: sessions of browsers, second factors and passkeys. */
export interface SignInTables {
  /** A person who is signed in with a browser. */
  session: {
    id: string
    userId: string
    /** The SHA-256 of the cookie's value in hex. The value itself is not stored. */
    hash: string
    method: SignInMethod
    /** The identity provider that signed the person in. */
    providerId: string | null
    /** The organization of that provider. The session is limited to it. */
    organizationId: string | null
    /** The name identifier of a SAML provider, by which it signs the person out. */
    samlNameId: string | null
    /** The same with its attributes, as `SamlName`. */
    samlName: JsonText | null
    ip: string
    userAgent: string
    createdAt: Instant
    /** The session expires if it is not used for a while after this. */
    lastUsedAt: Instant
    /** The session expires then, even if it is in use. */
    expiresAt: Instant
  }
  /** The generator of codes that a user has to have besides the password (TOTP, RFC 6238). */
  secondFactor: {
    userId: string
    /** The secret of the generator, sealed. */
    sealedSeed: string
    /** Null until the user has sent a first code. Until then, signing in requires none. */
    confirmedAt: Instant | null
    /** The time step of the last code that was accepted, so that it is not accepted again. */
    lastStep: number
    createdAt: Instant
  }
  /** A code for one use, for users who do not have their generator. */
  recoveryCode: { userId: string; hash: string }
  passkey: {
    id: string
    userId: string
    label: string
    /** The id that the authenticator chose; unique. */
    credentialId: string
    /** The public key in COSE, as base64url. */
    publicKey: string
    /** How often the authenticator says it was used; 0 if it does not count. */
    counter: number
    transports: JsonText
    /** Whether the passkey is stored by a service besides the device. */
    backedUp: Flag
    createdAt: Instant
    lastUsedAt: Instant | null
  }
  /** The second part of something that a browser began, which the server takes once and for a few minutes. */
  signInStep: {
    /** The SHA-256 of the secret by which the browser goes on. */
    hash: string
    purpose: 'second-factor' | 'passkey-sign-in' | 'passkey-registration'
    /** Null for a passkey that names the user itself. */
    userId: string | null
    /** The WebAuthn challenge, or what else the next request is checked against. */
    payload: JsonText
    /** How many wrong answers were given. */
    attempts: number
    expiresAt: Instant
  }
}

/** How a person proved who they are. A `recovery` session is opened with a link from the operator of the server. */
export type SignInMethod = 'password' | 'passkey' | 'saml' | 'oidc' | 'recovery'
