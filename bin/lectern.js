#!/usr/bin/env node
const [major] = process.versions.node.split('.')
if (Number(major) < 26) {
  console.error(
    `Lectern needs Node 26, and this is Node ${process.versions.node}. In its folder, "npx lectern" brings the right one.`,
  )
  process.exit(1)
}
const { main } = await import('../src/main.ts')
await main(process.argv.slice(2))
