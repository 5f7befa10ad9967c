import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Route } from '../http/route.ts'

const API = join(import.meta.dirname, '../api')
const SCIM = join(import.meta.dirname, '../scim')

/** The name of a module: TypeScript in a clone, JavaScript in an installed package. */
const MODULE = /(?<!\.test)\.[tj]s$/

/** A route with the name it was exported under, which is its operationId, and the file that exports it. */
export interface NamedRoute {
  name: string
  route: Route
  /** Relative to its folder, without its extension: `orgs/spaces`. */
  file: string
}

/** Loads every route that a file under `src/api` exports, so that no route needs to be registered. */
export function loadRoutes(): Promise<NamedRoute[]> {
  return routesIn(API)
}

/** Loads the routes of SCIM. They are declared like those of the API, but are no part of it. */
export function loadScimRoutes(): Promise<NamedRoute[]> {
  return routesIn(SCIM)
}

async function routesIn(folder: string): Promise<NamedRoute[]> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && MODULE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()

  const modules = await Promise.all(
    files.map(async (file) => ({ file, exports: (await import(file)) as Record<string, Route> })),
  )
  return modules.flatMap(({ file, exports }) =>
    Object.entries(exports).map(([name, route]) => ({
      name,
      route,
      file: relative(folder, file).replace(MODULE, ''),
    })),
  )
}
