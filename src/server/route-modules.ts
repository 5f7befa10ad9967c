import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Route } from '../http/route.ts'

const SOURCES = join(import.meta.dirname, '..')

/** A folder of modules that declare routes. */
export type RouteFolder = 'api' | 'scim'

/** A module that declares routes: its path in the folder without the extension, such as `orgs/spaces`, and its exports. */
export type RouteModule = readonly [file: string, exports: Record<string, Route>]

/**
 * Loads every module of a folder that declares routes, in the order of their paths. A package has all modules in one file,
 * and there a list of them takes the place of this module (tools/package/program.ts).
 */
export function routeModules(folder: RouteFolder): Promise<RouteModule[]> {
  return Promise.all(
    routeFiles(folder).map(async (file) => {
      const exports = (await import(join(SOURCES, folder, `${file}.ts`))) as Record<string, Route>
      return [file, exports] as const
    }),
  )
}

/** The paths of the modules of a folder, without their extension. */
export function routeFiles(folder: RouteFolder): string[] {
  const path = join(SOURCES, folder)
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
    .map((entry) => relative(path, join(entry.parentPath, entry.name)).replace(/\.ts$/, ''))
    .toSorted()
}
