/** An object as JSON has it: a flow, a block, or the body of a request or response. */
export type Json = Record<string, unknown>
