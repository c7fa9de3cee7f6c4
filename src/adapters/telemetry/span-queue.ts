import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace-base'

/** Spans that are sent at once, and how long the first of them waits at most. */
const batch = { spans: 256, ms: 2_000 }

/** Time for the remaining spans when the service closes. */
const closeMs = 1_500

/** Counts spans by their outcome. */
export type CountSpans = (outcome: 'sent' | 'failed' | 'dropped', count: number) => void

/**
 * Holds spans until they are sent, up to a bound: where the collector is slow or away, those that come later are
 * dropped and counted. One batch is under way at a time, and none is waited for.
 */
export class SpanQueue implements SpanProcessor {
  readonly #exporter: SpanExporter
  readonly #max: number
  readonly #count: CountSpans
  #waiting: ReadableSpan[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined

  constructor(exporter: SpanExporter, { max, count }: { readonly max: number; readonly count: CountSpans }) {
    this.#exporter = exporter
    this.#max = max
    this.#count = count
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if (this.#waiting.length >= this.#max) {
      this.#count('dropped', 1)
      return
    }
    this.#waiting.push(span)
    if (this.#waiting.length >= batch.spans) this.#send()
    else this.#timer ??= setTimeout(() => this.#send(), batch.ms).unref()
  }

  async forceFlush(): Promise<void> {
    while (this.#waiting.length > 0 || this.#sending) {
      this.#send()
      await this.#sending
    }
  }

  /** Sends the remaining spans, as far as that is quick. */
  async shutdown(): Promise<void> {
    const patience = new Promise<void>((resolve) => setTimeout(resolve, closeMs).unref())
    await Promise.race([this.forceFlush(), patience])
    this.#count('dropped', this.#waiting.length)
    this.#waiting = []
    clearTimeout(this.#timer)
    await Promise.race([this.#exporter.shutdown(), patience])
  }

  #send(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#sending || this.#waiting.length === 0) return
    const spans = this.#waiting.splice(0, batch.spans)
    this.#sending = this.#export(spans).then((isSent) => {
      this.#count(isSent ? 'sent' : 'failed', spans.length)
      this.#sending = undefined
      if (this.#waiting.length > 0)
        this.#timer ??= setTimeout(() => this.#send(), isSent ? 0 : batch.ms).unref()
    })
  }

  #export(spans: ReadableSpan[]): Promise<boolean> {
    return new Promise((resolve) => {
      // 0 is the SUCCESS of the package, of which only types are loaded here.
      this.#exporter.export(spans, ({ code }) => resolve(code === 0))
    })
  }
}
