/** One of each generation: those of one generation ask a server for the same, by the same routes. */
export const generations = [
  { version: '0.0.62', of: 'before 0.2', speaks: '`sendMessage`, `storage/upload-url`, the streamer' },
  {
    version: '0.2.55',
    of: '0.2.45 to 0.2.73',
    speaks: 'starts and continues, `v1` of uploads, logs and streams',
  },
  {
    version: '0.3.20',
    of: '0.2.92 to 0.3.20',
    speaks: '`v2` of uploads and streams, and sockets for webhooks in the last',
  },
  { version: '0.10.7', of: '0.3.32 on', speaks: '`v3` of uploads, `v2` of streams and sockets' },
] as const

export const widgetVersions = generations.map(({ version }) => version)

/** A function that some versions know and cannot do here. */
export interface Shortcoming {
  readonly versions: readonly string[]
  readonly functions: readonly string[]
  readonly reason: string
}

export const shortcomings: readonly Shortcoming[] = [
  {
    versions: ['0.0.62'],
    functions: ['streams it as it comes'],
    reason: 'shows nothing of a stream, and gets the answer whole',
  },
]
