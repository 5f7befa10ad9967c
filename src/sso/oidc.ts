import { openIdClient } from '../core/runtime/libraries.ts'
import { lru } from '../core/data/lru.ts'
import { because } from '../core/languages/reasons.ts'
import { ApiError, unavailable } from '../http/errors.ts'
import type { Fetched } from '../http/outgoing/guarded-fetch.ts'
import { fetchRetried } from '../http/outgoing/retried.ts'
import type { Services } from '../http/route.ts'
import type { IdentityProvider } from '../model/membership/identity-provider.ts'
import { openProviderSecret } from '../model/membership/provider-changes.ts'
import { emailIn, LONGEST_SUBJECT, nameIn, type Person, photoIn } from './person.ts'
import { refuse, SignInRefused } from './sign-in-refused.ts'

const BOUNDS = { maxBytes: 512 * 1024, timeoutMs: 10_000, maxRedirects: 0 }
const SKEW_S = 60
/** For how long what a provider says about itself, and its keys, are kept. */
const KEPT_MS = 10 * 60_000
const KEPT_BYTES = 4 * 1024 * 1024
const CONFIGURATION_BYTES = 20_000

type Client = ReturnType<typeof openIdClient>
type Configuration = Awaited<ReturnType<Client['discovery']>>

/** The secrets by which a sign-in is checked when the browser comes back. */
export interface OidcSecrets {
  nonce: string
  verifier: string
}

/** New secrets for a sign-in, and the state that names it. */
export function newOidcSecrets(): OidcSecrets & { state: string } {
  const { randomNonce, randomPKCECodeVerifier, randomState } = openIdClient()
  return { nonce: randomNonce(), verifier: randomPKCECodeVerifier(), state: randomState() }
}

/** Signs people in with OpenID Connect by the code flow with PKCE, a nonce and a state. */
export function oidcSignIn({ fetch, sealing, now }: Pick<Services, 'fetch' | 'sealing' | 'now'>) {
  const known = lru<{ configuration: Configuration; until: number }>(KEPT_BYTES)

  /** The configuration of a provider. Its addresses are fetched as all that users name: guarded, and without redirects. */
  async function configurationOf(provider: IdentityProvider): Promise<Configuration> {
    const key = `${provider.id} ${provider.updatedAt}`
    const kept = known.get(key)
    if (kept && kept.until > now().getTime()) return kept.configuration

    const client = openIdClient()
    const { issuer, clientId } = provider
    const secret = openProviderSecret(sealing, provider)
    if (!issuer || !clientId || !secret) return refuse('The provider is not configured')
    const configuration = await client.discovery(
      new URL(issuer),
      clientId,
      { [client.clockTolerance]: SKEW_S },
      authentication(client, secret),
      {
        [client.customFetch]: fetchGuarded,
        // TLS shows only which server sent an ID token. Its signature shows that the provider issued it.
        execute: [
          client.enableNonRepudiationChecks,
          ...(new URL(issuer).protocol === 'http:' ? [client.allowInsecureRequests] : []),
        ],
      },
    )
    known.set(key, { configuration, until: now().getTime() + KEPT_MS }, CONFIGURATION_BYTES)
    return configuration
  }

  async function fetchGuarded(
    url: string,
    options: { method: string; headers: Record<string, string>; body?: unknown },
  ): Promise<Response> {
    const { method, headers, body } = options
    try {
      if (method === 'GET') return await fetchRetried(fetch, url, BOUNDS, headers, responseOf)
      // A code is valid once, so the request for tokens is not repeated.
      const form = body === undefined || body === null ? {} : { body: textOfBody(body) }
      const fetched = await fetch(url, BOUNDS, { method: 'POST', headers, ...form })
      if (fetched.status < 500 && fetched.status !== 429) return await responseOf(fetched)
      fetched.body.on('error', () => undefined).destroy()
    } catch (error) {
      // Others are of the configuration, such as an address that must not be reached.
      if (!(error instanceof ApiError) || error.status !== 503) throw error
      throw new ProviderFault(`${method} ${new URL(url).pathname}`, { cause: error })
    }
    throw new ProviderFault(`${method} ${new URL(url).pathname} failed`)
  }

  return {
    /** The address at the provider to which the browser is sent. */
    async startUrl(
      provider: IdentityProvider,
      callbackURL: string,
      { nonce, verifier, state }: OidcSecrets & { state: string },
    ): Promise<string> {
      const client = openIdClient()
      const configuration = await reached(() => configurationOf(provider))
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: callbackURL,
        scope: 'openid email profile',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        nonce,
        state,
      })
      return url.href
    },

    /**
     * The person whom the provider sent back to this address.
     * @throws SignInRefused, and 503 if the provider fails
     */
    async personAt(
      provider: IdentityProvider,
      url: URL,
      { nonce, verifier, state }: OidcSecrets & { state: string },
    ): Promise<Person> {
      const client = openIdClient()
      return reached(async () => {
        const configuration = await configurationOf(provider)
        const tokens = await client.authorizationCodeGrant(configuration, url, {
          pkceCodeVerifier: verifier,
          expectedNonce: nonce,
          expectedState: state,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) return refuse('The provider sent no ID token')
        const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined
        const more =
          claims.email === undefined && hasMore
            ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
            : {}
        return personOfClaims({ ...more, ...claims }, provider.trustsEmails === 1)
      })
    },
  }
}

/** The provider cannot be reached, is too slow or fails: the sign-in is not refused, and may work later. */
class ProviderFault extends Error {}

const RETRY_S = 60

async function responseOf(fetched: Fetched): Promise<Response> {
  const { status, headers } = fetched
  const bytes = await fetched.bytes()
  return new Response(bytes.length > 0 ? new Uint8Array(bytes) : null, { status, headers })
}

/** The fault of the provider among the causes of an error of the library. */
function providerFault(error: unknown): ProviderFault | undefined {
  if (error instanceof ProviderFault) return error
  return error instanceof Error && error.cause !== undefined ? providerFault(error.cause) : undefined
}

/** The library sends forms. */
const textOfBody = (body: unknown) =>
  typeof body === 'string' ? body : new URLSearchParams(body as never).toString()

/** As the provider says that it wants the client secret; by default, in the header. */
function authentication(client: Client, secret: string): ReturnType<Client['ClientSecretBasic']> {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const accepted = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const inBody = !accepted.includes('client_secret_basic') && accepted.includes('client_secret_post')
    return (inBody ? post : basic)(server, ...rest)
  }
}

/** The errors of the library name what differs. Their causes can contain tokens, so they are not logged. */
async function reached<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SignInRefused) throw error
    const fault = providerFault(error)
    if (fault) {
      const later = unavailable(because('identity-provider-failing'), RETRY_S)
      later.cause = fault
      throw later
    }
    const { message, code, error: named } = error as Error & { code?: string; error?: string }
    const { cause } = error as { cause?: unknown }
    const inner = cause instanceof Error ? `: ${cause.message}` : ''
    throw new SignInRefused(
      `The OpenID provider: ${[named, message].filter(Boolean).join(': ')}${code ? ` (${code})` : ''}${inner}`,
    )
  }
}

/** @param trustsEmails whether an address counts although the provider does not say that it is verified */
function personOfClaims(claims: { sub: string } & Record<string, unknown>, trustsEmails: boolean): Person {
  const { sub } = claims
  if (sub.length > LONGEST_SUBJECT) refuse(`The subject has more than ${LONGEST_SUBJECT} characters`)
  const claimText = (name: string) => {
    const value = claims[name]
    return typeof value === 'string' ? value : undefined
  }
  const verified = claims.email_verified
  // Some providers send a text.
  const isVerified = verified === true || verified === 'true' || (verified === undefined && trustsEmails)
  const email = isVerified ? emailIn(claimText('email')) : undefined
  const whole = [claimText('given_name'), claimText('family_name')].filter(Boolean).join(' ')
  const displayName = nameIn(claimText('name'), whole)
  const photoURL = photoIn(claimText('picture'))
  return {
    subject: `sub:${sub}`,
    ...(email !== undefined && { email }),
    ...(displayName !== undefined && { displayName }),
    ...(photoURL !== undefined && { photoURL }),
  }
}
