#!/usr/bin/env node
import module from 'node:module'

const [major] = process.versions.node.split('.')
if (Number(major) < 26) {
  console.error(
    `Lectern needs Node 26, and this is Node ${process.versions.node}. In its folder, "npx lectern" brings the right one.`,
  )
  process.exit(1)
}
// What was compiled before need not be compiled again: half of the start is reading code.
module.enableCompileCache()
const { main } = await import('../src/main.ts')
await main(process.argv.slice(2))
