/** The bill of materials of the package (CycloneDX). */
import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/** The parts of a bill that are changed here. */
export interface Bill {
  metadata: { component: { 'bom-ref': string; name: string } }
  components: { 'bom-ref': string; name: string; scope?: string }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/** Makes the bill of a package that was built: what its installation brings, and what `dist` contains. */
export async function billOfMaterials(root: string): Promise<Bill> {
  const { buildConsole } = await import('../../src/console/build/bundle.ts')
  const read = (...omitted: string[]) => {
    const args = ['sbom', '--sbom-format', 'cyclonedx', ...omitted]
    const text = execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 200_000_000 })
    return JSON.parse(text) as Bill
  }
  const contained = [...copiedPackages(root), ...(await buildConsole()).packages]
  return billWith(read('--omit', 'dev'), read(), contained)
}

/** The packages of which `dist` has files. */
function copiedPackages(root: string): string[] {
  const folder = join(root, 'dist/packages')
  return globSync('**/package.json', { cwd: folder }).map((file) =>
    relative(folder, dirname(join(folder, file)))
      .split(sep)
      .join('/'),
  )
}

/**
 * A bill with packages that the package contains, although they are development dependencies: fonts, icons, and what the
 * console is built from. Its own name is not that of the folder, which npm writes.
 * @param all the bill with the development dependencies
 * @throws Error for a package that is not in it
 */
export function billWith(bill: Bill, all: Bill, contained: readonly string[]): Bill {
  const known = new Set(bill.components.map(({ name }) => name))
  const added = [...new Set(contained)]
    .filter((name) => !known.has(name))
    .toSorted()
    .map((name) => {
      const component = all.components.find((one) => one.name === name)
      if (!component) throw new Error(`The package contains ${name}, which npm does not list`)
      return { ...component, scope: 'required' }
    })
  const refs = added.map((component) => component['bom-ref'])
  const own = bill.metadata.component['bom-ref']
  return {
    ...bill,
    metadata: { ...bill.metadata, component: { ...bill.metadata.component, name: 'lectern' } },
    components: [...bill.components, ...added],
    dependencies: [
      ...bill.dependencies.map((one) =>
        one.ref === own ? { ...one, dependsOn: [...one.dependsOn, ...refs] } : one,
      ),
      ...refs.map((ref) => ({ ref, dependsOn: [] })),
    ],
  }
}
