/** Settings of site generators in TOML, YAML or JSON. */
import { isRecord } from '../../data/is-record.ts'
import type { WithReason } from '../../languages/reasoned.ts'
import { because } from '../../languages/reasons.ts'
import { decodeText } from '../../repository/decode-text.ts'
import type { Problem } from '../../repository/model.ts'
import { readRepositoryYaml } from '../../repository/yaml.ts'
import { readToml } from '../../toml/read.ts'
import type { SourceFiles } from '../converted.ts'

/**
 * Reads settings by the extension of their file. Settings that cannot be read have no fields, and are added to the problems.
 * So has a file that does not exist, which is no problem.
 */
export function readSettingsFile(
  files: SourceFiles,
  path: string,
  problems: Problem[],
): Record<string, unknown> {
  const bytes = files.get(path)
  const text = bytes && decodeText(bytes)
  if (text === undefined) return {}
  const { value, fault } = settingsIn(text, path)
  if (fault !== undefined) problems.push({ kind: 'setting', path, ...fault })
  return isRecord(value) ? value : {}
}

function settingsIn(text: string, path: string): { value?: unknown; fault?: WithReason } {
  if (/\.ya?ml$/i.test(path)) return readRepositoryYaml(text)
  if (/\.toml$/i.test(path)) {
    const { fields, fault } = readToml(text)
    return fault === undefined ? { value: fields } : { fault }
  }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { fault: because('json-invalid') }
  }
}
