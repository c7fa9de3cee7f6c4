/** The limits of the service as it comes. */
export const defaultLimits = {
  blocksPerTurn: 1000,
  messagesPerTurn: 500,
  charactersPerTurn: 8 * 1024 * 1024,
  linkDepth: 50,
  returnMarks: 100,
  variableLength: 64 * 1024,
  variablesLength: 1024 * 1024,
  blockMs: 1000,
  turnMs: 10_000,
  replyLength: 16_384,
  wholeTurnMs: 60_000,
  callsPerTurn: 20,
  codeTurnMs: 3000,
}

/** For code that never ends: the test of it waits no longer than this. */
export const impatientLimits = { ...defaultLimits, codeMs: 300 }
