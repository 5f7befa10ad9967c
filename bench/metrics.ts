import { importCorpus } from './import.ts'
import { compare, type Load, median, spread, startLectern } from './measure.ts'
import type { Result } from './result.ts'

const PAGE = 'getting-started/concepts'
const CONNECTIONS = 64

/** The CPU time of a published page, warm, with metrics and with traces, compared to a server that reports nothing. */
export async function observed(): Promise<Result[]> {
  await using plain = await startLectern({ LECTERN_SLOW_QUERY_MS: '0' })
  await using counting = await startLectern({ LECTERN_METRICS_LISTEN: '127.0.0.1:0' })
  await using tracing = await startLectern({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.01',
  })
  const targets = []
  for (const server of [plain, counting, tracing]) {
    const { site } = await importCorpus(server, 'elsa-docs')
    const { host, pathname } = new URL(site)
    const headers = { Host: host, 'accept-encoding': 'br' }
    targets.push({ server, url: `${server.url}${pathname}${PAGE}`, headers })
  }
  const [none = [], metrics = [], traces = []] = await compare(targets, CONNECTIONS)
  return [cpuLine('metrics', metrics, none), cpuLine('traces of 1 in 100 requests', traces, none)]
}

/** A line that compares the CPU time of a request. */
function cpuLine(what: string, ours: readonly Load[], reference: readonly Load[]): Result {
  const [own = [], other = []] = [ours, reference].map((loads) => loads.map(({ cpu }) => cpu * 1000))
  return {
    scenario: `published page, warm, with ${what} / without: CPU time`,
    ours: `${median(own).toFixed(0)} µs`,
    reference: `${median(other).toFixed(0)} µs`,
    ratio: median(own) / median(other),
    spread: spread(own, 1),
    goal: '≤ 1.02',
    cpu: median(own) / 1000,
  }
}
