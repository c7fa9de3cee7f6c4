/** Codes of JSON-RPC and of MCP. */
const codes = {
  methodNotFound: -32601,
  invalidParams: -32602,
  resourceNotFound: -32002,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
}

/** A refusal in the words of the protocol. */
export class McpError extends Error {
  readonly code: number
  /** Of a refusal of the message itself; 200 where what it asks for is refused. */
  readonly status: 200 | 400 | 404
  readonly data: object | undefined

  constructor(
    code: keyof typeof codes,
    message: string,
    { status = 200, data }: { status?: 200 | 400 | 404; data?: object } = {},
  ) {
    super(message)
    this.name = 'McpError'
    this.code = codes[code]
    this.status = status
    this.data = data
  }
}
