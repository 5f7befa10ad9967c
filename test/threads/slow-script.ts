/** A module that takes longer to load than its task may take. */
import { setTimeout as sleep } from 'node:timers/promises'

await sleep(1500)

export const instant = () => 'done'
