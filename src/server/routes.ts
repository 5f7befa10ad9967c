import type { Route } from '../http/route.ts'
import { type RouteFolder, routeModules } from './route-modules.ts'

/** A route with the name it was exported under, which is its operationId, and the file that exports it. */
export interface NamedRoute {
  name: string
  route: Route
  /** Relative to its folder, without its extension: `orgs/spaces`. */
  file: string
}

/** Loads every route that a file under `src/api` exports, so that no route needs to be registered. */
export function loadRoutes(): Promise<NamedRoute[]> {
  return routesIn('api')
}

/** Loads the routes of SCIM. They are declared like those of the API, but are no part of it. */
export function loadScimRoutes(): Promise<NamedRoute[]> {
  return routesIn('scim')
}

async function routesIn(folder: RouteFolder): Promise<NamedRoute[]> {
  const modules = await routeModules(folder)
  return modules.flatMap(([file, exports]) =>
    Object.entries(exports).map(([name, route]) => ({ name, route, file })),
  )
}
