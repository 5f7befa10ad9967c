/** Whether the writer of a diagram chose its theme or its colours: in front matter, or in a directive at its beginning. */
export function namesTheme(source: string): boolean {
  const settings = /^\s*---\s[\s\S]*?\n\s*---|%%\{[\s\S]*?\}%%/g
  return (source.match(settings) ?? []).some((text) => /\btheme(?:Variables)?['"]?\s*:/.test(text))
}
