/** The fonts of PDF files. They come from packages, and only those that a book needs are loaded. */
import { existsSync, readFileSync } from 'node:fs'
import { type PackagedFile, packagedFile } from '../core/runtime/packaged-files.ts'

/** A font family, the files of its styles, and the characters that it is for. */
interface Family {
  name: string
  files: PackagedFile[]
  /** Absent if every book needs it. */
  for?: RegExp
}

/** A file of a package of Google's fonts. */
const google = (name: string, style: string, file: string): PackagedFile => [
  `@expo-google-fonts/${name}`,
  `${style}/${file}_${style}.ttf`,
]

const TEXT: Family = {
  name: 'Noto Sans',
  files: ['400Regular', '400Regular_Italic', '700Bold', '700Bold_Italic'].map((style) =>
    google('noto-sans', style, 'NotoSans'),
  ),
}
const CODE: Family = family('Noto Sans Mono', 'noto-sans-mono', 'NotoSansMono')
const ARABIC: Family = {
  ...family('Noto Sans Arabic', 'noto-sans-arabic', 'NotoSansArabic'),
  for: /[\u0600-\u08ff\ufb50-\ufdff\ufe70-\ufefc]/,
}
const HEBREW: Family = {
  ...family('Noto Sans Hebrew', 'noto-sans-hebrew', 'NotoSansHebrew'),
  for: /[\u0590-\u05ff\ufb1d-\ufb4f]/,
}
const EMOJI: Family = {
  name: 'Noto Emoji',
  files: [google('noto-emoji', '400Regular', 'NotoEmoji')],
  for: /\p{Extended_Pictographic}|[\u{1f1e6}-\u{1f1ff}]/u,
}
const JAPANESE: Family = {
  ...family('BIZ UDPGothic', 'biz-udpgothic', 'BIZUDPGothic'),
  for: /[\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f]/,
}
const KOREAN: Family = {
  ...family('NanumGothic', 'nanum-gothic', 'NanumGothic'),
  for: /[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]/,
}
const CHINESE: Family = {
  name: 'Noto Sans S Chinese',
  files: ['Regular', 'Bold'].map((style) => ['@embedpdf/fonts-sc', `fonts/NotoSansHans-${style}.otf`]),
  for: /[\u2e80-\u2fdf\u3000-\u303f\u3100-\u312f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]|[\u{20000}-\u{323af}]/u,
}

/** Families that a book uses if their packages are installed, by their scripts. */
const OPTIONAL: Family[] = [
  ['Thai', 'Sans'],
  ['Lao', 'Sans'],
  ['Khmer', 'Sans'],
  ['Myanmar', 'Sans'],
  ['Tibetan', 'Serif'],
  ['Tamil', 'Sans'],
].map(([script = '', style = '']) => ({
  ...family(
    `Noto ${style} ${script}`,
    `noto-${style.toLowerCase()}-${script.toLowerCase()}`,
    `Noto${style}${script}`,
  ),
  for: new RegExp(`\\p{Script=${script}}`, 'u'),
}))

/** The name of a font with the letters of a script, as Unicode names it. */
export function fontNameOf(script: string): string {
  return OPTIONAL.find(({ name }) => name.endsWith(` ${script}`))?.name ?? `Noto Sans ${script}`
}

function isInstalled({ files }: Family): boolean {
  try {
    return files.every((file) => existsSync(packagedFile(file)))
  } catch {
    return false
  }
}

function family(name: string, folder: string, file: string): Family {
  return {
    name,
    files: ['400Regular', '700Bold'].map((style) => google(folder, style, file)),
  }
}

/** The fonts of a book: the files, and the families in the order in which a character is looked for. */
export interface BookFonts {
  blobs: Buffer[]
  text: string[]
  code: string[]
}

/** Loads the fonts for a text. @param language decides whether Han characters have Chinese or Japanese forms */
export function loadFonts(text: string, language: string): BookFonts {
  const isJapanese = /^ja\b/i.test(language) || (!/^zh\b/i.test(language) && JAPANESE.for!.test(text))
  const han = isJapanese ? [JAPANESE, KOREAN, CHINESE] : [CHINESE, KOREAN, JAPANESE]
  const optional = OPTIONAL.filter((one) => one.for!.test(text) && isInstalled(one))
  const others = [ARABIC, HEBREW, ...optional, ...han, EMOJI].filter((one) => one.for!.test(text))
  const loaded = [TEXT, CODE, ...others]
  const names = others.map(({ name }) => name)
  return {
    blobs: loaded.flatMap(({ files }) => files.map((file) => readFileSync(packagedFile(file)))),
    text: [TEXT.name, ...names],
    code: [CODE.name, TEXT.name, ...names],
  }
}

/** The files of the optional fonts that are installed. */
export const optionalFontFiles = (): PackagedFile[] =>
  OPTIONAL.filter(isInstalled).flatMap(({ files }) => files)

/** All files of packages that the fonts of books need. */
export const BOOK_FONTS: readonly PackagedFile[] = [
  TEXT,
  CODE,
  ARABIC,
  HEBREW,
  EMOJI,
  JAPANESE,
  KOREAN,
  CHINESE,
].flatMap(({ files }) => files)
