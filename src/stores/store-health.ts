/** Hears of what a store stands on: a server or a disk that fails, and one that works again. */
export interface StoreReport {
  error(details: object, message: string): void
  warn(details: object, message: string): void
  info(details: object, message: string): void
}

/**
 * Whether a store can keep what turns write. A failure begins trouble, and only a probe that writes as a turn does ends it:
 * neither a read nor a small write proves that the next turn is kept. Each is logged once.
 */
export interface StoreHealth {
  /** A call failed for what the store stands on. The text is for callers and `/ready`; the details are for the log. */
  failed(text: string, details: object): void
  /** Something was kept. While there is trouble, the probe is asked whether it is over, once a second at most. */
  served(): void
  /** The text that calls are refused with; undefined without trouble. */
  problem(): string | undefined
  /** The same, once the probe was asked: without trouble once a second at most, whoever asks. */
  problems(): Promise<readonly string[]>
}

export interface StoreHealthOptions {
  readonly report: StoreReport
  /** For the log, when trouble is over. */
  readonly wellAgain: string
  /** Writes so many bytes where turns write. Whatever fails it has to be told to `failed`. */
  probe(bytes: number): Promise<unknown>
}

/** Milliseconds for which a probe is believed where nothing has failed. */
const freshMs = 1000

/** More than most turns write: a disk that takes a page and not a turn is full. */
const turnBytes = 128 * 1024

export function createStoreHealth({ report, wellAgain, probe }: StoreHealthOptions): StoreHealth {
  let problem: string | undefined
  let failures = 0
  let probing: Promise<void> | undefined
  let probedAt = Number.NEGATIVE_INFINITY

  const isFresh = () => performance.now() - probedAt < freshMs

  async function look(): Promise<void> {
    const before = failures
    probedAt = performance.now()
    await probe(problem === undefined ? 0 : turnBytes)
    // What failed meanwhile knows better.
    if (problem === undefined || failures > before) return
    problem = undefined
    report.info({}, wellAgain)
  }

  function lookOnce(): Promise<void> {
    probing ??= look()
      .catch(() => undefined)
      .finally(() => {
        probing = undefined
      })
    return probing
  }

  return {
    failed(text, details) {
      failures += 1
      if (problem === undefined) report.error(details, text)
      problem = text
    },
    served() {
      if (problem !== undefined && !isFresh()) void lookOnce()
    },
    problem: () => problem,
    async problems() {
      if (problem !== undefined || !isFresh()) await lookOnce()
      return problem === undefined ? [] : [problem]
    },
  }
}
