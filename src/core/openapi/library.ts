/** The library that upgrades specifications. Only threads load it. */
import { createRequire } from 'node:module'
import type * as Upgrader from '@scalar/openapi-upgrader'

const require = createRequire(import.meta.url)

/** Loads the library at its first use. */
export const libraryOfOpenApi = () => require('@scalar/openapi-upgrader') as typeof Upgrader
