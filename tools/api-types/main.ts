/** `npm run api-types`: reads the OpenAPI document from standard input, and writes the types of the console. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { json } from 'node:stream/consumers'
import { type ApiDocument, printApiTypes } from './print.ts'

const FILE = resolve(import.meta.dirname, '../../src/console/app/api/operations.ts')

writeFileSync(FILE, printApiTypes((await json(process.stdin)) as ApiDocument))
