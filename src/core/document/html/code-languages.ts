import { bundledLanguagesInfo } from 'shiki/langs'

/** The id that stands for code without a grammar. */
export const PLAIN_TEXT = 'text'

/** Names that writers put after a fence and that Shiki does not list, with the id of the grammar that fits. */
const MORE_ALIASES: Record<string, string> = {
  assembly: 'asm',
  cc: 'cpp',
  cfg: 'ini',
  cshtml: 'razor',
  csproj: 'xml',
  curl: 'shellscript',
  env: 'dotenv',
  ex: 'elixir',
  feature: 'gherkin',
  golang: 'go',
  h: 'c',
  hpp: 'cpp',
  htm: 'html',
  'json-doc': 'json',
  jsonlines: 'jsonl',
  mysql: 'sql',
  node: 'javascript',
  objectivec: 'objective-c',
  patch: 'diff',
  pgsql: 'sql',
  pl: 'perl',
  postgres: 'sql',
  postgresql: 'sql',
  pycon: 'python',
  python3: 'python',
  'shell-session': 'shellsession',
  sol: 'solidity',
  sqlite: 'sql',
  svg: 'xml',
  tsql: 'sql',
  vbnet: 'vb',
  visualbasic: 'vb',
  xaml: 'xml',
  xhtml: 'html',
}

const NAMES = new Map(bundledLanguagesInfo.map(({ id, name }) => [id, name]))
const IDS = new Map([
  ...Object.entries(MORE_ALIASES),
  ...bundledLanguagesInfo.flatMap(({ id, aliases = [] }) =>
    [id, ...aliases].map((name) => [name, id] as const),
  ),
])

/** The id of the grammar for the language that a writer named; `PLAIN_TEXT` for a name that nobody knows. */
export function languageOf(syntax: string | undefined): string {
  const wanted = (syntax ?? '')
    .trim()
    .toLowerCase()
    .replace(/^(?:lang|language)-/, '')
  return IDS.get(wanted) ?? PLAIN_TEXT
}

/** The name of a code block's language for readers; empty for plain text. */
export function languageName(syntax: string | undefined): string {
  return NAMES.get(languageOf(syntax)) ?? ''
}
