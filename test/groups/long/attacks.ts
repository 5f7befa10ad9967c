import { runGroup } from '../../groups.ts'

// In CI, these attacks have the sizes of the default run.
if (process.env.LECTERN_TEST_EFFORT === 'ci') delete process.env.LECTERN_TEST_EFFORT
await runGroup(import.meta.filename)
