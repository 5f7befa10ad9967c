/** The title of a whole documentation: from its configuration, or else from its front page. */
import { isRecord } from '../data/is-record.ts'
import { quickTitle } from '../document/parse.ts'
import { withoutHidden } from '../document/markdown/hiding-tags.ts'
import { shorten } from '../text/shorten.ts'
import type { ImportPlan, PageReading, PlannedPage } from './model.ts'
import { readToml } from '../toml/read.ts'
import { isFolderPage } from '../text/page-slug.ts'
import { folderOf, joinPath, lastSegment } from '../text/file-paths.ts'
import { decodeText } from './decode-text.ts'

type Files = ReadonlyMap<string, Uint8Array>

/** The settings of documentation tools that have a title, in the order in which they are looked at. */
const SETTINGS: [file: string, key: string][] = [
  ['book.json', 'title'],
  ['mkdocs.yml', 'site_name'],
  ['mkdocs.yaml', 'site_name'],
  ['docs.json', 'name'],
  ['mint.json', 'name'],
  ['docs.yaml', 'title'],
  ['docs.yml', 'title'],
  ['antora.yml', 'title'],
  ['_config.yml', 'title'],
  ['hugo.yaml', 'title'],
  ['hugo.yml', 'title'],
  ['book.toml', 'book.title'],
  ['hugo.toml', 'title'],
  ['config.toml', 'title'],
]
const MOST_BYTES = 100_000
const LONGEST = 200

/** Titles of front pages that many documentations have. */
const COMMON = new Set(
  `introduction|intro|welcome|overview|home|homepage|readme|index|start|start here|getting started|get started|quickstart|
  about|about this documentation|documentation|the documentation|docs|doc|repo|repository|website|site|content|contents|book|wiki|manual|user guide|guide|table of contents|contents|
  einleitung|einführung|willkommen|übersicht|überblick|startseite|erste schritte|dokumentation|inhalt|
  bienvenue|accueil|présentation|aperçu|sommaire|bienvenido|bienvenidos|introducción|inicio|resumen|
  introdução|bem-vindo|visão geral|início|introduzione|benvenuto|panoramica|inleiding|welkom|overzicht|
  wprowadzenie|wstęp|witaj|введение|обзор|главная|добро пожаловать|вступ|огляд|
  はじめに|概要|ようこそ|ホーム|简介|介绍|概述|首页|欢迎|快速开始|簡介|介紹|歡迎|소개|개요|시작하기|홈`
    .split('|')
    .map((title) => title.trim()),
)

/**
 * The title of a documentation, if it has one: that in its settings, or else that of its front page, unless that is one that
 * says nothing about the content, such as "Introduction".
 * @param folder the folder of the documentation in the repository
 */
export function titleOfContent<R extends PageReading>(
  files: Files,
  { root, tree, pages }: Pick<ImportPlan<R>, 'root' | 'tree' | 'pages'>,
  folder: string,
): string | undefined {
  return titleInSettings(files, folder) ?? titleOfFrontPage(pages, tree, root)
}

/** Whether a file can have the title of a documentation. */
export function isSettingsFile(path: string): boolean {
  return SETTINGS.some(([file]) => file === lastSegment(path))
}

/** The title that the settings in a folder give to their documentation. */
export function titleInSettings(files: Files, folder: string): string | undefined {
  for (const [file, key] of SETTINGS) {
    const bytes = files.get(joinPath(folder, file) ?? file)
    const text = bytes && bytes.length <= MOST_BYTES ? decodeText(bytes) : undefined
    if (text === undefined) continue
    const title = oneLine(readValue(file, text, key))
    if (title !== '') return title
  }
  return undefined
}

function readValue(file: string, text: string, key: string): string {
  if (file.endsWith('.json')) return valueInJson(text, key)
  return file.endsWith('.toml') ? valueInToml(text, key) : valueInYaml(text, key)
}

/** @param key with dots between the names of tables, such as `book.title` */
function valueInToml(text: string, key: string): string {
  let value: unknown = readToml(text).fields
  for (const name of key.split('.')) value = isRecord(value) ? value[name] : undefined
  return typeof value === 'string' ? value : ''
}

function valueInJson(text: string, key: string): string {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) && typeof value[key] === 'string' ? value[key] : ''
  } catch {
    return ''
  }
}

/** A text at the top level. The rest of the file may have what only its own tool reads, such as names of functions. */
function valueInYaml(text: string, key: string): string {
  const line = text.split(/\r\n|\n|\r/).find((one) => one.startsWith(`${key}:`)) ?? ''
  const value = line.slice(key.length + 1, LONGEST).trim()
  const quoted = /^(?:"([^"\\]*)"|'([^']*)')(?:\s+#.*)?$/.exec(value)
  if (quoted) return quoted[1] ?? quoted[2] ?? ''
  return /^["'&*!|>[{#]/.test(value) ? '' : value.replace(/\s#.*$/, '')
}

/** The title of the README at the top of an archive, if it says something about the content. */
export function titleOfReadme(files: Files): string | undefined {
  const [first = ''] = files.keys()
  const folder = first.slice(0, first.indexOf('/') + 1)
  const top = files.keys().every((path) => path.startsWith(folder)) ? folder : ''
  const readme = [...files.keys()].find((path) => /^readme\.(?:md|markdown)$/i.test(path.slice(top.length)))
  const bytes = readme === undefined || !readme.startsWith(top) ? undefined : files.get(readme)
  const text = bytes && decodeText(bytes.subarray(0, MOST_BYTES))
  return text === undefined ? undefined : meaningfulTitle(quickTitle(text))
}

/** The front page is the first page of a table of contents. Folders have one only if it is marked, or if it is the only page. */
function titleOfFrontPage<R extends PageReading>(
  pages: readonly PlannedPage<R>[],
  tree: ImportPlan<R>['tree'],
  root: string,
): string | undefined {
  const [first] = pages
  if (first?.kind !== 'document' || first.file === undefined) return undefined
  const isMarked = isFolderPage(first.file) && folderOf(first.file) === root
  if (tree === 'folders' && !isMarked && pages.length > 1) return undefined
  // A title that was made of the name of the file is none of the content.
  return meaningfulTitle(first.reading.title)
}

/** Whether a title or the name of a file or folder says nothing about the content, such as "docs". */
export function isCommonTitle(title: string): boolean {
  const bare = title
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s-]/gu, '')
    .trim()
  return bare === '' || COMMON.has(bare)
}

function meaningfulTitle(found: string | undefined): string | undefined {
  const title = oneLine(found).replace(/^welcome to (?:the )?(?=\S)/i, '')
  return isCommonTitle(title) ? undefined : title
}

function oneLine(text = ''): string {
  const line = text
    .slice(0, 10 * LONGEST)
    .replace(/\s+/g, ' ')
    .trim()
  return shorten(withoutHidden(line), LONGEST)
}
