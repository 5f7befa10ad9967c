/** The texts for everybody in the data of a node: its title, alternative text, caption and label. */
export function labelsIn(data: object): string[] {
  const { title, alt, caption, label } = data as Record<string, unknown>
  return [title, alt, caption, label].filter((text) => typeof text === 'string')
}
