/** The folder of an operator with fonts for scripts whose fonts do not come with Lectern. */
import { closeSync, openSync, readdirSync, readSync, fstatSync } from 'node:fs'
import { join } from 'node:path'

let folder: string | undefined

/** Sets the folder for the whole process. */
export function useFontFolder(path: string | undefined): void {
  folder = path
}

export function fontFolder(): string | undefined {
  return folder
}

/** The first bytes of a font file (OpenType, "Font file"): TrueType, CFF, and a collection. */
const BEGINNINGS = new Set(['\0\x01\0\0', 'OTTO', 'true', 'ttcf'])
const TABLES = ['cmap', 'head', 'name']

/** What is wrong with a folder of fonts: one sentence for each fault, which names the file. */
export function faultsOfFonts(path: string): string[] {
  try {
    const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
    const fonts = files.filter((file) => /\.(ttf|otf|ttc|otc)$/i.test(file))
    if (fonts.length === 0) return [`${path} has no fonts: files that end in .ttf, .otf, .ttc or .otc`]
    return fonts.flatMap((file) => faultOfFont(join(path, file)) ?? [])
  } catch (error) {
    return [`${path} cannot be read as a folder (${(error as NodeJS.ErrnoException).code})`]
  }
}

function faultOfFont(path: string): string | undefined {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const head = Buffer.alloc(12)
    const isFont = readSync(file, head) === 12 && BEGINNINGS.has(head.toString('latin1', 0, 4))
    if (!isFont) return `${path} is not a font, or damaged; replace or remove it`
    // Each font of a collection has its tables in the same file.
    if (head.toString('latin1', 0, 4) === 'ttcf') return undefined
    const records = Buffer.alloc(16 * head.readUInt16BE(4))
    if (readSync(file, records) < records.length) return `${path} is cut off; replace or remove it`
    const names = new Set<string>()
    for (let at = 0; at < records.length; at += 16) {
      if (records.readUInt32BE(at + 8) + records.readUInt32BE(at + 12) > size)
        return `${path} is cut off; replace or remove it`
      names.add(records.toString('latin1', at, at + 4))
    }
    const missing = TABLES.find((name) => !names.has(name))
    return missing && `${path} is damaged: it has no table "${missing}"; replace or remove it`
  } finally {
    closeSync(file)
  }
}
