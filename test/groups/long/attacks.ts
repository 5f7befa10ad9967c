import { runGroup } from '../../groups.ts'

// In CI, attacks have the sizes of the default run. `.ci/run` names the files that try more there.
if (process.env.LECTERN_TEST_EFFORT === 'ci') delete process.env.LECTERN_TEST_EFFORT
await runGroup(import.meta.filename)
