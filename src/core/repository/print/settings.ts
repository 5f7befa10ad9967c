import { yaml } from '../../runtime/libraries.ts'
import { isAbsoluteAddress, joinPath } from '../../text/file-paths.ts'
import { addressOfPath } from './address.ts'
import type { PlacedContent } from './model.ts'

/** Prints `.gitbook.yaml`: where the documentation is, and its redirects. Undefined if it has nothing to say. */
export function printConfiguration({ layout, redirects }: PlacedContent): string | undefined {
  const { folder, root, summary } = layout
  const usual = joinPath(root, 'SUMMARY.md')
  const moved = Object.fromEntries(
    Object.entries(redirects).map(([from, to]) => [from, isAbsoluteAddress(to) ? to : decodedFrom(root, to)]),
  )
  const settings = {
    ...(root === folder ? {} : { root: `./${decodedFrom(folder, root)}/` }),
    ...(summary === usual ? {} : { structure: { summary: decodedFrom(root, summary) } }),
    ...(Object.keys(moved).length === 0 ? {} : { redirects: moved }),
  }
  return Object.keys(settings).length === 0 ? undefined : yaml().stringify(settings)
}

/** Settings have paths as they are, not as addresses. */
function decodedFrom(folder: string, path: string): string {
  return decodeURIComponent(addressOfPath(folder, path))
}

/** Prints the variables of a space. Undefined if it has none. */
export function printVariables({ variables }: PlacedContent): string | undefined {
  return Object.keys(variables).length === 0 ? undefined : yaml().stringify(variables)
}

/** The path of the settings. */
export function configurationPath({ layout }: PlacedContent): string {
  return joinPath(layout.folder, '.gitbook.yaml') ?? '.gitbook.yaml'
}

/** The path of the variables. */
export function variablesPath({ layout }: PlacedContent): string {
  return joinPath(layout.root, '.gitbook/vars.yaml') ?? '.gitbook/vars.yaml'
}
