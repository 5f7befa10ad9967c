import type { WithReason } from '../languages/reasoned.ts'
import { yamlProblem } from '../yaml/problem.ts'
import { readYaml, type YamlReading } from '../yaml/read.ts'
import { repositoryLimits } from './model.ts'

/** The limits of a settings file. */
const SETTINGS_LIMITS = { length: repositoryLimits.configurationBytes, depth: 8 }

/** The limits of a table of contents, in which every level of pages takes two levels of YAML. */
const CONTENTS_LIMITS = { ...SETTINGS_LIMITS, depth: 40 }

/** Reads a settings file that people typed or pasted. */
export function readRepositoryYaml(source: string): YamlReading {
  return readYaml(tidy(source), SETTINGS_LIMITS)
}

/** Reads a table of contents of another tool, such as `toc.yml`. */
export function readContentsYaml(source: string): YamlReading {
  return readYaml(tidy(source), CONTENTS_LIMITS)
}

/** Why Lectern does not read a settings file, if it does not. Takes linear time. */
export function repositoryYamlProblem(source: string): WithReason | undefined {
  return yamlProblem(tidy(source), SETTINGS_LIMITS)
}

/** Removes invisible characters and treats tabs in the indentation as spaces. */
function tidy(source: string): string {
  return source
    .replace(/[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g, '')
    .replace(/[\u00a0\u2007\u202f]/g, ' ')
    .replace(/^[ \t]+/gm, (indent) => indent.replaceAll('\t', '  '))
}
