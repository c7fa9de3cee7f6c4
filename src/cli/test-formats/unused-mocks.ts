/** The message about a rule that no test has used. */
export const describeUnusedMock = (rule: string): string =>
  `the mock ${rule} never fitted: look at its "match", and at the rules before it`
