import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Static, Type } from 'typebox'
import { append } from '../core/data/lists.ts'
import { readYaml } from '../core/yaml/read.ts'
import { compileCheck } from '../http/validation/validate.ts'
import { oneOf, titleSchema } from '../model/common.ts'
import { Email, Password } from '../model/people/account.ts'
import { Hostname } from '../model/places/organization.ts'
import { isReservedName } from '../model/places/host-names.ts'
import { SITE_VISIBILITIES } from '../model/sites/site.ts'
import { SiteTitle } from '../model/sites/site-title.ts'
import { ConfigError } from './config.ts'
import {
  declaredProviders,
  type OidcOfSetup,
  ProviderOfSetup,
  providerFaults,
  providerSchema,
  type SamlOfSetup,
  TextReference,
} from './setup-providers.ts'

/** What an operator declares for an installation. Parts that are absent are left as they are. */
const SetupFile = Type.Object({
  organization: Type.Optional(
    Type.Object({ title: Type.Optional(titleSchema(255, 2)), hostname: Type.Optional(Hostname) }),
  ),
  administrator: Type.Optional(
    Type.Object({
      email: Email,
      name: Type.Optional(titleSchema(255)),
      password: Type.Optional(TextReference),
    }),
  ),
  signIn: Type.Optional(Type.Array(ProviderOfSetup, { maxItems: 20 })),
  site: Type.Optional(
    Type.Object({
      title: SiteTitle,
      visibility: Type.Optional(oneOf(SITE_VISIBILITIES)),
      content: Type.Optional(oneOf(['empty', 'sample'])),
      published: Type.Optional(Type.Boolean()),
    }),
  ),
})
type SetupFile = Static<typeof SetupFile>

/** A setup whose secrets have been read. They are never printed. */
export interface Setup extends Omit<SetupFile, 'administrator' | 'signIn'> {
  administrator?: { email: string; name?: string; password?: string }
  signIn?: (OidcOfSetup | SamlOfSetup)[]
}

/** In UTF-16 units. */
const LONGEST = 1_000_000
const check = compileCheck(SetupFile, 'body')
const checkPassword = compileCheck(Type.Object({ password: Password }), 'body')

/**
 * Reads a setup in YAML or JSON.
 * @throws ConfigError that names the path of each invalid value
 */
export function readSetup(file: string, env: Record<string, string | undefined>): Setup {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConfigError([
      `The setup file ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`,
    ])
  }
  const { value, fault } = readYaml(text, { length: LONGEST, depth: 20 })
  if (fault !== undefined) throw new ConfigError([`${file}: ${fault.message}`])
  return checkedSetup(value, (name, reference) => readSecret(file, name, reference, env), file)
}

/** Checks the values of a setup. @param secretOf returns a secret, or throws an Error that names its fault */
export function checkedSetup(
  value: unknown,
  secretOf: (path: string, reference: { file?: string; env?: string }) => string,
  from: string,
): Setup {
  const found = check(value)
  if (found.length === 0) append(found, providerFaults((value as SetupFile).signIn ?? []))
  const faults = found.map(({ path, message }) => `${path.replace(/^body\.?/, '') || 'file'}: ${message}`)
  append(faults, unknownFields(SetupFile, value, []))
  if (faults.length > 0) throw new ConfigError(faults.map((fault) => `${from}: ${fault}`))

  const setup = value as SetupFile
  const secret = (path: string, reference: { file?: string; env?: string }) => {
    try {
      return secretOf(path, reference)
    } catch (error) {
      faults.push(`${path}: ${(error as Error).message}`)
      return ''
    }
  }
  const { administrator, signIn = [], ...others } = setup
  const providers = declaredProviders(signIn, secret, faults)
  if (setup.organization?.hostname !== undefined && isReservedName(setup.organization.hostname))
    faults.push(`organization.hostname: "${setup.organization.hostname}" is reserved; choose another name`)
  const password = administrator?.password && secret('administrator.password', administrator.password)
  if (password)
    append(
      faults,
      checkPassword({ password }).map(({ message }) => `administrator.password: ${message}`),
    )
  if (faults.length > 0) throw new ConfigError(faults.map((fault) => `${from}: ${fault}`))
  const { password: _, ...person } = administrator ?? { email: '' }
  return {
    ...others,
    ...(administrator && {
      administrator: { ...person, email: person.email.toLowerCase(), ...(password && { password }) },
    }),
    signIn: providers,
  }
}

/** @throws Error that names the file or variable, and never its content */
function readSecret(
  setup: string,
  path: string,
  { file, env: variable }: { file?: string; env?: string },
  env: Record<string, string | undefined>,
): string {
  if ((file === undefined) === (variable === undefined))
    throw new Error(
      `name either "file" or "env", such as { "file": "/run/secrets/${path.split('.').at(-1)}" }`,
    )
  if (variable !== undefined) {
    const value = env[variable]
    if (!value) throw new Error(`the environment variable ${variable} is not set`)
    return value
  }
  const place = resolve(dirname(setup), file ?? '')
  try {
    const value = readFileSync(place, 'utf8').trim()
    if (value !== '') return value
  } catch (error) {
    throw new Error(`the file ${place} cannot be read (${(error as NodeJS.ErrnoException).code})`, {
      cause: error,
    })
  }
  throw new Error(`the file ${place} is empty`)
}

/** A misspelled field would otherwise be ignored. */
function unknownFields(schema: unknown, value: unknown, path: string[]): string[] {
  const own = schema === ProviderOfSetup ? providerSchema(value) : schema
  const { properties, items } = own as { properties?: Record<string, unknown>; items?: unknown }
  if (Array.isArray(value))
    return value.flatMap((item, i) => (items ? unknownFields(items, item, [...path, String(i)]) : []))
  if (typeof value !== 'object' || value === null || !properties) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name in properties
      ? unknownFields(properties[name], inner, [...path, name])
      : `${[...path, name].join('.')}: no such field; known are ${Object.keys(properties).join(', ')}`,
  )
}
