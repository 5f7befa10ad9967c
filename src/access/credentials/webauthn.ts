import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { webauthn } from '../../core/runtime/libraries.ts'
import type { Row } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'

/** EdDSA, ES256 and RS256, by their numbers in COSE: every authenticator has one of them. */
const ALGORITHMS = [-8, -7, -257]
const CHALLENGE_MS = 5 * 60_000
const NAME = 'Lectern'
const COUNTER_MAX = 2 ** 31 - 1

/** The options that the browser needs to make a passkey (`PublicKeyCredential.parseCreationOptionsFromJSON`). */
export type CreationOptions = PublicKeyCredentialCreationOptionsJSON
/** The options that the browser needs to use a passkey (`PublicKeyCredential.parseRequestOptionsFromJSON`). */
export type RequestOptions = PublicKeyCredentialRequestOptionsJSON
/** A new passkey, as the browser sends it. */
export type NewCredential = RegistrationResponseJSON
/** The answer of a passkey to a challenge, as the browser sends it. */
export type Assertion = AuthenticationResponseJSON

/** The columns that are stored for a passkey that a browser has made. */
export type VerifiedCredential = Pick<
  Row<'passkey'>,
  'credentialId' | 'publicKey' | 'counter' | 'transports' | 'backedUp'
>

/** The host that passkeys are for, and the only origin whose pages may use them. */
function partyOf(urls: Urls): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(urls.api(''))
  return { rpID: hostname, origin }
}

/** Asks a browser to make a passkey that names its user, and that checks that the user is there. */
export function creationOptions(
  urls: Urls,
  user: { id: string; name: string; displayName: string },
  known: { credentialId: string; transports: string }[],
): Promise<CreationOptions> {
  return webauthn().generateRegistrationOptions({
    rpName: NAME,
    rpID: partyOf(urls).rpID,
    userID: new TextEncoder().encode(user.id),
    userName: user.name,
    userDisplayName: user.displayName,
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: JSON.parse(transports) as string[],
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/** Asks a browser for any passkey of this server. */
export function requestOptions(urls: Urls): Promise<RequestOptions> {
  return webauthn().generateAuthenticationOptions({
    rpID: partyOf(urls).rpID,
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  })
}

/** The challenge that a browser says it answers; undefined if it sent something else. */
export function challengeIn({ response }: NewCredential | Assertion): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()) as {
      challenge?: unknown
    }
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

/** Checks a new passkey. @returns undefined if it is not what was asked for */
export async function verifyCreation(
  urls: Urls,
  credential: NewCredential,
  challenge: string,
): Promise<VerifiedCredential | undefined> {
  const { rpID, origin } = partyOf(urls)
  try {
    const { registrationInfo } = await webauthn().verifyRegistrationResponse({
      response: credential,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!registrationInfo) return undefined
    const { credential: made, credentialBackedUp } = registrationInfo
    return {
      credentialId: made.id,
      publicKey: Buffer.from(made.publicKey).toString('base64url'),
      counter: Math.min(made.counter, COUNTER_MAX),
      transports: JSON.stringify(knownTransports(credential.response.transports)),
      backedUp: credentialBackedUp ? 1 : 0,
    }
  } catch {
    // The library throws for everything that a browser can send wrong.
    return undefined
  }
}

/** Checks the answer of a passkey. @returns how often it says it was used; undefined if the answer is wrong */
export async function verifyAssertion(
  urls: Urls,
  assertion: Assertion,
  { challenge, passkey }: { challenge: string; passkey: Row<'passkey'> },
): Promise<number | undefined> {
  const { rpID, origin } = partyOf(urls)
  try {
    const { verified, authenticationInfo } = await webauthn().verifyAuthenticationResponse({
      response: assertion,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
    })
    return verified ? Math.min(authenticationInfo.newCounter, COUNTER_MAX) : undefined
  } catch {
    return undefined
  }
}

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

const knownTransports = (named: readonly string[] = []) => TRANSPORTS.filter((one) => named.includes(one))
