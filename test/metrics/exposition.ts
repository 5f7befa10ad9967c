/** A strict reader of the text format of Prometheus, version 0.0.4. */
import assert from 'node:assert/strict'

export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

/** A metric with its samples: those of a histogram end in `_bucket`, `_sum` and `_count`. */
export interface MetricFamily {
  name: string
  type: string
  help: string
  samples: Sample[]
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const TYPES = new Set(['counter', 'gauge', 'histogram', 'summary', 'untyped'])
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/

/** Reads an exposition. Fails at the first line that the format does not allow, and at series that appear twice. */
export function readExposition(text: string): Map<string, MetricFamily> {
  assert(text.endsWith('\n'), 'the last line ends')
  const families = new Map<string, MetricFamily>()
  const seen = new Set<string>()
  let current: MetricFamily | undefined
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (keyword === 'HELP') {
      assert.match(name, NAME)
      assert(!families.has(name), `${name} appears twice`)
      current = { name, type: '', help: rest, samples: [] }
      families.set(name, current)
      continue
    }
    assert(current, line)
    if (keyword === 'TYPE') {
      assert.equal(name, current.name)
      assert(TYPES.has(rest), line)
      current.type = rest
      continue
    }
    const sample = readSample(line)
    assert(belongs(sample, current), `${line} is not of ${current.name}`)
    assert(!seen.has(keyOf(sample)), `${line} appears twice`)
    seen.add(keyOf(sample))
    current.samples.push(sample)
  }
  for (const family of families.values()) if (family.type === 'histogram') checkHistogram(family)
  return families
}

/** The series of a sample. */
export const keyOf = ({ name, labels }: Sample): string =>
  `${name} ${JSON.stringify(Object.entries(labels).toSorted())}`

function readSample(line: string): Sample {
  const [, name = '', labelText = '', number = ''] = SAMPLE.exec(line) ?? []
  assert.match(name, NAME, line)
  const labels: Record<string, string> = {}
  for (let rest = labelText; rest !== '';) {
    const [whole = '', label = '', value = ''] = LABEL.exec(rest) ?? []
    assert(whole !== '', line)
    assert(!(label in labels), line)
    labels[label] = value
    rest = rest.slice(whole.length)
  }
  const value = number === '+Inf' ? Infinity : Number(number)
  // The library writes "Nan", which Prometheus reads.
  assert(/^nan$/i.test(number) || !Number.isNaN(value), line)
  return { name, labels, value }
}

function belongs({ name }: Sample, { name: family, type }: MetricFamily): boolean {
  if (type === 'histogram') return [`${family}_bucket`, `${family}_sum`, `${family}_count`].includes(name)
  if (type === 'summary') return [family, `${family}_sum`, `${family}_count`].includes(name)
  return name === family
}

/** The buckets of a histogram grow, and the last has all. */
function checkHistogram({ name, samples }: MetricFamily): void {
  const series = Map.groupBy(samples, ({ labels }) => JSON.stringify({ ...labels, le: undefined }))
  for (const [labels, some] of series) {
    const buckets = some.filter((one) => one.name === `${name}_bucket`)
    const limits = buckets.map(({ labels: { le } }) => (le === '+Inf' ? Infinity : Number(le)))
    const counts = buckets.map(({ value }) => value)
    if (buckets.length === 0) continue
    assert.deepEqual(
      limits,
      limits.toSorted((a, b) => a - b),
      labels,
    )
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
      labels,
    )
    assert.equal(limits.at(-1), Infinity)
    assert.equal(some.find((one) => one.name === `${name}_count`)?.value, counts.at(-1))
  }
}
