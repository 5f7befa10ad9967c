/** Copies the appearance of sites, with its pictures. */
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../core/data/is-record.ts'
import { RefusedCall } from '../client.ts'
import { type Copying, doneOnce, reading, reportOn } from './copying.ts'
import { downloadFromSource } from './download-file.ts'
import { type JsonRecord, jsonRecord, segment, jsonText } from './json.ts'
import type { CopiedSite } from './site-structure.ts'
import { translateJson } from './translate.ts'

/** Pictures that are larger keep their address in the source. */
const MOST_PICTURE_BYTES = 1_000_000

/** Copies the appearance of a site, and what its spaces have otherwise. */
export async function copyLook(copying: Copying, site: CopiedSite): Promise<void> {
  const { source, journal } = copying
  const look = (path: string) =>
    reading(copying, `${site.what}, appearance`, async () => {
      try {
        return await source('GET', path)
      } catch (error) {
        if (!(error instanceof RefusedCall) || error.status !== 404 || path !== `${site.from}/customization`)
          throw error
        // Servers without this operation return the settings with the published site.
        return jsonRecord(jsonRecord((await source('GET', `${site.from}/published`)).customizations).site)
      }
    })
  await doneOnce(copying, `look of ${site.from}`, async () => {
    const settings = await look(`${site.from}/customization`)
    if (settings)
      await writeLook(copying, site, { method: 'PUT', path: `${site.to}/customization`, settings })
  })
  for (const [id, copy] of journal.entries(`site space of ${site.from}`))
    await doneOnce(copying, `look of site space ${id}`, async () => {
      const settings = await look(`${site.from}/site-spaces/${segment(id)}/customization`)
      const path = `${site.to}/site-spaces/${segment(copy)}/customization`
      if (settings) await writeLook(copying, site, { method: 'PATCH', path, settings })
    })
}

/** A change of settings. */
interface LookChange {
  method: 'PUT' | 'PATCH'
  path: string
  settings: JsonRecord
}

async function writeLook(
  copying: Copying,
  site: CopiedSite,
  { method, path, settings }: LookChange,
): Promise<void> {
  const translation = { journal: copying.journal, space: '' }
  const translated = (await withPictures(copying, site, translateJson(settings, translation))) as JsonRecord
  const wanted = differing(translated, await copying.target('GET', path))
  const known: JsonRecord = {}
  // Settings that the target refuses together are sent one after the other, each with those that were accepted.
  if (Object.keys(wanted).length === 0 || (await isAccepted(copying, method, path, wanted)) === undefined)
    return
  for (const [group, value] of Object.entries(wanted)) {
    const parts: JsonRecord[] = isRecord(value)
      ? Object.entries(value).map(([name, part]) => ({ [name]: part }))
      : []
    const whole = await isAccepted(copying, method, path, { ...known, [group]: value })
    if (whole === undefined) known[group] = value
    else if (parts.length < 2) reportOn(copying, 'unwritten', `${site.what}, appearance, ${group}`, whole)
    else
      for (const part of parts) {
        const next = { ...jsonRecord(known[group]), ...part }
        const message = await isAccepted(copying, method, path, { ...known, [group]: next })
        if (message === undefined) known[group] = next
        else
          reportOn(
            copying,
            'unwritten',
            `${site.what}, appearance, ${group}.${Object.keys(part).join()}`,
            message,
          )
      }
  }
}

/** @returns undefined if the target accepts the settings, or else why not */
async function isAccepted(
  { target }: Copying,
  method: string,
  path: string,
  settings: JsonRecord,
): Promise<string | undefined> {
  try {
    await target(method, path, settings)
    return undefined
  } catch (error) {
    if (!(error instanceof RefusedCall)) throw error
    return error.message
  }
}

/** The settings that a copy has otherwise, one level of groups deep. Settings that are not set there stay unset if they are its defaults. */
function differing(settings: JsonRecord, copy: JsonRecord): JsonRecord {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]): [string, unknown][] => {
      if (isDeepStrictEqual(value, copy[name]) || value === null) return []
      if (!isRecord(value) || !isRecord(copy[name])) return [[name, value]]
      const inside = Object.entries(value).filter(
        ([part, one]) => !isDeepStrictEqual(one, jsonRecord(copy[name])[part]),
      )
      return inside.length === 0 ? [] : [[name, Object.fromEntries(inside)]]
    }),
  )
}

const PICTURES: readonly (readonly string[])[] = [
  ['header', 'logo', 'light'],
  ['header', 'logo', 'dark'],
  ['footer', 'logo', 'light'],
  ['footer', 'logo', 'dark'],
  ['favicon', 'icon', 'light'],
  ['favicon', 'icon', 'dark'],
  ['socialPreview', 'url'],
]

/** The settings with the addresses of copies of the pictures, which do not depend on the source. */
async function withPictures(copying: Copying, site: CopiedSite, settings: unknown): Promise<unknown> {
  const copies = new Map<string, string>()
  for (const path of PICTURES) {
    const url = path.reduce<unknown>((value, name) => jsonRecord(value)[name], settings)
    if (typeof url !== 'string' || copies.has(url)) continue
    copies.set(url, await pictureCopy(copying, site, url))
  }
  return replaced(settings, copies)
}

async function pictureCopy(copying: Copying, site: CopiedSite, url: string): Promise<string> {
  const file = join(copying.folder, 'picture')
  const known = copying.journal.target(`picture of ${site.to}`, url)
  if (known !== undefined) return known
  try {
    await downloadFromSource(copying, url, file)
    if ((await stat(file)).size > MOST_PICTURE_BYTES) throw new RefusedCall('it has more than 1 MB', 413)
    const base64 = (await readFile(file)).toString('base64')
    const copy = jsonText((await copying.target('POST', `${site.to}/pictures`, { base64 })).url)
    copying.journal.record(`picture of ${site.to}`, url, copy)
    return copy
  } catch (error) {
    if (!(error instanceof RefusedCall)) throw error
    reportOn(
      copying,
      'copied-differently',
      `${site.what}, picture ${url}`,
      `stays at its address: ${error.message}`,
    )
    return url
  } finally {
    await rm(file, { force: true })
  }
}

function replaced(value: unknown, texts: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return texts.get(value) ?? value
  if (Array.isArray(value)) return (value as unknown[]).map((item) => replaced(item, texts))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaced(item, texts)]))
}
