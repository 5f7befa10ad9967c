/** The headers of an HTTP request as people write them: `Name: value`, one in a line. */

/** @returns the headers, and the first line that is none, if there is one */
export function readHeaders(text: string): { headers: Record<string, string>; fault?: string } {
  const headers: Record<string, string> = {}
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const colon = line.indexOf(':')
    if (colon < 1) return { headers, fault: line.trim() }
    headers[line.slice(0, colon).trim()] = line.slice(colon + 1).trim()
  }
  return { headers }
}

export const printHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
