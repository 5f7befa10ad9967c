/** `npm run api-types`: reads the OpenAPI document from standard input, and writes the types of the console. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { json } from 'node:stream/consumers'
import { type ApiDocument, printApiTypes } from './print.ts'

const FOLDER = resolve(import.meta.dirname, '../../src/console/app/api/operations')

const files = printApiTypes((await json(process.stdin)) as ApiDocument)
mkdirSync(FOLDER, { recursive: true })
for (const [name, text] of Object.entries(files)) writeFileSync(join(FOLDER, name), text)
