import { isVariable, isVariableName, LONGEST_VARIABLE_TEXT } from '../content/fields/variable.ts'
import { hidingTag, withoutHidden } from '../document/markdown/hiding-tags.ts'
import { meantConditions } from '../document/shown/meant-conditions.ts'
import { isRecord } from '../data/is-record.ts'
import type { WithReason } from '../languages/reasoned.ts'
import { because } from '../languages/reasons.ts'
import { isAbsoluteAddress, joinPath } from '../text/file-paths.ts'
import { readRepositoryYaml } from './yaml.ts'
import { withoutSlashes } from '../text/trimming.ts'

/** The settings in `.gitbook.yaml`. Paths are relative to the repository and already include `root`. */
export interface Configuration {
  /** Empty for the root of the repository. */
  root: string
  readme: string
  summary: string
  /** Maps an old path of the site to an absolute URL or to a path in the repository. */
  redirects: { from: string; to: string }[]
  /** What is wrong in `.gitbook.yaml`. */
  problems: WithReason[]
}

/**
 * Reads `.gitbook.yaml`. Reports each invalid setting and uses its default instead.
 * @param folder the folder of the file, to which its paths are relative
 */
export function readConfiguration(source = '', folder = ''): Configuration {
  const { value, fault } = readRepositoryYaml(source)
  const problems = fault === undefined ? [] : [fault]
  const settings = isRecord(value) ? value : {}
  if (!isRecord(value) && value !== null && value !== undefined) problems.push(because('settings-not-map'))

  const structure = isRecord(settings['structure']) ? settings['structure'] : {}
  const root = configuredPath(settings['root'], folder, '', 'root', problems)

  return {
    root,
    readme: configuredPath(structure['readme'], root, 'README.md', 'structure.readme', problems),
    summary: configuredPath(structure['summary'], root, 'SUMMARY.md', 'structure.summary', problems),
    redirects: readRedirects(settings['redirects'], root, problems),
    problems,
  }
}

function configuredPath(
  value: unknown,
  root: string,
  absent: string,
  name: string,
  problems: WithReason[],
): string {
  const path = joinPath(root, typeof value === 'string' ? value.trim() : absent)
  if (path !== undefined) return path

  problems.push(because('setting-outside-repository', { name }))
  return joinPath(root, absent) ?? ''
}

function readRedirects(value: unknown, root: string, problems: WithReason[]): Configuration['redirects'] {
  if (value === undefined || value === null) return []
  if (!isRecord(value)) {
    problems.push(because('redirects-not-map'))
    return []
  }

  const redirects = new Map<string, string>()
  for (const [key, target] of Object.entries(value)) {
    const from = redirectPath(key)
    const to = redirectTarget(target, root)
    if (from === '' || to === undefined) problems.push(because('redirect-invalid-target', { from: key }))
    else redirects.set(from, to)
  }

  return [...redirects].map(([from, to]) => ({ from, to }))
}

/** The path of the site that the key of a redirect names, without slashes around it. */
export const redirectPath = (key: string): string => withoutSlashes(key.trim())

function redirectTarget(target: unknown, root: string): string | undefined {
  if (typeof target !== 'string' || target.trim() === '') return undefined
  if (isAbsoluteAddress(target.trim())) return target.trim()

  return joinPath(root, target.trim())
}

/** Reads the variables of a space from `.gitbook/vars.yaml`. Reports each invalid variable. */
export function readVariables(source = '') {
  const { value, fault } = readRepositoryYaml(source)
  const problems = fault === undefined ? [] : [fault]
  const variables: Record<string, string | number | boolean> = {}

  for (const [name, variable] of Object.entries(isRecord(value) ? value : {})) {
    if (!isVariableName(name)) {
      problems.push(because('variable-name-characters', { name }))
    } else if (!isVariable(variable)) {
      problems.push(because('variable-not-value', { name, limit: LONGEST_VARIABLE_TEXT }))
    } else {
      const tag = typeof variable === 'string' ? hidingTag(variable) : undefined
      if (tag !== undefined) problems.push(because('variable-with-condition', { name, tag }))
      variables[name] = typeof variable === 'string' ? withoutHidden(variable) : variable
      const [meant] = meantConditions(String(variables[name]))
      if (meant !== undefined) problems.push(because('variable-public-condition', { name, text: meant }))
    }
  }

  return { variables, problems }
}
