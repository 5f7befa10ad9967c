/** The stemming algorithms of Snowball, loaded at their first use. */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The module of each language in the library, by the code of the language. Malay has nearly the affixes of Indonesian. */
const MODULES: ReadonlyMap<string, string> = new Map(
  `da:danish de:german el:greek es:spanish fi:finnish fr:french hi:indian hu:hungarian hy:armenian
  id:indonesian it:italian lt:lithuanian ms:indonesian nl:dutch no:norwegian pt:portuguese ro:romanian ru:russian
  sv:swedish ta:tamil tr:turkish uk:ukrainian`
    .split(/\s+/)
    .map((pair): [string, string] => [pair.slice(0, 2), pair.slice(3)]),
)

type Stemmer = (word: string) => string

const loaded = new Map<string, Stemmer>()

/** The algorithm of a language, which takes a word in lower case with its accents; undefined if there is none. */
export function snowball(language: string): Stemmer | undefined {
  const name = MODULES.get(language)
  if (name === undefined) return undefined
  let stemmer = loaded.get(name)
  if (!stemmer) {
    const library = require(`@orama/stemmers/${name}`) as { stemmer: Stemmer }
    loaded.set(name, (stemmer = library.stemmer))
  }
  return stemmer
}
