/** The words of a script in the language of the page, which has those that are not English. */
export function pageWords<Words extends object>(english: Words): Words {
  return { ...english, ...(JSON.parse(document.body.dataset.words ?? '{}') as Partial<Words>) }
}
