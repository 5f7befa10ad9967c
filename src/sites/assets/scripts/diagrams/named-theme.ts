/** Whether the writer of a diagram chose its theme or its colours: in front matter, or in a directive. */
export function namesTheme(source: string): boolean {
  const text = source.trimStart()
  const matter = text.startsWith('---') ? text.slice(0, Math.max(0, text.indexOf('\n---'))) : ''
  return [matter, ...directivesOf(text)].some((one) => /\btheme(?:Variables)?['"]?\s*:/.test(one))
}

function directivesOf(text: string): string[] {
  const found: string[] = []
  let end = 0
  for (let start = text.indexOf('%%{'); start >= 0; start = text.indexOf('%%{', end)) {
    end = text.indexOf('}%%', start)
    if (end < 0) break
    found.push(text.slice(start, end))
  }
  return found
}
