/** The sign-in providers of a setup file: their schema, and their values with secrets and certificates. */
import { type Static, type TSchema, Type } from 'typebox'
import { ApiError, type Fault } from '../http/errors.ts'
import { compileCheck } from '../http/validation/validate.ts'
import { oneOf, RoleSchema, WebUri } from '../model/common.ts'
import { checkedCertificates } from '../model/membership/certificates.ts'
import { ProviderLabel } from '../model/membership/identity-provider.ts'

/** Where a text is: in a file, relative to that of the setup, or in an environment variable. */
export const TextReference = Type.Object({
  file: Type.Optional(Type.String({ minLength: 1 })),
  env: Type.Optional(Type.String({ minLength: 1 })),
})
type TextReference = Static<typeof TextReference>

const OidcSetup = Type.Object({
  kind: Type.Optional(oneOf(['oidc'])),
  label: ProviderLabel,
  issuer: WebUri,
  clientID: Type.String({ minLength: 1, maxLength: 512 }),
  clientSecret: TextReference,
  trustEmails: Type.Optional(Type.Boolean()),
  defaultRole: Type.Optional(RoleSchema),
})

const SamlSetup = Type.Object({
  kind: oneOf(['saml']),
  label: ProviderLabel,
  entityID: Type.String({ minLength: 1, maxLength: 1024 }),
  ssoURL: WebUri,
  logoutURL: Type.Optional(WebUri),
  certificate: TextReference,
  signRequests: Type.Optional(Type.Boolean()),
  allowUnsolicited: Type.Optional(Type.Boolean()),
  defaultRole: Type.Optional(RoleSchema),
})

/** A provider of either kind: `declaredProviders` checks the rest, because a union would not say what is wrong. */
export const ProviderOfSetup = Type.Object({ kind: Type.Optional(oneOf(['oidc', 'saml'])) })

const KINDS = {
  oidc: { schema: OidcSetup, faultsOf: compileCheck(OidcSetup, 'body') },
  saml: { schema: SamlSetup, faultsOf: compileCheck(SamlSetup, 'body') },
}

/** Providers whose secrets and certificates have been read. */
export type OidcOfSetup = Omit<Static<typeof OidcSetup>, 'clientSecret'> & { clientSecret: string }
export type SamlOfSetup = Omit<Static<typeof SamlSetup>, 'certificate'> & { certificate: string }

/** The kind of a provider, which is OpenID Connect if it names none. */
const kindOfProvider = (value: unknown): keyof typeof KINDS =>
  (value as { kind?: unknown } | null)?.kind === 'saml' ? 'saml' : 'oidc'

/** The schema of the fields of a provider. */
export const providerSchema = (value: unknown): TSchema => KINDS[kindOfProvider(value)].schema

/** What is wrong with the fields of providers, with paths such as `body.signIn.0.issuer`. */
export const providerFaults = (providers: readonly unknown[]): Fault[] =>
  providers.flatMap((provider, i) =>
    KINDS[kindOfProvider(provider)]
      .faultsOf(provider)
      .map((fault) => ({ ...fault, path: fault.path.replace(/^body/, `body.signIn.${i}`) })),
  )

/**
 * The providers with their secrets and certificates. Their fields have been checked.
 * @param textOf reads a text, or adds a fault and returns an empty one
 */
export function declaredProviders(
  providers: readonly unknown[],
  textOf: (path: string, reference: TextReference) => string,
  faults: string[],
): (OidcOfSetup | SamlOfSetup)[] {
  const declared = (providers as Static<typeof OidcSetup | typeof SamlSetup>[]).map((provider, i) => {
    const path = `signIn.${i}`
    if (provider.kind !== 'saml')
      return { ...provider, clientSecret: textOf(`${path}.clientSecret`, provider.clientSecret) }
    const certificate = textOf(`${path}.certificate`, provider.certificate)
    if (certificate !== '') checkCertificate(`${path}.certificate`, certificate, faults)
    return { ...provider, certificate }
  })
  if (new Set(declared.map(({ label }) => label)).size < declared.length)
    faults.push('signIn: each "label" must be different, because it identifies the provider')
  return declared
}

function checkCertificate(path: string, text: string, faults: string[]): void {
  try {
    checkedCertificates(path, text)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    faults.push(error.message)
  }
}
