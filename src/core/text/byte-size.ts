const UNITS = ['bytes', 'kB', 'MB', 'GB']

/**
 * A limit in bytes as people read it, such as `64 kB` or `100 MB`: in units of 1,024 if it is a multiple of 1,024, and
 * otherwise of 1,000.
 */
export function sizeLimit(bytes: number): string {
  const base = bytes % 1024 === 0 ? 1024 : 1000
  let [value, unit] = [bytes, 0]
  while (value >= base && unit < UNITS.length - 1) {
    value /= base
    unit++
  }
  return `${Math.round(value * 10) / 10} ${UNITS[unit]}`
}
