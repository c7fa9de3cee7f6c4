import { mergeConfig } from 'vitest/config'
import project from '../../../vitest.config.ts'

const { projects: _, ...test } = project.test ?? {}

/** The tests of threats alone, on the build that is there: test/attacks/defences/project-copy.ts makes it where it matters. */
export default mergeConfig(
  { resolve: project.resolve },
  { test: { ...test, include: ['test/attacks/threats/*.test.ts'], retry: 0, bail: 0 } },
)
