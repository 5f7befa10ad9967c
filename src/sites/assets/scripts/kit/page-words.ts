/** Returns the words of a script in the language of the page. An English page has none, so the English ones apply. */
export function pageWords<Words extends object>(english: Words): Words {
  return { ...english, ...(JSON.parse(document.body.dataset.words ?? '{}') as Partial<Words>) }
}
