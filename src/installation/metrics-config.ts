import type { MetricsConfig } from '../metrics/endpoint.ts'

const ADDRESS = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+)):(\d{1,5})$/i

/** Reads `LECTERN_METRICS_LISTEN`; undefined if neither it nor a token is set. Adds a line to `faults` if it is invalid. */
export function readMetrics(
  text: (name: string) => string | undefined,
  token: string | undefined,
  faults: string[],
): MetricsConfig | undefined {
  const address = text('LECTERN_METRICS_LISTEN')
  const [, ipv6, host = ipv6, port] = ADDRESS.exec(address ?? '') ?? []
  if (address !== undefined && (host === undefined || Number(port) > 65_535))
    faults.push(
      `LECTERN_METRICS_LISTEN must be an address and a port, such as 127.0.0.1:9464, but is "${address}"`,
    )
  if (address === undefined && token === undefined) return undefined
  return { listen: host === undefined ? undefined : { host, port: Number(port) }, token }
}
