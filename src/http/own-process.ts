import { type Network, networksOf } from './limits/networks.ts'

/** A request that took long. The operation is the pattern of its path, so that it has no ids, names or queries. */
export interface SlowRequest {
  at: string
  /** Such as `GET /v1/spaces/:spaceId`. */
  operation: string
  ms: number
  status: number
}

/** What this copy of the server knows of itself and its settings. */
export interface OwnProcess {
  id: string
  host: string
  version: string
  nodeVersion: string
  startedAt: string
  settings: OwnSettings
  /** The slow requests of the last hour, at most `MOST_SLOW`. */
  slowRequests(now: Date): SlowRequest[]
  noteRequest(request: SlowRequest): void
  /** Counts an attempt to sign in that failed. */
  noteFailedSignIn(ip: string, now: Date): void
  /** The failed attempts since the last call. */
  takeFailedSignIns(): { hour: string; network: string; count: number }[]
  /** A private address that named the address of a client although it is no trusted proxy. */
  untrustedProxy: string | undefined
}

/** The settings of the operator that health checks look at. None is a secret. */
export interface OwnSettings {
  /** The data folder. */
  data: string
  store: 'disk' | 's3'
  database: 'sqlite' | 'postgres'
  /** `LECTERN_URL`, or undefined. */
  url: string | undefined
  /** Whether only the machine itself reaches the server. */
  isLocal: boolean
  isSecretWeak: boolean
  updateUrl: string | undefined
}

/** From how many milliseconds a request is slow. */
export const SLOW_MS = 1_000
const MOST_SLOW = 50
const HOUR_MS = 3_600_000
const MOST_NETWORKS = 1_000

/** @param own who this copy is, and its settings */
export function ownProcess(
  own: Pick<OwnProcess, 'id' | 'host' | 'version' | 'nodeVersion' | 'startedAt' | 'settings'>,
): OwnProcess {
  let slow: SlowRequest[] = []
  let failed = new Map<string, { hour: string; network: string; count: number }>()
  return {
    ...own,
    untrustedProxy: undefined,
    slowRequests(now) {
      const since = new Date(now.getTime() - HOUR_MS).toISOString()
      return slow.filter(({ at }) => at >= since)
    },
    noteRequest(request) {
      slow = [...slow.slice(1 - MOST_SLOW), request]
    },
    noteFailedSignIn(ip, now) {
      const [{ name }] = networksOf(ip) as [Network]
      const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS).toISOString()
      const key = `${hour} ${name}`
      const known = failed.get(key)
      if (known) known.count += 1
      else if (failed.size < MOST_NETWORKS)
        failed.set(key, { hour, network: networkName(ip, name), count: 1 })
    },
    takeFailedSignIns() {
      const taken = [...failed.values()]
      failed = new Map()
      return taken
    },
  }
}

/** The network as people write it: `192.0.2.0/24`, or `2001:db8:1:2::/64` instead of the bytes. */
function networkName(ip: string, name: string): string {
  const [, hex = ''] = /^([0-9a-f]{16})\/64$/.exec(name) ?? []
  if (hex === '' || !ip.includes(':')) return name
  const groups = hex.match(/.{4}/g) ?? []
  return `${groups.map((group) => group.replace(/^0{1,3}/, '')).join(':')}::/64`
}
