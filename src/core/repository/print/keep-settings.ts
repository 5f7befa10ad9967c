/** Keeps the table of contents and the settings of a repository as they are written there where they mean the same. */
import { isRecord } from '../../data/is-record.ts'
import { jsonEqual } from '../../data/json.ts'
import { quickTitle } from '../../document/parse.ts'
import { redirectPath } from '../configuration.ts'
import { decodeText } from '../decode-text.ts'
import type { ImportPlan, PageReading, PlannedPage } from '../model.ts'
import { planImport } from '../plan.ts'
import { ImportRefused } from '../refused.ts'
import { readRepositoryYaml } from '../yaml.ts'
import { patchSummary } from './patch-summary.ts'
import { patchYaml } from './patch-yaml.ts'

/** The files of a repository; an empty one for those whose content does not matter. */
type Files = ReadonlyMap<string, Uint8Array>

/** The plan of an import of files. */
interface Planned {
  files: Files
  plan: ImportPlan<PageReading>
}

/**
 * The files to write. A setting is that of the branch if an import of the exported files means the same with it. If not, it
 * is that of the branch with other lines for what changed.
 * @param exported the files of the repository after the export
 * @param before the settings of the branch by their paths; undefined for one that it has not
 */
export async function keepSettings(
  exported: Files,
  before: ReadonlyMap<string, Uint8Array | undefined>,
  folder: string,
): Promise<Files> {
  const wanted = await planned(exported, folder)
  let kept = wanted
  const keep = (tried: Planned | undefined) => {
    if (!tried || !wanted || !jsonEqual(meaningOf(tried), meaningOf(wanted))) return false
    kept = tried
    return true
  }
  for (const [path, bytes] of before) {
    const { files } = kept ?? { files: exported }
    const tried = await planned(withFile(files, path, bytes), folder)
    if (keep(tried) || !bytes || !tried || !wanted) continue
    const patched = patchedSetting(path, tried, wanted)
    if (patched) keep(await planned(withFile(files, path, patched), folder))
  }
  return kept?.files ?? exported
}

function withFile(files: Files, path: string, bytes: Uint8Array | undefined): Files {
  const changed = new Map(files)
  if (bytes) changed.set(path, bytes)
  else changed.delete(path)
  return changed
}

/** The plan of an import; undefined if it would be refused. */
async function planned(files: Files, folder: string): Promise<Planned | undefined> {
  try {
    return { files, plan: await planImport(files, readTitle, folder) }
  } catch (error) {
    if (error instanceof ImportRefused) return undefined
    throw error
  }
}

function readTitle(source: string): PageReading {
  const title = quickTitle(source)
  return { references: [], ...(title === undefined ? {} : { title }) }
}

function meaningOf({ plan }: Planned): unknown {
  return { pages: plan.pages.map(meaningOfPage), variables: plan.variables, redirects: plan.redirects }
}

function meaningOfPage(page: PlannedPage<PageReading>): unknown {
  if (page.kind === 'link' || page.kind === 'computed') return page
  const { kind, title, slug, children } = page
  const more = page.kind === 'document' ? { linkTitle: page.linkTitle, file: page.file } : {}
  return { kind, title, slug, ...more, children: children.map(meaningOfPage) }
}

/** A setting with other lines for what changed. @param old an import with the setting of the branch */
function patchedSetting(path: string, old: Planned, wanted: Planned): Uint8Array | undefined {
  const bytes = old.files.get(path)
  const text = bytes && decodeText(bytes)
  if (text === undefined) return undefined
  const exported = textAt(wanted, path)
  const patched = path.endsWith('.gitbook.yaml')
    ? withRedirects(text, old, wanted, exported)
    : path.endsWith('vars.yaml')
      ? withVariables(text, old, wanted)
      : patchSummary({ text, plan: old.plan }, { text: exported, plan: wanted.plan })
  if (patched === undefined) return undefined
  return Buffer.concat([bytes?.[0] === 0xef ? BYTE_ORDER_MARK : NOTHING, Buffer.from(patched)])
}

const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf)
const NOTHING = new Uint8Array()

const textAt = ({ files }: Planned, path: string) => decodeText(files.get(path) ?? NOTHING) ?? ''

function withRedirects(text: string, old: Planned, wanted: Planned, exported: string): string | undefined {
  const settings = recordIn(text)
  const targets = ({ plan }: Planned) => new Map(plan.redirects.map(({ from, target }) => [from, target]))
  const [known, next] = [targets(old), targets(wanted)]
  const written = new Map(
    Object.entries(recordOf(recordIn(exported).redirects)).map(([from, to]) => [redirectPath(from), to]),
  )
  const redirects: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(recordOf(settings.redirects))) {
    const from = redirectPath(key)
    // An import does not know a redirect whose target is missing.
    if (!known.has(from) || jsonEqual(known.get(from), next.get(from))) redirects[key] = value
    else if (next.has(from)) redirects[key] = written.get(from)
    if (next.has(from)) written.delete(from)
  }
  for (const [from, to] of written) redirects[from] = to
  const { redirects: _redirects, ...others } = settings
  return patchYaml(text, { ...others, ...(Object.keys(redirects).length === 0 ? {} : { redirects }) })
}

function withVariables(text: string, old: Planned, wanted: Planned): string | undefined {
  const [known, next] = [old.plan.variables, { ...wanted.plan.variables }]
  const variables: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(recordIn(text))) {
    if (!Object.hasOwn(known, name) || known[name] === next[name]) variables[name] = value
    else if (Object.hasOwn(next, name)) variables[name] = next[name]
    delete next[name]
  }
  return patchYaml(text, { ...variables, ...next })
}

const recordOf = (value: unknown) => (isRecord(value) ? value : {})

const recordIn = (text: string) => recordOf(readRepositoryYaml(text).value)
