/**
 * `npm run words`: writes the types of the values of the English texts, and lists what the catalogues lack. A text that a
 * catalogue lacks is shown in English, so the command does not fail.
 */
import { writeFileSync } from 'node:fs'
import { checkCatalogue, languagesOfCatalogues, printValues, VALUES_FILE } from './print.ts'

writeFileSync(VALUES_FILE, printValues())
for (const language of languagesOfCatalogues()) {
  const { missing, unknown, faulty } = checkCatalogue(language)
  const lists = { missing, unknown, faulty }
  for (const [name, ids] of Object.entries(lists))
    if (ids.length > 0)
      console.log(`${language}: ${ids.length} ${name}\n${ids.map((id) => `  ${id}\n`).join('')}`)
}
