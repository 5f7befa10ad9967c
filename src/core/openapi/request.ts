/** The parts of a request to an operation other than its body. */
import { isRecord } from '../data/is-record.ts'
import { itemsIn } from './schemas/schema.ts'

type Fields = Record<string, unknown>

/** The base URL of an operation: that of its first server, with the default values of its variables. */
export function serverOf(operation: Fields, info: Fields): string | undefined {
  const [server] = [...itemsIn(operation['servers']), ...itemsIn(info['servers'])].filter(isRecord)
  const url = server?.['url']
  if (typeof url !== 'string') return undefined
  const variables = isRecord(server?.['variables']) ? server['variables'] : {}
  const filled = url.replace(/\{([^{}]{1,100})\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
    return isRecord(variable) && typeof variable['default'] === 'string' ? variable['default'] : whole
  })
  return filled.replace(/\/$/, '')
}

/** The URL of a path. The reader fills in the host if the specification names none. */
export function urlAt(server: string | undefined, path: string): string {
  return (
    (server === undefined || server.startsWith('/') ? `https://YOUR_SERVER${server ?? ''}` : server) + path
  )
}

/** The schema of a parameter or header, which may have it in a media type. */
export function schemaOfParameter({ schema, content }: Fields): unknown {
  if (schema !== undefined) return schema
  const [media] = isRecord(content) ? Object.values(content) : []
  return isRecord(media) ? media['schema'] : {}
}

/** A way to authenticate. */
export interface Authentication {
  name: string
  /** How it is sent, such as `bearer` or `header X-Key`. */
  detail: string
  /** The header that a request has. */
  header?: [name: string, value: string]
}

/** The security schemes of which an operation needs one. */
export function authenticationOf(operation: Fields, info: Fields): Authentication[] {
  const wanted = Array.isArray(operation['security']) ? operation['security'] : itemsIn(info['security'])
  const schemes = isRecord(info['securitySchemes']) ? info['securitySchemes'] : {}
  const names = new Set((wanted as unknown[]).filter(isRecord).flatMap((one) => Object.keys(one)))
  return [...names].slice(0, 20).map((name) => {
    const scheme = Object.hasOwn(schemes, name) ? schemes[name] : undefined
    return isRecord(scheme) ? { name, ...wayOf(scheme) } : { name, detail: '' }
  })
}

function wayOf({ type, scheme, in: place, name }: Fields): Omit<Authentication, 'name'> {
  if (type === 'http' && typeof scheme === 'string') {
    const isBasic = scheme.toLowerCase() === 'basic'
    const value = isBasic ? 'Basic YOUR_CREDENTIALS' : 'Bearer YOUR_TOKEN'
    return { detail: scheme.slice(0, 40), header: ['Authorization', value] }
  }
  if (type === 'apiKey' && typeof name === 'string') {
    const detail = `${String(place)} ${name}`.slice(0, 80)
    return place === 'header' ? { detail, header: [name, 'YOUR_KEY'] } : { detail }
  }
  if (type === 'oauth2' || type === 'openIdConnect')
    return { detail: type, header: ['Authorization', 'Bearer YOUR_TOKEN'] }
  return { detail: typeof type === 'string' ? type.slice(0, 40) : '' }
}

/** The query of an example request: the parameters that are required. */
export function queryOf(parameters: readonly Fields[], exampleFor: (parameter: Fields) => unknown): string {
  const required = parameters.filter((one) => one['in'] === 'query' && one['required'] === true).slice(0, 20)
  const query = new URLSearchParams()
  for (const parameter of required) {
    const value = parameter['example'] ?? exampleFor(parameter)
    query.append(String(parameter['name']), typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
  }
  const written = query.toString()
  return written === '' ? '' : `?${written}`
}
