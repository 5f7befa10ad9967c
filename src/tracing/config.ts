/** The settings of traces, by the environment variables that OpenTelemetry specifies. */

/** Which traces are recorded. */
export interface SamplerConfig {
  /** If true, a request with a `traceparent` is recorded if its caller records it. */
  parentBased: boolean
  /** The share of the other traces that are recorded, from 0 to 1. */
  ratio: number
}

/** Where traces are sent, and which. */
export interface TracingConfig {
  /** The full URL that receives spans as OTLP in JSON. */
  url: string
  headers: Record<string, string>
  timeoutMs: number
  /** How often spans are sent. */
  delayMs: number
  sampler: SamplerConfig
  /** What the spans say about the process: `service.name` and others. */
  resource: Record<string, string>
}

type ReadVariable = (name: string) => string | undefined

const SAMPLERS: Readonly<Record<string, (ratio: number) => SamplerConfig>> = {
  always_on: () => ({ parentBased: false, ratio: 1 }),
  always_off: () => ({ parentBased: false, ratio: 0 }),
  traceidratio: (ratio) => ({ parentBased: false, ratio }),
  parentbased_always_on: () => ({ parentBased: true, ratio: 1 }),
  parentbased_always_off: () => ({ parentBased: true, ratio: 0 }),
  parentbased_traceidratio: (ratio) => ({ parentBased: true, ratio }),
}

/**
 * Reads the variables; undefined if no endpoint is set, or if `OTEL_SDK_DISABLED` or `OTEL_TRACES_EXPORTER` switch traces
 * off. Adds a line to `faults` for each invalid variable.
 */
export function readTracing(text: ReadVariable, faults: string[]): TracingConfig | undefined {
  const ofTraces = text('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  const base = text('OTEL_EXPORTER_OTLP_ENDPOINT')
  if (ofTraces === undefined && base === undefined) return undefined
  if (text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined
  const exporter = text('OTEL_TRACES_EXPORTER') ?? 'otlp'
  if (exporter === 'none') return undefined
  if (exporter !== 'otlp') faults.push('OTEL_TRACES_EXPORTER must be otlp or none')
  readProtocol(text, faults)

  const name = ofTraces === undefined ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
  const url = ofTraces ?? `${base?.replace(/\/+$/, '')}/v1/traces`
  // The value is not printed: it can contain a password.
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    faults.push(`${name} must be a URL such as http://localhost:4318`)
  const milliseconds = (variable: string, fallback: number) => {
    const value = text(variable)
    if (value === undefined) return fallback
    if (/^\d{1,9}$/.test(value) && Number(value) > 0) return Number(value)
    faults.push(`${variable} must be a number of milliseconds, but is "${value}"`)
    return fallback
  }
  return {
    url,
    headers: readPairs(
      'OTEL_EXPORTER_OTLP_HEADERS',
      text('OTEL_EXPORTER_OTLP_TRACES_HEADERS') ?? text('OTEL_EXPORTER_OTLP_HEADERS'),
      faults,
    ),
    timeoutMs: milliseconds('OTEL_EXPORTER_OTLP_TIMEOUT', 10_000),
    delayMs: milliseconds('OTEL_BSP_SCHEDULE_DELAY', 5_000),
    sampler: readSampler(text, faults),
    resource: readResource(text, faults),
  }
}

function readProtocol(text: ReadVariable, faults: string[]): void {
  for (const name of ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL']) {
    const protocol = text(name)
    if (protocol !== undefined && protocol !== 'http/json')
      faults.push(
        `${name} must be http/json, but is "${protocol}"; collectors accept it on the port of http/protobuf, 4318`,
      )
  }
}

function readSampler(text: ReadVariable, faults: string[]): SamplerConfig {
  const name = text('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on'
  const value = text('OTEL_TRACES_SAMPLER_ARG') ?? '1'
  const ratio = Number(value)
  if (!(ratio >= 0 && ratio <= 1))
    faults.push(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, but is "${value}"`)
  const sampler = Object.hasOwn(SAMPLERS, name) ? SAMPLERS[name] : undefined
  if (sampler) return sampler(ratio)
  faults.push(`OTEL_TRACES_SAMPLER must be one of ${Object.keys(SAMPLERS).join(', ')}, but is "${name}"`)
  return { parentBased: true, ratio: 1 }
}

function readResource(text: ReadVariable, faults: string[]): Record<string, string> {
  const name = 'OTEL_RESOURCE_ATTRIBUTES'
  const attributes = readPairs(name, text(name), faults)
  const service = text('OTEL_SERVICE_NAME') ?? attributes['service.name'] ?? 'lectern'
  return { ...attributes, 'service.name': service }
}

/** Reads `name=value,name=value`, with percent-encoded values (W3C Baggage). */
function readPairs(name: string, list: string | undefined, faults: string[]): Record<string, string> {
  const pairs: Record<string, string> = {}
  for (const pair of (list ?? '').split(',')) {
    if (pair.trim() === '') continue
    const [key = '', ...rest] = pair.split('=')
    try {
      if (key.trim() === '' || rest.length === 0) throw new Error('no name or no value')
      pairs[decodeURIComponent(key.trim())] = decodeURIComponent(rest.join('=').trim())
    } catch {
      // The value is not printed: it can be a secret.
      faults.push(`${name} must be a list of name=value, separated by commas`)
      return {}
    }
  }
  return pairs
}
