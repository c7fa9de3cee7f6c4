/** One or two of each generation: what they ask of a server changed between them. */
export const widgetVersions = [
  '0.0.49',
  '0.0.62',
  '0.2.45',
  '0.2.55',
  '0.2.73',
  '0.2.92',
  '0.3.14',
  '0.3.20',
  '0.3.32',
  '0.3.40',
  '0.3.61',
  '0.9.24',
  '0.10.7',
] as const

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
  {
    versions: ['0.2.73'],
    functions: ["tells a model's answer", 'streams it as it comes'],
    reason: 'asks for the stream at the bare `apiHost`, so that no server but that of its makers can answer',
  },
]
