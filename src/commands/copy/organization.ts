/** `lectern import --from`: copies an organization from a server that speaks the API, by its API alone. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  findServer,
  firstOrganization,
  isLoopback,
  type ServerAccess,
  serverAddress,
  withReachable,
} from '../client.ts'
import {
  checkReportFile,
  hasLoss,
  printedReport,
  summaryOfProblems,
  unprinted,
  writeReport,
} from '../import/import-report.ts'
import { printLines } from '../print.ts'
import { progressBar } from '../progress-bar.ts'
import { UsageError } from '../usage.ts'
import { copyChangeRequests } from './change-requests.ts'
import { copyDiscussion } from './comments.ts'
import { copyContents } from './content.ts'
import { type Copying, reportLabel } from './copying.ts'
import { copyCustomFields, copyFieldValues } from './custom-fields.ts'
import { copyGlossary } from './glossary.ts'
import { copyGrants, copyLevel, isAsClosed } from './grants.ts'
import { Journal } from './journal.ts'
import { jsonRecords, segment, jsonText } from './json.ts'
import { copyMembers, copyTeams } from './members.ts'
import { copyPageTemplates } from './page-templates.ts'
import { patientCalls } from './patient-calls.ts'
import { type CopiedSpace, copyCollections, copySpaces } from './places.ts'
import { copySites } from './sites.ts'
import { copySpecifications } from './specifications.ts'

/** The exit code of a copy that has left something out. */
const LOSS_CODE = 3

/** The options of the command line that a copy of an organization takes. */
export interface OrganizationOptions {
  from?: string | undefined
  'from-org'?: string | undefined
  token?: string | undefined
  url?: string | undefined
  'to-token'?: string | undefined
  org?: string | undefined
  state?: string | undefined
  members?: boolean | undefined
  report?: string | undefined
  'allow-loss'?: boolean | undefined
  quiet?: boolean | undefined
}

/**
 * Copies an organization into one of the target. What has been made is noted in a file, so that the same command continues a
 * run that ended early. The exit code is 3 if something could not be read or written, unless the options allow it.
 */
export async function organizationCommand(
  positionals: readonly string[],
  options: OrganizationOptions,
): Promise<void> {
  if (positionals.length > 0)
    throw new UsageError(
      '--from copies an organization, so it cannot be used with a file, folder or repository',
    )
  if (options.report !== undefined) checkReportFile(options.report)
  const access = sourceAccess(options)
  const bar = progressBar('Connecting', { isQuiet: options.quiet })
  const waiting = (name: string) => (seconds: number) =>
    bar.show({ label: `${name} asks to wait ${seconds} s` })
  const into = findServer({ url: options.url, token: options['to-token'] })
  const source = withReachable(
    access.url,
    patientCalls(access, { name: 'The source', waiting: waiting('The source') }),
  )
  const target = withReachable(
    into.url,
    patientCalls(into, { name: 'The target', waiting: waiting('The target') }),
  )
  const folder = await mkdtemp(join(tmpdir(), 'lectern-copy-'))
  try {
    const from = options['from-org'] ?? (await onlyOrganization(source))
    const to = options.org ?? (await firstOrganization(target))
    const file =
      options.state ?? `lectern-import-${new URL(access.url).host.replaceAll(':', '-')}-${from}.jsonl`
    const journal = new Journal(file, {
      from: `${access.url}/v1/orgs/${from}`,
      to: `${into.url}/v1/orgs/${to}`,
    })
    const copying: Copying = {
      source,
      target,
      from,
      to,
      journal,
      bar,
      folder,
      sourceUrl: access.url,
      problems: [],
    }
    const spaces = await copyAll(copying, options).catch((error: unknown) => {
      if (!(error instanceof UsageError)) throw error
      throw new UsageError(
        `${error.message}\nRun the same command again to continue; ${file} has what was copied.`,
      )
    })
    bar.end()
    await finish(copying, spaces, options)
    printLines(`State  ${file}`)
  } finally {
    bar.end()
    await rm(folder, { recursive: true, force: true })
  }
}

async function copyAll(copying: Copying, { members }: OrganizationOptions): Promise<CopiedSpace[]> {
  const { bar } = copying
  await copyMembers(copying, members !== false)
  if (members !== false) await copyTeams(copying)
  await copyCustomFields(copying)
  await copyGlossary(copying)
  await copyPageTemplates(copying)
  await copySpecifications(copying)
  const collections = (await copyCollections(copying)).map((one) => ({
    ...placed('collections', one),
    what: reportLabel('Collection', one.title),
  }))
  for (const place of collections) await copyLevel(copying, place)
  const all = (await copySpaces(copying)).map((one) => ({
    ...placed('spaces', one),
    what: reportLabel('Space', one.title),
  }))
  for (const place of all) await copyLevel(copying, place)
  // Nobody sees a space, also for a moment, who could not see it in the source.
  const byId = new Map(collections.map((one) => [one.id, one]))
  const spaces = all.filter((space) => isAsClosed(copying, space, byId))
  await copyContents(copying, spaces)
  for (const space of spaces) await copyFieldValues(copying, space)
  const places = [...collections, ...all]
  for (const [nth, place] of places.entries()) {
    bar.show({ label: 'Roles', done: nth, total: places.length })
    await copyGrants(copying, place)
  }
  await copySites(copying)
  for (const space of spaces) {
    await copyChangeRequests(copying, space)
    const [from, to] = [`/spaces/${segment(space.id)}`, `/spaces/${segment(space.target)}`]
    await copyDiscussion(copying, { from, to, what: reportLabel('Space', space.title), space })
  }
  return spaces
}

/** A collection or a space with its paths in the source and in the target. */
function placed<Kind extends 'collections' | 'spaces', Place extends { id: string; target: string }>(
  kind: Kind,
  place: Place,
) {
  const [from, to] = [`/${kind}/${segment(place.id)}`, `/${kind}/${segment(place.target)}`]
  return { ...place, kind, from, to }
}

/** The server to read from. @throws UsageError if the token would be sent without encryption */
function sourceAccess({ from, token }: OrganizationOptions): ServerAccess {
  const url = serverAddress(from, '--from') ?? ''
  const secret = token ?? process.env.LECTERN_FROM_TOKEN
  if (secret === undefined || secret === '')
    throw new UsageError(`Name a token of ${url} with --token, or in the variable LECTERN_FROM_TOKEN`)
  const address = new URL(url)
  if (address.protocol !== 'https:' && !isLoopback(address))
    throw new UsageError(`--from must begin with https://, because the token is sent there, but was "${url}"`)
  if (address.username !== '' || address.search !== '' || address.hash !== '')
    throw new UsageError('--from must be an address without a user name, "?" and "#"')
  return { url, token: secret }
}

/** @throws UsageError if the token sees none or several */
async function onlyOrganization(source: Copying['source']): Promise<string> {
  const organizations = jsonRecords((await source('GET', '/orgs?limit=100')).items)
  const [first, ...more] = organizations
  if (first && more.length === 0) return jsonText(first.id)
  if (!first) throw new UsageError('The user of the token is in no organization of the source')
  const list = organizations.map(({ id, title }) => `  ${jsonText(id)}  ${jsonText(title)}`).join('\n')
  throw new UsageError(`The token sees several organizations. Name one with --from-org:\n${list}`)
}

/** The numbers of pages and files by the ids of their spaces in the source. */
function countsOfSpaces(journal: Journal): Map<string, number> {
  const counts = new Map<string, number>()
  for (const kind of ['page', 'file'])
    for (const [key] of journal.entries(kind)) {
      const [space = ''] = key.split('/')
      counts.set(space, (counts.get(space) ?? 0) + 1)
    }
  return counts
}

async function finish(
  { problems, target, from, sourceUrl, journal }: Copying,
  spaces: readonly CopiedSpace[],
  options: OrganizationOptions,
): Promise<void> {
  printLines(`Copied ${spaces.length === 1 ? '1 space' : `${spaces.length} spaces`}`)
  printLines(summaryOfProblems(problems), printedReport(problems))
  const { report } = options
  const more = unprinted(problems)
  if (more > 0 && report === undefined) printLines(`  and ${more} more; --report <file> writes all of them`)
  if (report !== undefined) {
    const listed = []
    const counts = countsOfSpaces(journal)
    for (const space of spaces) {
      const { urls } = await target('GET', `/spaces/${segment(space.target)}`)
      listed.push({
        id: space.target,
        url: jsonText((urls as { location?: unknown }).location),
        imported: counts.get(space.id) ?? 0,
      })
    }
    await writeReport(report, { source: `${sourceUrl}/v1/orgs/${from}`, spaces: listed, problems })
    printLines(`Report ${report}`)
  }
  if (options['allow-loss'] || !hasLoss(problems)) return
  printLines(
    'Something could not be copied: exit code 3 (0 with --allow-loss). Run the command again to try that once more',
  )
  process.exitCode = LOSS_CODE
}
