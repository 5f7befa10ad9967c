/** The settings of a project of Hugo, and the folders of its pages in each language. */
import { isRecord } from '../../../data/is-record.ts'
import type { Problem } from '../../../repository/model.ts'
import { joinPath } from '../../../text/file-paths.ts'
import type { SourceFiles } from '../../converted.ts'
import { pagesByLanguage } from '../named-languages.ts'
import { foldersWithPages, hasPages, inFolder, settingsFolder } from '../project.ts'
import { MOST_TREES, type ProjectTree } from '../project-tree.ts'
import { readSettingsFile } from '../settings-file.ts'

const SETTINGS = /^(?:hugo|config)\.(?:toml|ya?ml|json)$/

/** The folder of a project of Hugo. Its settings may be in `config/_default`. */
export function hugoFolder(files: SourceFiles): string {
  const found = settingsFolder(files, /^hugo\.(?:toml|ya?ml|json)$/) ?? settingsFolder(files, SETTINGS) ?? ''
  return found.replace(/(?:^|\/)config\/_default$/, '')
}

/** The settings of a project of Hugo. Those that cannot be read are added to the problems. */
export function hugoSettings(
  files: SourceFiles,
  folder: string,
  problems: Problem[],
): Record<string, unknown> {
  const names = ['hugo', 'config'].flatMap((name) =>
    ['toml', 'yaml', 'yml', 'json'].map((end) => `${name}.${end}`),
  )
  const path = ['', 'config/_default/']
    .flatMap((below) => names.map((name) => inFolder(folder, below + name)))
    .find((one) => files.has(one))
  const settings = path === undefined ? {} : readSettingsFile(files, path, problems)
  if (isRecord(settings.languages)) return settings
  // The languages may be in a file of their own.
  const own = ['toml', 'yaml', 'yml', 'json']
    .map((end) => inFolder(folder, `config/_default/languages.${end}`))
    .find((one) => files.has(one))
  return own === undefined ? settings : { ...settings, languages: readSettingsFile(files, own, problems) }
}

/** The languages in the settings, by their names. */
export const hugoLanguages = ({ languages }: Record<string, unknown>): Record<string, unknown> =>
  isRecord(languages) ? languages : {}

/** The folder of the pages of a language, and those of the others. */
export interface HugoContent {
  root: string
  language: string
  /** All languages of the settings, also those that are turned off. */
  all: string[]
  /** The other languages that are built, in their order. */
  others: string[]
  otherFolders: { folder: string; language: string }[]
  /** The pages in the same folder that have another language in their names. */
  named: ReadonlyMap<string, readonly string[]>
  /** Whether the site has a folder for the default language too. */
  isInFolder: boolean
}

/**
 * The pages of a language of a project.
 * @param language the default one, if none is given
 */
export function hugoContent(
  settings: Record<string, unknown>,
  folder: string,
  files: SourceFiles,
  language = hugoText(settings, 'defaultContentLanguage') ?? 'en',
): HugoContent {
  const languages = hugoLanguages(settings)
  const all = Object.keys(languages).slice(0, MOST_TREES)
  const off = [settings.disableLanguages ?? []].flat()
  const weight = (one: string) => {
    const own = languages[one]
    return isRecord(own) && typeof own.weight === 'number' ? own.weight : 0
  }
  const others = all
    .filter((one) => one !== language && !off.includes(one))
    .filter((one) => !isRecord(languages[one]) || languages[one].disabled !== true)
    .toSorted((a, b) => weight(a) - weight(b))
  const general = inFolder(folder, hugoText(settings, 'contentDir') ?? 'content')
  const folders = foldersWithPages(files)
  const folderFor = (one: string) => {
    const named = hugoText(languages[one], 'contentDir') ?? mountedFolder(settings, one)
    const path = named === undefined ? `${general}/${one}` : joinPath(folder, named)
    return path !== undefined && folders.has(path) ? path : undefined
  }
  const root =
    (others.length > 0 ? folderFor(language) : undefined) ?? (hasPages(files, general) ? general : folder)
  const otherFolders = others.flatMap((other) => {
    const found = folderFor(other)
    return found === undefined ? [] : [{ folder: found, language: other }]
  })
  const named = pagesByLanguage(files, root, others)
  const isInFolder = settings.defaultContentLanguageInSubdir === true
  return { root, language, all, others, otherFolders, named, isInFolder }
}

/** The folder that a mount makes the content of a language. */
function mountedFolder({ module }: Record<string, unknown>, language: string): string | undefined {
  const mounts = isRecord(module) && Array.isArray(module.mounts) ? module.mounts.filter(isRecord) : []
  return hugoText(
    mounts.find(({ lang, target }) => lang === language && target === 'content'),
    'source',
  )
}

/** The text of a field, whose name may have capital letters; undefined if it is empty or no text. */
export function hugoText(value: unknown, name: string): string | undefined {
  const found = isRecord(value)
    ? Object.entries(value).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
    : undefined
  return typeof found === 'string' && found !== '' ? found : undefined
}

/** The documentations of a project of Hugo: one in each language that has pages. */
export function treesOfHugo({
  root,
  language,
  isInFolder,
  others,
  otherFolders,
  named,
}: HugoContent): ProjectTree[] {
  const main = {
    folder: root,
    language,
    base: isInFolder ? language.toLowerCase() : '',
    isFront: true,
    isMain: true,
  }
  const trees = others.flatMap((other): ProjectTree[] => {
    const folder = otherFolders.find((one) => one.language === other)?.folder
    const pages = named.get(other)?.length
    const rest = { language: other, base: other.toLowerCase(), isFront: false, isMain: false }
    if (folder !== undefined && folder !== root) return [{ folder, ...rest }]
    return pages === undefined ? [] : [{ folder: inFolder(root, other), ...rest, named: pages }]
  })
  return trees.length === 0 ? [] : [main, ...trees]
}
